/** `countersign key rotate-issuer`: a new key signs from now on; what the old ones signed still verifies. */
import { randomBytes } from 'node:crypto';
import { rotateIssuerKey } from '../../crypto/issuerKey.ts';
import { adoptRotations } from '../../handlers/operator/rotateIssuer.ts';
import type { Config } from '../../node/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { databaseTime, isAnyNodeAlive } from '../../store/statements/node/nodes.ts';
import { NODE_LIFE_SECONDS } from '../../workers/heartbeat.ts';
import { withConfig } from '../input/withConfig.ts';
import { colour } from '../output/colour.ts';
import { print } from '../output/print.ts';

export function rotateKey(env: NodeJS.ProcessEnv, options: { readonly json?: boolean }): Promise<void> {
  return withConfig(env, async (config) => {
    const rotated = await rotate(config);
    const text = [
      `${colour.bold(rotated.to)} signs from now on, in the place of ${rotated.from}.`,
      'Start the node again. With several nodes, give each this key file first.',
      'Agents address messages to the new DID: they read it from /.well-known/agent-card.json.',
    ];
    print(options, rotated, text.join('\n'));
  });
}

async function rotate(config: Config): Promise<{ readonly from: string; readonly to: string }> {
  const before = await openOffline(config);
  const from = before.deps.issuer.did;
  try {
    const { store } = before.deps;
    const isAlive = await store.read(function* (now) {
      return yield* isAnyNodeAlive((yield* databaseTime(store.engine, now)) - NODE_LIFE_SECONDS * 1000);
    });
    if (isAlive) {
      throw new Error('A node is running on this database. Stop every node, then rotate.');
    }
  } finally {
    await before.close();
  }
  rotateIssuerKey(config.issuerKeyFile, (size) => randomBytes(size));
  const after = await openOffline(config);
  try {
    await adoptRotations(after.deps);
    return { from, to: after.deps.issuer.did };
  } finally {
    await after.close();
  }
}

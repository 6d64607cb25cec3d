/** `countersign key rotate-issuer`, `rotate-root` and `rotate-receipt`: a new key takes over, with every node stopped. */
import { randomBytes } from 'node:crypto';
import { SEED_BYTES } from '../../../protocol/credential/ed25519.ts';
import { signRotation } from '../../../protocol/evidence/rotation.ts';
import { readIssuerKey, replaceIssuerKey } from '../../crypto/issuerKey.ts';
import { makeReceiptKey, writeReceiptKey } from '../../crypto/receiptKey.ts';
import { adoptStagedRootKey, markOf, stageRootKey } from '../../crypto/rootKey.ts';
import { sealer } from '../../crypto/seal.ts';
import { replaceReceiptKey } from '../../domain/operator/claimReceiptKey.ts';
import { keepListSigner } from '../../domain/operator/keepListSigner.ts';
import { adoptRotations } from '../../domain/operator/rotateIssuer.ts';
import { resealAll } from '../../domain/operator/rotateRoot.ts';
import type { Config } from '../../node/config/config.ts';
import { openOffline } from '../../node/openFolder.ts';
import { receiptKeyFile } from '../../node/openKeys.ts';
import { findNewestEventTime } from '../../store/statements/evidence/events.ts';
import { databaseTime, isAnyNodeAlive } from '../../store/statements/node/nodes.ts';
import type { Deps } from '../../usecase/deps.ts';
import { NODE_LIFE_SECONDS } from '../../workers/heartbeat.ts';
import { withConfig } from '../input/withConfig.ts';
import { colour, print } from '../output/print.ts';

interface RotateOptions {
  readonly compromised?: boolean;
  readonly json?: boolean;
}

export function rotateIssuer(env: NodeJS.ProcessEnv, options: RotateOptions): Promise<void> {
  return withConfig(env, async (config) => {
    const rotated = await newIssuer(config, options.compromised === true);
    const text = [
      `${colour.bold(rotated.to)} signs from now on, in the place of ${rotated.from}.`,
      `What ${rotated.from} dates after ${rotated.retiredAt} is refused.`,
      'Start the node again. With several nodes, give each this key file first.',
      'Agents address messages to the new DID: they read it from /.well-known/agent-card.json.',
      ...(options.compromised === true
        ? ['Its status lists are signed no more: mandates that were handed out in them do not verify.']
        : []),
      ...(options.compromised === true ? ['Give the new DID to everyone who verifies evidence of this node.'] : []),
    ];
    print(options, rotated, text.join('\n'));
  });
}

export function rotateRoot(env: NodeJS.ProcessEnv, options: Pick<RotateOptions, 'json'>): Promise<void> {
  return withConfig(env, async (config) => {
    const resealed = await whileStopped(config, async (deps) => {
      const root = stageRootKey(config.rootKeyFile, randomBytes);
      const to = { sealer: sealer(root), mark: markOf(root) };
      const count = await deps.store.write('bootstrap', () => resealAll(deps.sealer, to));
      adoptStagedRootKey(config.rootKeyFile);
      return count;
    });
    const text = [
      `A new root key is in ${config.rootKeyFile}; ${resealed} secrets are sealed with it.`,
      'Start the node again. With several nodes, give each this key file first. Make a backup: older ones hold the old key.',
    ];
    print(options, { rootKeyFile: config.rootKeyFile, resealed }, text.join('\n'));
  });
}

export function rotateReceipt(env: NodeJS.ProcessEnv, options: RotateOptions): Promise<void> {
  return withConfig(env, async (config) => {
    const compromised = options.compromised === true;
    const made = makeReceiptKey(randomBytes);
    // The database first: a file that is behind is brought up at the next start.
    await whileStopped(config, ({ store, sealer: sealing }) =>
      store.write('bootstrap', (now) => replaceReceiptKey(sealing, made, compromised, now)),
    );
    writeReceiptKey(receiptKeyFile(config), made, randomBytes);
    const { kid } = made.jwk;
    const text = [
      `${colour.bold(kid)} signs receipts from now on.`,
      compromised
        ? 'The former key is out of /.well-known/jwks.json: no receipt that it signed verifies any more.'
        : 'The former key stays in /.well-known/jwks.json: the receipts that it signed keep verifying.',
      'Start the node again. Other nodes take the key from the database. Make a backup: older ones hold the old key.',
    ];
    print(options, { kid, compromised }, text.join('\n'));
  });
}

interface Rotation {
  readonly from: string;
  readonly to: string;
  readonly retiredAt: string;
  readonly compromised: boolean;
}

async function newIssuer(config: Config, compromised: boolean): Promise<Rotation> {
  const rotation = await whileStopped(config, async (deps) => {
    const { suite, store } = deps;
    const key = readIssuerKey(config.issuerKeyFile);
    if (key === undefined) throw new Error(`There is no issuer key at ${config.issuerKeyFile} any more.`);
    const seed = new Uint8Array(randomBytes(SEED_BYTES));
    // No event is younger than the retirement, whichever node's clock it has.
    const newest = await store.read(() => findNewestEventTime());
    const at = Math.max(deps.clock(), newest);
    const made = signRotation(suite, suite.signer(key.seed), { to: suite.signer(seed).did, at, compromised });
    // Before the key is replaced: after a crash between the two, the present key keeps a row that it does not need.
    if (!compromised) await store.write('bootstrap', () => keepListSigner(deps, key.seed));
    replaceIssuerKey(config.issuerKeyFile, { seed, rotations: [...key.rotations, made] }, randomBytes);
    return made;
  });
  const after = await openOffline(config);
  try {
    await adoptRotations(after.deps);
  } finally {
    await after.close();
  }
  const { from, to, proof } = rotation;
  return { from, to, retiredAt: proof.created, compromised };
}

async function whileStopped<T>(config: Config, work: (deps: Deps) => Promise<T>): Promise<T> {
  const { deps, close } = await openOffline(config);
  try {
    const { store } = deps;
    const isAlive = await store.read(function* (now) {
      return yield* isAnyNodeAlive((yield* databaseTime(store.engine, now)) - NODE_LIFE_SECONDS * 1000);
    });
    if (isAlive) {
      throw new Error('A node is running on this database. Stop every node, then rotate.');
    }
    return await work(deps);
  } finally {
    await close();
  }
}

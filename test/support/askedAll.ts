/** Has a node ask its witnesses now, and waits for what its own worker may be asking them at the moment. */

import { listChainWitnesses } from '../../src/store/statements/evidence/cosignatures.ts';
import { listTenants } from '../../src/store/statements/node/tenants.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { patience } from '../../src/workers/patience.ts';
import { until } from './until.ts';

export async function askedAll(deps: Deps): Promise<void> {
  await askWitnesses(deps);
  await until('every witness has answered', async () => {
    for (const { id } of await deps.store.read(listTenants)) {
      const rows = await deps.store.read(() => listChainWitnesses(id));
      if (rows.some(({ node_id: node }) => node !== null)) return false;
    }
    return true;
  });
  // What they answered is looked at once more.
  await askWitnesses(deps);
}

/** One round of the node's own worker. */
export async function askWitnesses(deps: Deps): Promise<void> {
  const schedule = deps.operations.schedules.find(({ name }) => name === 'witnesses');
  await schedule?.work(patience(deps, 'witnesses'), deps);
}

/** What the node has found wrong between a chain and its witnesses, in sentences. */
export function alarmsOf({ operations: { watches } }: Deps, tenantId: string): readonly string[] {
  return watches.flatMap((watch) => watch.alarms(tenantId));
}

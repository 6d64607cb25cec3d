/** Has a node ask its witnesses now, and waits for what its own worker may be asking them at the moment. */

import { isAsking } from '../../src/domain/witnesses/askWitnesses.ts';
import { listTenants } from '../../src/store/statements/node/tenants.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { witnessChains } from '../../src/workers/witnessChains.ts';
import { until } from './until.ts';

export async function askedAll(deps: Deps): Promise<void> {
  await witnessChains(deps);
  await until('every witness has answered', async () => {
    for (const { id } of await deps.store.read(listTenants)) {
      if (await deps.store.read((now) => isAsking(deps, id, now))) return false;
    }
    return true;
  });
  // What they answered is looked at once more.
  await witnessChains(deps);
}

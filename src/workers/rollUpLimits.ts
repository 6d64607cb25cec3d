/**
 * Moves what limits count into buckets of time once its quarter of an hour has ended, and deletes buckets that are older than any
 * window. Commits are short, with pauses between them, so that a purchase waits for one of them at most.
 */
import { deleteBucketsBefore, listTenantsToRollUp, rollUp } from '../store/statements/limits/rollUp.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import type { Deps } from '../usecase/deps.ts';
import { inTurns } from './inTurns.ts';

/** Rows in one commit, each of which becomes one of each length. */
const ROWS = 250;
/** Scopes in one commit: a day has 99 buckets of each at most. */
const SCOPES = 10;
const KEPT_MS = 400 * 24 * 3600 * 1000;

type RollUpDeps = Pick<Deps, 'store' | 'stopping'>;

export async function rollUpLimits({ store, stopping }: RollUpDeps): Promise<void> {
  // Each tenant's rows are looked at: beside the writer.
  for (const tenantId of await store.readApart(listTenantsToRollUp)) {
    await byScope(stopping, (from) => store.write(tenantId, (now) => rollUp(tenantId, now, ROWS, from)));
  }
}

export async function deleteOldBuckets({ store, stopping }: RollUpDeps): Promise<void> {
  for (const { id } of await store.read(listTenants)) {
    await byScope(stopping, (after) => store.write(id, (now) => deleteBucketsBefore(id, now - KEPT_MS, after, SCOPES)));
  }
}

/** @param step is given the scope that the one before came to, and gives the next one; undefined at the end */
async function byScope(stopping: AbortSignal, step: (from: string) => Promise<string | undefined>): Promise<void> {
  let scope: string | undefined = '';
  await inTurns(stopping, async () => {
    scope = await step(scope ?? '');
    return scope !== undefined;
  });
}

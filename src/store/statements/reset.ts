/** Deletes a tenant's test data: all that purchases have created, nothing that was configured. */
import { run, type Script } from '../store.ts';
import { endViewsGeneration } from './node/viewsGeneration.ts';
import { endStatusOfTenant } from './purchases/credentialStatus.ts';
import { TABLES } from './tables.ts';

const TEST_DATA = TABLES.filter(({ isTestData }) => isTestData);

/** @param now milliseconds since the epoch */
export function* clearTestData(tenantId: string, now: number): Script<void> {
  yield* endViewsGeneration();
  for (const { name } of TEST_DATA) yield* run(`DELETE FROM ${name} WHERE tenant_id = ?`, tenantId);
  // Their mandates are in the hands of others, who read in the status lists that they no longer hold.
  yield* endStatusOfTenant(tenantId, now);
  yield* run('DELETE FROM webhooks WHERE tenant_id = ? AND task_id IS NOT NULL', tenantId);
}

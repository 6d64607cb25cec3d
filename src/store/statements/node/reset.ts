/** Clears a tenant's test data: everything purchases leave behind, nothing that was set up. */
import { run, type Script } from '../../store.ts';

const PURCHASE_TABLES = [
  'intents',
  'velocity_windows',
  'approvals',
  'presence_used',
  'presence_challenges',
  'approval_requests',
  'payments',
  'rail_attempts',
  'shared_payment_tokens',
  'requests',
  'sessions',
  'evidence',
  'evidence_subtrees',
  'checkpoints',
] as const;

export function* clearTestData(tenantId: string): Script<void> {
  for (const table of PURCHASE_TABLES) yield* run(`DELETE FROM ${table} WHERE tenant_id = ?`, tenantId);
}

/** Expires intents. */

import { endOverdueIntent } from '../domain/approvals/endRevoked.ts';
import { listOverdueIntents } from '../store/statements/purchases/intents.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience, workOff } from './patience.ts';

/** @returns how many intents were overdue */
export async function expireIntents(deps: Deps, waiting = patience(deps, 'expire')): Promise<number> {
  return workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listOverdueIntents(now, limit)),
    keyOf: ({ mandate_id: id }) => id,
    settle: ({ tenant_id: tenantId, mandate_id: mandateId }) =>
      deps.store.write(tenantId, (now) => endOverdueIntent(deps, { tenantId, mandateId }, now)),
  });
}

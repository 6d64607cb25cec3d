/** An approval that ended unused holds its cart's total no more: its intent holds its maximum again, of any merchant it allows. */

import { moveHold } from '../store/statements/limits/limitBuckets.ts';
import { findIntent, listLapsedHolds, updateHold } from '../store/statements/purchases/intents.ts';
import type { Script } from '../store/store.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience, workOff } from './patience.ts';

/** @returns how many had ended */
export async function restoreHolds(deps: Deps, waiting = patience(deps, 'hold')): Promise<number> {
  return workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listLapsedHolds(now, limit)),
    keyOf: ({ mandate_id: id }) => id,
    settle: ({ tenant_id: tenantId, mandate_id: mandateId }) =>
      deps.store.write(tenantId, (now) => restore(tenantId, mandateId, now)),
  });
}

/** Nothing happens to an intent that was paid, ended or approved again in the meantime. */
function* restore(tenantId: string, mandateId: string, now: number): Script<void> {
  const intent = yield* findIntent(tenantId, mandateId);
  if (intent === undefined || intent.held_until === null || intent.held_until > now) return;
  const restored = {
    ...intent,
    held_minor: intent.max_minor,
    held_merchant: intent.merchant_domain,
    held_mcc: intent.mcc,
    held_until: null,
  };
  yield* updateHold(restored);
  yield* moveHold(intent, restored);
}

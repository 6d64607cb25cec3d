/** Expires intents. */

import { isoTime } from '../../protocol/wire/time.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { partiesOf } from '../handlers/core/purchaseFacts.ts';
import { recordNodeEvent } from '../handlers/evidence/recordEvent.ts';
import { findIntent, type IntentRow, listOverdueIntents, settleIntent } from '../store/statements/purchases/intents.ts';
import { adjustWindows } from '../store/statements/purchases/velocityWindows.ts';
import type { Script } from '../store/store.ts';

const BATCH = 200;

/** @returns how many intents were ended */
export async function expireIntents(deps: Deps): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await deps.store.read((now) => listOverdueIntents(now, BATCH));
    await Promise.all(overdue.map((intent) => deps.store.write(intent.tenant_id, (now) => expire(deps, intent, now))));
    ended += overdue.length;
    if (overdue.length < BATCH) return ended;
  }
}

function* expire(deps: Deps, overdue: IntentRow, now: number): Script<void> {
  const intent = yield* findIntent(overdue.tenant_id, overdue.mandate_id);
  // A payment, or another node, may have settled it in the meantime.
  if (intent === undefined || intent.status !== 'ACTIVE') return;
  yield* settleIntent(intent.tenant_id, intent.mandate_id, 'EXPIRED', 0);
  const entry = { agentDid: intent.agent_did, mandateId: intent.mandate_id, currency: intent.currency };
  yield* adjustWindows(intent.tenant_id, entry, -intent.reserved_minor);
  const data = {
    ...partiesOf(intent),
    mandateId: intent.mandate_id,
    expiredAt: isoTime(intent.expires_at),
  };
  yield* recordNodeEvent(deps, intent.tenant_id, 'INTENT_EXPIRED', data, now);
}

/** Expires intents, and deletes requests, proofs and deliveries that are no longer needed. */

import { firstIdAt } from '../../protocol/wire/id.ts';
import { isoTime } from '../../protocol/wire/time.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { REQUEST_SECONDS } from '../handlers/core/idempotency.ts';
import { partiesOf } from '../handlers/core/purchaseFacts.ts';
import { recordNodeEvent } from '../handlers/evidence/recordEvent.ts';
import { deleteProofsBefore } from '../store/statements/callers/proofs.ts';
import { deleteRequestsBefore } from '../store/statements/callers/requests.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import { findIntent, type IntentRow, listOverdueIntents, settleIntent } from '../store/statements/purchases/intents.ts';
import { adjustWindows } from '../store/statements/purchases/velocityWindows.ts';
import { deleteAttemptsBefore } from '../store/statements/webhooks/attempts.ts';
import {
  deleteDeliveriesBefore,
  deleteWebhookEventsBefore,
  findOldestDelivery,
} from '../store/statements/webhooks/webhookEvents.ts';
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

/** Deletes requests and proofs whose replay is refused by their age alone. */
export async function deleteOldRequests(deps: Deps): Promise<void> {
  await deps.store.write('housekeeping', function* (now) {
    yield* deleteRequestsBefore(now - REQUEST_SECONDS * 1000);
    yield* deleteProofsBefore(now);
  });
}

/** How long the delivery log goes back. */
const LOG_DAYS = 30;

/** Deletes old delivery attempts, completed deliveries and their events. */
export async function deleteOldDeliveries(deps: Deps): Promise<void> {
  const tenants = await deps.store.read(listTenants);
  await deps.store.write('housekeeping', function* (now) {
    const before = now - LOG_DAYS * 24 * 3600 * 1000;
    for (const { id } of tenants) yield* deleteAttemptsBefore(id, firstIdAt('whl_', before));
    yield* deleteDeliveriesBefore(firstIdAt('whd_', before));
    // An event is older than its deliveries, by a moment; those that are still to be delivered keep theirs.
    const oldest = Math.min(before, (yield* findOldestDelivery()) ?? before);
    yield* deleteWebhookEventsBefore(firstIdAt('evt_', oldest - 60_000));
  });
}

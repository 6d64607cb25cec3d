/** Ends what has run out of time: intents, remembered requests, used proofs. */
import { firstIdAt } from '../../protocol/wire/id.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { MEMORY_SECONDS } from '../handlers/core/idempotency.ts';
import { recordEvent } from '../handlers/evidence/recordEvent.ts';
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
    const overdue = await deps.store.read(() => listOverdueIntents(deps.clock(), BATCH));
    await Promise.all(overdue.map((intent) => deps.store.write(intent.tenant_id, () => expire(deps, intent))));
    ended += overdue.length;
    if (overdue.length < BATCH) return ended;
  }
}

function* expire(deps: Deps, overdue: IntentRow): Script<void> {
  const now = deps.clock();
  const intent = yield* findIntent(overdue.tenant_id, overdue.mandate_id);
  // A payment or another node may have been faster.
  if (intent === undefined || intent.status !== 'ACTIVE') return;
  yield* settleIntent(intent.tenant_id, intent.mandate_id, 'EXPIRED', 0);
  const entry = { agentDid: intent.agent_did, mandateId: intent.mandate_id, currency: intent.currency };
  yield* adjustWindows(intent.tenant_id, entry, -intent.reserved_minor);
  const data = {
    transactionId: intent.transaction_id,
    ...(intent.context_id === null ? {} : { contextId: intent.context_id }),
    mandateId: intent.mandate_id,
    agentDid: intent.agent_did,
    principalDid: intent.principal_did,
    expiredAt: new Date(intent.expires_at).toISOString(),
  };
  const event = { eventType: 'INTENT_EXPIRED', actorDid: deps.issuer.did, data } as const;
  yield* recordEvent(deps, intent.tenant_id, event, now);
}

/** Forgets requests and proofs that may no longer come again. */
export async function forgetOldRequests(deps: Deps): Promise<void> {
  await deps.store.write('housekeeping', function* () {
    const now = deps.clock();
    yield* deleteRequestsBefore(now - MEMORY_SECONDS * 1000);
    yield* deleteProofsBefore(now);
  });
}

/** How long the delivery log goes back. */
const LOG_DAYS = 30;

/** Forgets deliveries that are over, and attempts, once they are old. */
export async function forgetOldDeliveries(deps: Deps): Promise<void> {
  const before = deps.clock() - LOG_DAYS * 24 * 3600 * 1000;
  const tenants = await deps.store.read(listTenants);
  await deps.store.write('housekeeping', function* () {
    for (const { id } of tenants) yield* deleteAttemptsBefore(id, firstIdAt('whl_', before));
    yield* deleteDeliveriesBefore(firstIdAt('whd_', before));
    // An event is older than its deliveries, by a moment; those that are still to be delivered keep theirs.
    const oldest = Math.min(before, (yield* findOldestDelivery()) ?? before);
    yield* deleteWebhookEventsBefore(firstIdAt('evt_', oldest - 60_000));
  });
}

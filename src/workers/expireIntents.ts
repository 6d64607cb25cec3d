/** Expires intents, and deletes requests, proofs and deliveries that are no longer needed. */

import { firstIdAt } from '../../protocol/wire/id.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { REQUEST_SECONDS } from '../handlers/core/idempotency.ts';
import { endIntent } from '../handlers/intents/endIntent.ts';
import { deleteProofsBefore } from '../store/statements/callers/proofs.ts';
import { deleteRequestsBefore } from '../store/statements/callers/requests.ts';
import { listTenants } from '../store/statements/node/tenants.ts';
import { listOverdueIntents } from '../store/statements/purchases/intents.ts';
import { deleteAttemptsBefore } from '../store/statements/webhooks/attempts.ts';
import {
  deleteDeliveriesBefore,
  deleteWebhookEventsBefore,
  findOldestDelivery,
} from '../store/statements/webhooks/webhookEvents.ts';

const BATCH = 200;

/** @returns how many intents were ended */
export async function expireIntents(deps: Deps): Promise<number> {
  let ended = 0;
  for (;;) {
    const overdue = await deps.store.read((now) => listOverdueIntents(now, BATCH));
    await Promise.all(
      overdue.map(({ tenant_id: tenantId, mandate_id: mandateId }) =>
        deps.store.write(tenantId, (now) => endIntent(deps, { tenantId, mandateId }, undefined, now)),
      ),
    );
    ended += overdue.length;
    if (overdue.length < BATCH) return ended;
  }
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

/** Stores the webhook events of an evidence event, and their deliveries, in the same script. */
import { toMinor } from '../../../protocol/money.ts';
import type { WebhookData, WebhookEvent } from '../../../protocol/webhook/event.ts';
import { type Recorded, webhooksOf, webhookTypesOf } from '../../../protocol/webhook/fromEvidence.ts';
import { insertDelivery } from '../../store/statements/webhooks/deliveries.ts';
import { listSubscriptions } from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { Subscription } from '../../usecase/services.ts';
import { storeEvent } from './storeEvent.ts';

type EmitDeps = Pick<Deps, 'evidence' | 'newId' | 'settings' | 'suite' | 'tracing' | 'wake'>;

/** What a person is told much later says nothing any more. */
export const NOTICE_ATTEMPTS = 3;

/** @param version of the tenant's subscriptions, as this transaction sees it */
export function* emitWebhooks(
  deps: EmitDeps,
  tenantId: string,
  recorded: Recorded,
  version: string,
  now: number,
): Script<void> {
  if (version === '') return;
  const types = webhookTypesOf(recorded);
  if (types.length === 0) return;
  const subscriptions = yield* loadSubscriptions(deps, tenantId, version);
  if (!subscriptions.some(({ events }) => types.some((type) => events.has(type)))) return;
  // Of an approval some users are told later, when their turn comes.
  const later = (recorded.data['toldLater'] ?? []) as readonly (string | undefined)[];
  for (const event of webhooksOf(deps.suite, recorded, deps.settings.baseUrl)) {
    const wanting = subscriptions.filter((each) => wants(each, event) && !later.includes(each.userId));
    if (wanting.length > 0) {
      yield* storeEvent(deps, { id: event.id, tenantId, body: JSON.stringify(event) });
    }
    for (const { id, isPaused, userId } of wanting) {
      const attempts = deps.settings.webhookRetrySeconds.length;
      yield* insertDelivery({
        id: deps.newId('whd_'),
        tenant_id: tenantId,
        webhook_id: id,
        event_id: event.id,
        event_type: event.type,
        state: isPaused ? 'HELD' : 'PENDING',
        attempts: 0,
        max_attempts: userId !== undefined ? Math.min(NOTICE_ATTEMPTS, attempts) : attempts,
        next_at: now + (deps.settings.webhookRetrySeconds[0] ?? 0) * 1000,
        leased_by: null,
        created_at: now,
      });
      if (!isPaused) deps.wake.deliveries.wake(id);
    }
  }
}

function wants({ events, least }: Subscription, event: WebhookEvent): boolean {
  if (!events.has(event.type)) return false;
  if (least === undefined || event.type !== 'payment.authorized') return true;
  const { amount, currency } = event.data as WebhookData['payment.authorized'];
  return currency !== least.currency || toMinor(amount, currency, { allowZero: true }) >= least.minor;
}

function* loadSubscriptions(
  deps: Pick<Deps, 'evidence'>,
  tenantId: string,
  version: string,
): Script<readonly Subscription[]> {
  const known = deps.evidence.subscriptions.recall(tenantId, version);
  if (known !== undefined) return known;
  return deps.evidence.subscriptions.remember(tenantId, version, yield* listSubscriptions(tenantId));
}

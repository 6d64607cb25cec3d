/** Tells one user something, wherever their notifications go, also what they did not subscribe to. */
import type { OwnNotice, PersonNotice } from '../../../../protocol/webhook/noticeText.ts';
import { NOTICE_ATTEMPTS } from '../../../domain/evidence/recordEvent.ts';
import { storeEvent } from '../../../domain/outbox/storeEvent.ts';
import { insertDelivery } from '../../../store/statements/webhooks/deliveries.ts';
import { listPlacesOf, type WebhookRow } from '../../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../../store/store.ts';
import type { Deps } from '../../../usecase/deps.ts';
import type { NoticeReader } from '../../../usecase/hooks.ts';

/** @param now milliseconds since the epoch */
export function* tellUser(
  deps: Pick<Deps, 'newId' | 'tracing' | 'wake'>,
  { tenantId, userId }: NoticeReader,
  notice: PersonNotice,
  now: number,
): Script<void> {
  const places = (yield* listPlacesOf(tenantId, userId)).filter(({ disabled_reason: silent }) => silent === null);
  yield* tellPlaces(deps, tenantId, places, notice, now);
}

/** Sends one notice to some places. @param now milliseconds since the epoch */
export function* tellPlaces(
  deps: Pick<Deps, 'newId' | 'tracing' | 'wake'>,
  tenantId: string,
  places: readonly Pick<WebhookRow, 'id'>[],
  notice: OwnNotice,
  now: number,
): Script<void> {
  if (places.length === 0) return;
  const eventId = deps.newId('evt_');
  yield* storeEvent(deps, { id: eventId, tenantId, body: JSON.stringify(notice) });
  for (const { id } of places) {
    yield* insertDelivery({
      id: deps.newId('whd_'),
      tenant_id: tenantId,
      webhook_id: id,
      event_id: eventId,
      event_type: notice.type,
      state: 'PENDING',
      attempts: 0,
      max_attempts: NOTICE_ATTEMPTS,
      next_at: now,
      leased_by: null,
      created_at: now,
    });
    deps.wake.deliveries.wake(id);
  }
}

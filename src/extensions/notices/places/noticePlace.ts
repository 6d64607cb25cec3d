/** Where a person's notifications go: what is kept of it beside the address, sealed, and how it leaves again. */

import { EVENT_OF_TOPIC, NOTICE_TOPICS, type NoticeTopic } from '../../../../protocol/webhook/noticeText.ts';
import { recordNodeEvent } from '../../../domain/evidence/recordEvent.ts';
import { removePersonSubscription } from '../../../domain/outbox/personSubscriptions.ts';
import { secretContext } from '../../../domain/webhooks/changeWebhook.ts';
import { dropDeliveries } from '../../../store/statements/webhooks/deliveries.ts';
import {
  findPlace,
  listPlacesOf,
  setSilent,
  setWebhooksVersion,
  type WebhookRow,
} from '../../../store/statements/webhooks/subscriptions.ts';
import type { Deps, EventDeps } from '../../../usecase/deps.ts';
import type { NotificationChannel } from '../channels/channel.ts';

export function sealPlace(deps: Pick<Deps, 'sealer'>, id: string, kept: NotificationChannel): string {
  return deps.sealer.seal(JSON.stringify(kept), secretContext(id));
}

/** @throws Error where it was sealed by another root key */
export function openPlace(deps: Pick<Deps, 'sealer'>, row: Pick<WebhookRow, 'id' | 'secret'>): NotificationChannel {
  return JSON.parse(deps.sealer.open(row.secret, secretContext(row.id))) as NotificationChannel;
}

/** The types of events that a row of `webhooks` names for these topics. */
export function eventsOf(topics: readonly NoticeTopic[]): string {
  return NOTICE_TOPICS.filter((topic) => topics.includes(topic))
    .map((topic) => EVENT_OF_TOPIC[topic])
    .join(' ');
}

export function topicsOf({ events }: Pick<WebhookRow, 'events'>): NoticeTopic[] {
  const types = events.split(' ');
  return NOTICE_TOPICS.filter((topic) => types.includes(EVENT_OF_TOPIC[topic]));
}

/** What evidence and logs tell of a place: paths and queries of such addresses are secrets, and so is a person's mailbox. */
export function originOf({ url }: Pick<WebhookRow, 'url'>): string {
  const { protocol, origin } = new URL(url);
  return protocol === 'mailto:' ? protocol : origin;
}

export function factsOf(row: WebhookRow): Record<string, unknown> {
  return { placeId: row.id, userId: row.user_id, origin: originOf(row), about: topicsOf(row) };
}

/** Why nothing is told at a place, as its row says it. */
export const SILENT = {
  /** Its address was not confirmed: a code alone is sent there. */
  unconfirmed: 'unconfirmed',
  /** Its receiver said that it takes nothing more; a test that arrives ends it. */
  ended: 'ended',
} as const;

/** Keeps a place whose service says that it takes nothing more, and sends nothing there until a test arrives. */
export async function silenceEndedPlace(deps: EventDeps & Pick<Deps, 'store'>, ended: WebhookRow): Promise<void> {
  await deps.store.write(ended.tenant_id, function* (now) {
    const row = yield* findPlace(ended.tenant_id, String(ended.user_id), ended.id);
    if (row === undefined || row.disabled_reason !== null) return;
    yield* dropDeliveries(row.id);
    yield* setSilent(row.tenant_id, row.id, SILENT.ended);
    yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
    yield* recordNodeEvent(deps, row.tenant_id, 'NOTIFICATIONS_CHANGED', { ...factsOf(row), reason: 'ended' }, now);
  });
}

/** Removes a place whose receiver says that it is there no more: a browser that was removed, or knows another key. */
export async function forgetGonePlace(deps: EventDeps & Pick<Deps, 'store'>, gone: WebhookRow): Promise<void> {
  await deps.store.write(gone.tenant_id, function* (now) {
    const rows = yield* listPlacesOf(gone.tenant_id, String(gone.user_id));
    // It may have been removed meanwhile, or the browser may have given it new keys.
    const row = rows.find(({ id, secret }) => id === gone.id && secret === gone.secret);
    if (row === undefined) return;
    yield* removePersonSubscription(deps, row);
    yield* recordNodeEvent(deps, row.tenant_id, 'NOTIFICATIONS_REMOVED', { ...factsOf(row), reason: 'gone' }, now);
  });
}

/** Where a person's notifications go: what is kept of it beside the address, sealed, and how it leaves again. */

import { EVENT_OF_TOPIC, NOTICE_TOPICS, type NoticeTopic } from '../../../protocol/webhook/noticeText.ts';
import { dropDeliveries } from '../../store/statements/webhooks/deliveries.ts';
import {
  deletePlace,
  findPlace,
  listPlacesOf,
  setSilent,
  setWebhooksVersion,
  type WebhookRow,
} from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordNodeEvent } from '../evidence/recordEvent.ts';
import { secretContext } from '../webhooks/changeWebhook.ts';
import type { NotificationChannel } from './channels/channel.ts';

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

/** Removes a place with what was still to be sent there, and makes nodes read the tenant's subscriptions anew. */
export function* removePlace(deps: Pick<Deps, 'newId'>, row: WebhookRow): Script<void> {
  yield* dropDeliveries(row.id);
  yield* deletePlace(row.tenant_id, row.id);
  yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
}

/** Removes every place of a person who is let in no more. */
export function* removePlacesOf(deps: Pick<Deps, 'newId'>, tenantId: string, userId: string): Script<void> {
  for (const row of yield* listPlacesOf(tenantId, userId)) yield* removePlace(deps, row);
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
    yield* removePlace(deps, row);
    yield* recordNodeEvent(deps, row.tenant_id, 'NOTIFICATIONS_REMOVED', { ...factsOf(row), reason: 'gone' }, now);
  });
}

/** Changes a subscription in one script: its row, its pending deliveries, the version that caches compare, and its evidence. */

import type { OccurrenceType } from '../../../protocol/evidence/eventTypes.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { faultOfTarget } from '../../fetch/target.ts';
import { holdDeliveries } from '../../store/statements/webhooks/deliveries.ts';
import {
  findWebhook,
  setReached,
  setWebhooksVersion,
  updateWebhookRow,
  type WebhookRow,
} from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps, EventDeps } from '../../usecase/deps.ts';
import { recordAdminEvent } from '../evidence/recordEvent.ts';

/** @throws Fault NOT_FOUND */
export function* loadWebhook(tenantId: string, id: string): Script<WebhookRow> {
  const row = yield* findWebhook(tenantId, id);
  if (row === undefined) throw new Fault('NOT_FOUND', `There is no webhook ${id}.`);
  return row;
}

/**
 * Writes a changed subscription. A pause holds what is pending; once it is active again, the delivery worker begins with what
 * is held, so that resuming costs the same however long the pause was.
 */
export function* writeWebhook(
  deps: EventDeps,
  caller: Caller,
  { before, after }: { readonly before: WebhookRow; readonly after: WebhookRow },
  now: number,
): Script<void> {
  const isActive = after.status === 'ACTIVE';
  const isSwitched = before.status !== after.status;
  yield* updateWebhookRow(isSwitched ? { ...after, resuming: isActive ? 1 : 0 } : after);
  // Held are also those that failed after the pause had begun and wait for their next attempt.
  if (isSwitched) yield* holdDeliveries(after.id);
  // Its five days begin anew.
  if (isSwitched && isActive) yield* setReached([after.id]);
  yield* recordChange(deps, caller, after, isSwitched && !isActive ? 'WEBHOOK_DISABLED' : 'WEBHOOK_UPDATED', now);
  if (isActive) deps.wake.deliveries.wake(after.id);
}

/** Makes nodes read the tenant's subscriptions anew, and records the change. */
export function* recordChange(
  deps: EventDeps,
  caller: Caller,
  row: WebhookRow,
  eventType: OccurrenceType,
  now: number,
): Script<void> {
  yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
  const data = compact({
    webhookId: row.id,
    // Paths and queries of such addresses are often secrets.
    origin: new URL(row.url).origin,
    events: row.events.split(' '),
    status: row.status,
    reason: row.disabled_reason ?? undefined,
  });
  yield* recordAdminEvent(deps, caller, eventType, data, now);
}

/** @throws Fault BAD_REQUEST for an address that nothing may be posted to */
export function checkedUrl(deps: Pick<Deps, 'settings'>, text: string): string {
  const message = faultOfTarget(text, { allowPrivate: deps.settings.webhookAllowPrivate });
  if (message === undefined) return new URL(text).href;
  throw new Fault('BAD_REQUEST', `The url ${message}.`, [{ path: 'url', message }]);
}

/** What a subscription's secrets are sealed for. */
export function secretContext(webhookId: string): string {
  return `webhook secret ${webhookId}`;
}

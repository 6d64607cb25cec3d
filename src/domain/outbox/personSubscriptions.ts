/** Subscriptions of people: how they leave with what was still to be sent there, and those that are sent something now. */
import { dropDeliveries } from '../../store/statements/webhooks/deliveries.ts';
import {
  deletePlace,
  listPlacesOf,
  setWebhooksVersion,
  type WebhookRow,
} from '../../store/statements/webhooks/subscriptions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';

/** Removes one with what was still to be sent there, and makes nodes read the tenant's subscriptions anew. */
export function* removePersonSubscription(deps: Pick<Deps, 'newId'>, row: WebhookRow): Script<void> {
  yield* dropDeliveries(row.id);
  yield* deletePlace(row.tenant_id, row.id);
  yield* setWebhooksVersion(row.tenant_id, deps.newId('whv_'));
}

/** Removes every one of a person who is let in no more: also while the extension that serves them is off. */
export function* removeSubscriptionsOf(deps: Pick<Deps, 'newId'>, tenantId: string, userId: string): Script<void> {
  for (const row of yield* listPlacesOf(tenantId, userId)) yield* removePersonSubscription(deps, row);
}

/** How many of a person's are sent something; none while the extension that serves them is off. */
export function* countReached(
  { operations }: Pick<Deps, 'operations'>,
  tenantId: string,
  userId: string,
): Script<number> {
  const rows = yield* listPlacesOf(tenantId, userId);
  const isServed = (row: WebhookRow) => operations.deliveries.some((kind) => kind.isOf(row));
  return rows.filter((row) => row.disabled_reason === null && isServed(row)).length;
}

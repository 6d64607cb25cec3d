/** Leases: deliveries that are due are held by one node for a while, and a crash of it lets the lease lapse. */
import type { Deps } from '../handlers/core/deps.ts';
import { secretContext } from '../handlers/webhooks/manageWebhooks.ts';
import { databaseTime } from '../store/statements/node/nodes.ts';
import {
  dropDeliveries,
  holdDeliveries,
  type LeasedRow,
  leaseDueDeliveries,
  releaseDelivery,
} from '../store/statements/webhooks/deliveries.ts';
import { findWebhookAnywhere, type WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import { listBodies } from '../store/statements/webhooks/webhookEvents.ts';
import type { Script } from '../store/store.ts';
import type { LeaseRequest } from './deliveryScheduler.ts';
import type { EndpointTarget, Lease } from './endpointHealth.ts';
import { type SigningKey, signingKey } from './signature.ts';

/** Long enough for one exchange and a turn before it; a dead node's deliveries are taken over sooner. */
const LEASE_MS = 45_000;

interface Leased {
  readonly row: WebhookRow;
  readonly leases: readonly Lease[];
  /** Whether there was as much as was asked for, so that there may be more. */
  readonly full: boolean;
}

/** Leases what is due. Subscriptions that may not be posted to are left out. */
export function* leaseDeliveries(deps: Deps, requests: readonly LeaseRequest[], now: number): Script<Leased[]> {
  const until = now + LEASE_MS;
  // Other nodes, whose clocks differ, judge the lease by the database's clock.
  const ends = (yield* databaseTime(deps.store.engine, now)) + LEASE_MS;
  const leased: { row: WebhookRow; deliveries: LeasedRow[]; full: boolean }[] = [];
  for (const { webhookId, limit } of requests) {
    const row = yield* loadActive(webhookId);
    if (row === undefined) continue;
    const deliveries = yield* leaseDueDeliveries(webhookId, deps.nodeId, now, ends, limit);
    leased.push({ row, deliveries, full: deliveries.length === limit });
  }
  // Many deliveries may be of one event.
  const eventIds = new Set(leased.flatMap(({ deliveries }) => deliveries.map(({ event_id: id }) => id)));
  const bodies = new Map((yield* listBodies([...eventIds])).map(({ id, body }) => [id, body]));
  return leased.map(({ row, deliveries, full }) => ({
    row,
    full,
    leases: deliveries.map((delivery) => ({ delivery, body: bodies.get(delivery.event_id) ?? '', until })),
  }));
}

/** A subscription that may be posted to; what is left for one that may not is dropped or held. */
function* loadActive(webhookId: string): Script<WebhookRow | undefined> {
  const row = yield* findWebhookAnywhere(webhookId);
  if (row?.status === 'ACTIVE') return row;
  yield* row === undefined ? dropDeliveries(webhookId) : holdDeliveries(webhookId);
  return undefined;
}

/** Makes deliveries that this node holds due again. */
export function* releaseLeases(deps: Deps, leases: readonly Lease[], now: number): Script<void> {
  for (const { delivery } of leases) yield* releaseDelivery(delivery.id, deps.nodeId, now);
}

/** Where a subscription's deliveries go at this moment, and the secrets that sign them, the current one first. */
export function targetOf(deps: Deps, row: WebhookRow, now: number): EndpointTarget {
  const open = (sealed: string) => signingKey(deps.sealer.open(sealed, secretContext(row.id)));
  const { previous_secret: former, previous_until: until } = row;
  const keys: [SigningKey, ...SigningKey[]] = [open(row.secret)];
  if (former !== null && until !== null && until > now) keys.push(open(former));
  return { row, url: new URL(row.url), keys };
}

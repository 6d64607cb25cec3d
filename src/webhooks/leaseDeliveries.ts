/** Leases: deliveries that are due are held by one node for a while, and a crash of it lets the lease lapse. */

import { secretContext } from '../domain/webhooks/changeWebhook.ts';
import { databaseTime } from '../store/statements/node/nodes.ts';
import {
  dropOrphans,
  holdDeliveries,
  isLeasedElsewhere,
  type LeasedRow,
  leaseDueDeliveries,
  leaseHeldDeliveries,
  releaseDelivery,
} from '../store/statements/webhooks/deliveries.ts';
import { endResuming, lockWebhook, type WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import { listBodies } from '../store/statements/webhooks/webhookEvents.ts';
import type { Script } from '../store/store.ts';
import type { DeliveryKind, Send } from '../usecase/deliveryKind.ts';
import type { Deps } from '../usecase/deps.ts';
import type { LeaseRequest } from './deliveryScheduler.ts';
import { type EndpointTarget, HELD_AT_ONCE, type Lease } from './endpointHealth.ts';
import { posting } from './postEvent.ts';
import { signatureHeaders, signingKey } from './signature.ts';

/** Long enough for one exchange and a turn before it; a dead node's deliveries are taken over sooner. */
const LEASE_MS = 45_000;
/** Deliveries whose result a caller waits for are due from this time on, before all others. */
const AT_ONCE = 0;

interface LeaseBatch {
  readonly row: WebhookRow;
  readonly leases: readonly Lease[];
  /** Whether there was as much as was asked for, so that there may be more. */
  readonly full: boolean;
}

/**
 * Leases what is due. Subscriptions that may not be posted to are left out.
 * @param begun when this process began to ask, in milliseconds by its own steady clock, for which the leases end
 */
export function* leaseDeliveries(
  deps: Deps,
  requests: readonly LeaseRequest[],
  begun: number,
  now: number,
): Script<LeaseBatch[]> {
  const until = begun + LEASE_MS;
  // Other nodes, whose clocks differ, judge the lease by the database's clock.
  const ends = (yield* databaseTime(deps.store.engine, now)) + LEASE_MS;
  const leased: (LeasedBatch & { readonly row: WebhookRow })[] = [];
  for (const { webhookId, limit } of requests) {
    const row = yield* loadActive(deps, webhookId);
    if (row === undefined || !isServed(deps, row)) continue;
    const held = row.resuming === 1 ? yield* takeHeld(deps, webhookId, ends, limit) : undefined;
    if (held !== undefined) leased.push({ row, ...held });
    else leased.push({ row: { ...row, resuming: 0 }, ...(yield* takeDue(deps, webhookId, now, ends, limit)) });
  }
  // Many deliveries may be of one event.
  const eventIds = new Set(leased.flatMap(({ deliveries }) => deliveries.map(({ event_id: id }) => id)));
  const events = new Map((yield* listBodies([...eventIds])).map((event) => [event.id, event]));
  const taken: LeaseBatch[] = [];
  for (const { row, deliveries, inOrder, full } of leased) {
    const leases: Lease[] = [];
    for (const delivery of deliveries) {
      const { body: kept = '', trace = null } = events.get(delivery.event_id) ?? {};
      const body = yield* bodyOf(deps, row, kept);
      leases.push({ delivery, body, trace, until, inOrder });
    }
    taken.push({ row, full, leases });
  }
  return taken;
}

/** What a subscription is posted of an event. Its owner gets it as it was stored, so that everybody reads the same. */
function* bodyOf(deps: Deps, row: WebhookRow, stored: string): Script<string> {
  const kind = kindOf(deps, row);
  return kind === undefined ? stored : yield* kind.render(deps, row, stored);
}

/** What is due to a subscription of an extension that is off waits until that is on again. */
function isServed(deps: Deps, row: WebhookRow): boolean {
  return (row.task_id === null && row.user_id === null) || kindOf(deps, row) !== undefined;
}

function kindOf({ operations }: Deps, row: WebhookRow): DeliveryKind | undefined {
  return operations.deliveries.find((kind) => kind.isOf(row));
}

interface LeasedBatch {
  readonly deliveries: readonly LeasedRow[];
  /** Whether each is to be posted once the one before has ended. */
  readonly inOrder: boolean;
  readonly full: boolean;
}

function* takeDue(deps: Deps, webhookId: string, now: number, ends: number, limit: number): Script<LeasedBatch> {
  const deliveries = yield* leaseDueDeliveries(webhookId, deps.settings.nodeId, now, ends, limit);
  return { deliveries, inOrder: false, full: deliveries.length === limit };
}

/**
 * What a resumed subscription still holds goes first, from one node at a time: nothing is leased here while another node
 * posts to it.
 * @returns undefined once there is none left
 */
function* takeHeld(deps: Deps, webhookId: string, ends: number, limit: number): Script<LeasedBatch | undefined> {
  const urgent = yield* takeDue(deps, webhookId, AT_ONCE, ends, limit);
  if (urgent.deliveries.length > 0 || (yield* isLeasedElsewhere(webhookId, deps.settings.nodeId))) return urgent;
  const deliveries = yield* leaseHeldDeliveries(webhookId, deps.settings.nodeId, ends, Math.min(limit, HELD_AT_ONCE));
  if (deliveries.length > 0) return { deliveries, inOrder: true, full: true };
  yield* endResuming(webhookId);
  return undefined;
}

/** A subscription that may be posted to; what is left for one that may not is dropped or held. */
function* loadActive(deps: Deps, webhookId: string): Script<WebhookRow | undefined> {
  const row = yield* lockWebhook(deps.store.engine, webhookId);
  if (row?.status === 'ACTIVE') return row;
  yield* row === undefined ? dropOrphans(webhookId) : holdDeliveries(webhookId);
  return undefined;
}

/** Makes deliveries that this node holds due again. */
export function* releaseLeases(deps: Deps, leases: readonly Lease[], now: number): Script<void> {
  for (const { delivery } of leases) yield* releaseDelivery(delivery.id, deps.settings.nodeId, now);
}

/**
 * Where a subscription's deliveries go at this moment, and the secrets that sign them, the current one first: none where the
 * current one cannot be opened, as after a restore with another root key. That stops this endpoint alone.
 */
export function targetOf(deps: Deps, row: WebhookRow, now: number): EndpointTarget {
  const kind = kindOf(deps, row);
  const send = kind === undefined ? signed(deps, row, now) : opened(deps, row.id, () => kind.senderOf(deps, row));
  return { row, send, kind };
}

function signed(deps: Deps, row: WebhookRow, now: number): Send | undefined {
  const open = (sealed: string) =>
    opened(deps, row.id, () => signingKey(deps.sealer.open(sealed, secretContext(row.id))));
  const current = open(row.secret);
  if (current === undefined) return undefined;
  const former = [
    [row.previous_secret, row.previous_until],
    [row.older_secret, row.older_until],
  ] as const;
  const keys = former.flatMap(([sealed, until]) => {
    const key = sealed !== null && until !== null && until > now ? open(sealed) : undefined;
    return key === undefined ? [] : [key];
  });
  return posting(new URL(row.url), ({ id, body }, at) => ({
    headers: signatureHeaders({ id, timestamp: Math.floor(at / 1000), body }, [current, ...keys]),
    body,
  }));
}

function opened<T>(deps: Deps, webhookId: string, open: () => T): T | undefined {
  try {
    return open();
  } catch (error) {
    deps.log.error('webhook.secret', { webhookId, error: String(error) });
    return undefined;
  }
}

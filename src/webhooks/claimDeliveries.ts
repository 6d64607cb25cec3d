/** Claims what is due for the receivers that have room, under a lease that a crash lets lapse. */
import type { Deps } from '../handlers/core/deps.ts';
import { secretContext } from '../handlers/webhooks/manageWebhooks.ts';
import {
  type ClaimedRow,
  claimDeliveries,
  dropDeliveries,
  holdDeliveries,
} from '../store/statements/webhooks/deliveries.ts';
import { findWebhookAnywhere, type WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import { listBodies } from '../store/statements/webhooks/webhookEvents.ts';
import type { Script } from '../store/store.ts';
import { inBatches } from './batches.ts';
import type { Leased } from './endpointHealth.ts';
import { type SigningKey, signingKey } from './signature.ts';

/** Long enough for one exchange and a turn before it; a dead node's deliveries are taken over sooner. */
const LEASE_MS = 45_000;

interface Wanted {
  readonly webhookId: string;
  readonly limit: number;
}

export interface Claimed {
  readonly webhookId: string;
  /** Undefined where the subscription is gone or disabled. */
  readonly row: WebhookRow | undefined;
  readonly leased: readonly Leased[];
  /** Whether there was as much as was asked for, so that there may be more. */
  readonly full: boolean;
}

export function* claimAll(deps: Deps, wanted: readonly Wanted[]): Script<Claimed[]> {
  const now = deps.clock();
  const until = now + LEASE_MS;
  const claimed: { webhookId: string; row: WebhookRow | undefined; deliveries: ClaimedRow[]; full: boolean }[] = [];
  for (const { webhookId, limit } of wanted) {
    const row = yield* openSubscription(webhookId);
    const deliveries = row === undefined ? [] : yield* claimDeliveries(webhookId, deps.nodeId, now, until, limit);
    claimed.push({ webhookId, row, deliveries, full: deliveries.length === limit });
  }
  const bodies = yield* loadBodies(claimed.flatMap(({ deliveries }) => deliveries));
  return claimed.map(({ deliveries, ...rest }) => ({
    ...rest,
    leased: deliveries.map((delivery) => ({ delivery, body: bodies.get(delivery.event_id) ?? '', until })),
  }));
}

/** A subscription that may be posted to; what is left for one that may not is dropped or held. */
function* openSubscription(webhookId: string): Script<WebhookRow | undefined> {
  const row = yield* findWebhookAnywhere(webhookId);
  if (row?.status === 'ACTIVE') return row;
  yield* row === undefined ? dropDeliveries(webhookId) : holdDeliveries(webhookId);
  return undefined;
}

/** The bodies of events by their ids; many deliveries may be of one event. */
function* loadBodies(deliveries: readonly ClaimedRow[]): Script<Map<string, string>> {
  const bodies = new Map<string, string>();
  for (const ids of inBatches([...new Set(deliveries.map(({ event_id: id }) => id))])) {
    for (const { id, body } of yield* listBodies(ids)) bodies.set(id, body);
  }
  return bodies;
}

/** The secrets that sign for a subscription at this moment, the current one first. */
export function keysOf(deps: Deps, row: WebhookRow, now: number): [SigningKey, ...SigningKey[]] {
  const open = (sealed: string) => signingKey(deps.sealer.open(sealed, secretContext(row.id)));
  const { previous_secret: former, previous_until: until } = row;
  const holds = former !== null && until !== null && until > now;
  return holds ? [open(row.secret), open(former)] : [open(row.secret)];
}

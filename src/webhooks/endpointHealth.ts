/** What a node knows of one endpoint: how it has been doing, and so how much may go to it at once. */
import type { LeasedRow } from '../store/statements/webhooks/deliveries.ts';
import type { WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import type { DeliveryKind, Send } from '../usecase/deliveryKind.ts';

/** A delivery that this node holds until `until`. */
export interface Lease {
  readonly delivery: LeasedRow;
  /** The JSON text that is signed and posted. */
  readonly body: string;
  /** The trace that its event belongs to, as the headers that name it in JSON. */
  readonly trace: string | null;
  /** Milliseconds by this process's steady clock (`performance.now`). */
  readonly until: number;
  /** Whether it begins only when nothing is under way to its endpoint, and nothing begins beside it. */
  readonly inOrder: boolean;
}

/** Where a subscription's deliveries go, as it was when some were last leased. */
export interface EndpointTarget {
  readonly row: WebhookRow;
  /** Sends one event; undefined where the secret cannot be read, so that nothing can be signed. */
  readonly send: Send | undefined;
  /** Undefined for a webhook of an owner. */
  readonly kind: DeliveryKind | undefined;
}

export interface Endpoint {
  /** The subscription's id. */
  readonly id: string;
  target: EndpointTarget;
  /** False after a failure or a slow answer, until a post succeeds in time. */
  healthy: boolean;
  /** True once it has answered fast, so that more of its deliveries are leased ahead. */
  fast: boolean;
  /** How many deliveries to lease at once; grows while there are as many. */
  batch: number;
  /** Leased, and not begun. */
  readonly waiting: Lease[];
  /** Posts under way. */
  posting: number;
  /** Whether what is under way is a delivery that others must not overtake. */
  inOrder: boolean;
}

/** Posts to one endpoint at the same time. */
const SLOTS = { healthy: 16, unhealthy: 2 } as const;
/** What is leased at once for an endpoint nothing is known of. */
export const FIRST_BATCH = 16;
/** What was held in a pause is posted one after the other, so that few get their turn within a lease. */
export const HELD_AT_ONCE = 4;
/** Deliveries leased ahead for an endpoint that answers fast. */
const MOST_LEASED = 1024;
const FAST_MS = 250;
const SLOW_MS = 5000;

function slotsOf(endpoint: Endpoint): number {
  return endpoint.healthy ? SLOTS.healthy : SLOTS.unhealthy;
}

/** Whether the first that waits may begin, as far as its endpoint goes. */
export function mayBegin(endpoint: Endpoint): boolean {
  const [next] = endpoint.waiting;
  if (next === undefined) return false;
  if (next.inOrder || endpoint.inOrder) return endpoint.posting === 0;
  return endpoint.posting < slotsOf(endpoint);
}

/** How many more deliveries to lease for it now; 0 until there is room for a good number at once. */
export function roomOf(endpoint: Endpoint): number {
  const leased = endpoint.waiting.length + endpoint.posting;
  if (endpoint.target.row.resuming === 1) return Math.max(0, HELD_AT_ONCE - leased);
  if (!endpoint.healthy || !endpoint.fast) return Math.max(0, slotsOf(endpoint) - leased);
  const room = MOST_LEASED - leased;
  return room >= MOST_LEASED / 2 ? Math.min(room, endpoint.batch) : 0;
}

/** @param full whether there was as much to lease as was asked for */
export function adjustBatch(endpoint: Endpoint, full: boolean): void {
  endpoint.batch = full ? Math.min(MOST_LEASED, endpoint.batch * 4) : FIRST_BATCH;
}

/** Judges an endpoint's health by its last exchange. */
export function judgeHealth(endpoint: Endpoint, ok: boolean, durationMs: number): void {
  endpoint.healthy = ok && durationMs < SLOW_MS;
  endpoint.fast = ok && durationMs < FAST_MS;
}

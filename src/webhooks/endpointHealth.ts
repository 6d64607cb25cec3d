/** What a worker knows of one receiver: how it has been doing, and how much may go to it at once. */
import type { ClaimedRow } from '../store/statements/webhooks/deliveries.ts';
import type { WebhookRow } from '../store/statements/webhooks/subscriptions.ts';
import type { SigningKey } from './signature.ts';

/** A delivery this node holds until `until`. */
export interface Leased {
  readonly delivery: ClaimedRow;
  /** The JSON text that is signed and posted. */
  readonly body: string;
  readonly until: number;
}

export interface Endpoint {
  readonly id: string;
  /** As it was when something was last claimed. */
  row: WebhookRow;
  url: URL;
  keys: readonly [SigningKey, ...SigningKey[]];
  /** False after a failure or a slow answer, until it does well again. */
  healthy: boolean;
  /** True once it has answered fast, so that it is worth having the next deliveries at hand. */
  fast: boolean;
  /** How many deliveries are claimed at once: more each time that there were as many. */
  stride: number;
  readonly waiting: Leased[];
  inFlight: number;
}

/** Posts to one receiver at the same time: to one that does well, and to one that does not. */
const SLOTS = { healthy: 16, sick: 2 } as const;
/** What is claimed at once for a receiver nothing is known of. */
export const STRIDE = 16;
/** Deliveries held for a receiver that answers fast. */
const AT_HAND = 1024;
const FAST_MS = 250;
const SLOW_MS = 5000;

export function slotsOf(endpoint: Endpoint): number {
  return endpoint.healthy ? SLOTS.healthy : SLOTS.sick;
}

/** How many deliveries to claim for it now; 0 until there is room for a good number at once. */
export function wantedOf(endpoint: Endpoint): number {
  const held = endpoint.waiting.length + endpoint.inFlight;
  if (!endpoint.healthy || !endpoint.fast) return Math.max(0, slotsOf(endpoint) - held);
  const room = AT_HAND - held;
  return room >= AT_HAND / 2 ? Math.min(room, endpoint.stride) : 0;
}

/** Takes note of how much there was to claim. @param full whether there was as much as was asked for */
export function pace(endpoint: Endpoint, full: boolean): void {
  endpoint.stride = full ? Math.min(AT_HAND, endpoint.stride * 4) : STRIDE;
}

/** Takes note of how an exchange went. */
export function judge(endpoint: Endpoint, ok: boolean, durationMs: number): void {
  endpoint.healthy = ok && durationMs < SLOW_MS;
  endpoint.fast = ok && durationMs < FAST_MS;
}

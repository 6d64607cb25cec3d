/** The scheduler: for which endpoints to lease deliveries, and which posts may begin. */
import {
  adjustBatch,
  type Endpoint,
  type EndpointTarget,
  FIRST_BATCH,
  type Lease,
  mayBegin,
  roomOf,
} from './endpointHealth.ts';

/** Posts to all endpoints at the same time; unhealthy ones get half of the slots at most. */
const ALL_SLOTS = 512;
/** Deliveries a node leases at the same time. */
const MOST_LEASED = 8192;
/** Endpoints that deliveries are leased for in one commit. */
const ENDPOINTS_A_COMMIT = 256;
/** Endpoints remembered though there is nothing to do for them. */
const REMEMBERED = 2000;

/** How many deliveries to lease for a subscription. */
export interface LeaseRequest {
  readonly webhookId: string;
  readonly limit: number;
}

export class DeliveryScheduler {
  readonly #endpoints = new Map<string, Endpoint>();
  /** Subscriptions that may have something due, the longest waiting first. */
  readonly #due = new Set<string>();
  /** Endpoints that would post and found no slot free. */
  readonly #blocked = new Set<Endpoint>();
  #posting = 0;
  #postingToUnhealthy = 0;
  /** Leased deliveries, under way or not. */
  #leased = 0;

  /** Posts under way. */
  get posting(): number {
    return this.#posting;
  }

  /** Notes that there may be something due at this subscription. */
  markDue(webhookId: string): void {
    this.#due.add(webhookId);
  }

  /** Whether there is a subscription with something due whose endpoint has room. */
  hasDue(): boolean {
    if (this.#leased >= MOST_LEASED) return false;
    for (const webhookId of this.#due) if (this.#roomOf(webhookId) > 0) return true;
    return false;
  }

  /** What to lease now. The subscriptions count as due no longer, so that what becomes due meanwhile is noted anew. */
  takeDue(): LeaseRequest[] {
    const requests: LeaseRequest[] = [];
    let room = MOST_LEASED - this.#leased;
    for (const webhookId of this.#due) {
      if (requests.length >= ENDPOINTS_A_COMMIT || room <= 0) break;
      const limit = Math.min(room, this.#roomOf(webhookId));
      if (limit <= 0) continue;
      this.#due.delete(webhookId);
      requests.push({ webhookId, limit });
      room -= limit;
    }
    return requests;
  }

  #roomOf(webhookId: string): number {
    const known = this.#endpoints.get(webhookId);
    return known === undefined ? FIRST_BATCH : roomOf(known);
  }

  /** Adds what was leased. @param full whether there was as much as was asked for, so that there may be more */
  add(webhookId: string, target: EndpointTarget, leases: readonly Lease[], full: boolean): void {
    if (full) this.markDue(webhookId);
    const endpoint = this.#endpoints.get(webhookId) ?? this.#remember(webhookId, target);
    endpoint.target = target;
    adjustBatch(endpoint, full);
    endpoint.waiting.push(...leases);
    this.#leased += leases.length;
  }

  /** Lets posts of all endpoints begin, as far as there are slots. */
  beginPosts(begin: (endpoint: Endpoint, lease: Lease) => void): void {
    for (const endpoint of this.#endpoints.values()) this.#beginPostsTo(endpoint, begin);
  }

  #beginPostsTo(endpoint: Endpoint, begin: (endpoint: Endpoint, lease: Lease) => void): void {
    while (mayBegin(endpoint)) {
      if (!this.#hasSlotFor(endpoint)) {
        this.#blocked.add(endpoint);
        return;
      }
      this.#count(endpoint, 1);
      const lease = endpoint.waiting.shift() as Lease;
      endpoint.inOrder = lease.inOrder;
      begin(endpoint, lease);
    }
  }

  #hasSlotFor(endpoint: Endpoint): boolean {
    return this.#posting < ALL_SLOTS && (endpoint.healthy || this.#postingToUnhealthy < ALL_SLOTS / 2);
  }

  /** Ends a post. @param judge judges the endpoint's health; the count of posts to unhealthy ones follows it */
  endPost(endpoint: Endpoint, judge: () => void): void {
    this.#count(endpoint, -1);
    this.#leased -= 1;
    const before = endpoint.healthy ? 0 : endpoint.posting;
    judge();
    this.#postingToUnhealthy += (endpoint.healthy ? 0 : endpoint.posting) - before;
  }

  /** Gives the slot that a post to this endpoint has left to the next posts. */
  beginNext(endpoint: Endpoint, begin: (endpoint: Endpoint, lease: Lease) => void): void {
    const next = [endpoint, ...this.#blocked];
    this.#blocked.clear();
    for (const each of next) this.#beginPostsTo(each, begin);
  }

  /** Takes out everything that was leased and not begun. */
  takeWaiting(): Lease[] {
    const leases = [...this.#endpoints.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.#leased -= leases.length;
    return leases;
  }

  #count(endpoint: Endpoint, change: 1 | -1): void {
    endpoint.posting += change;
    this.#posting += change;
    if (!endpoint.healthy) this.#postingToUnhealthy += change;
  }

  #remember(id: string, target: EndpointTarget): Endpoint {
    if (this.#endpoints.size >= REMEMBERED) this.#forgetIdle();
    const endpoint: Endpoint = {
      id,
      target,
      healthy: true,
      fast: false,
      batch: FIRST_BATCH,
      waiting: [],
      posting: 0,
      inOrder: false,
    };
    this.#endpoints.set(id, endpoint);
    return endpoint;
  }

  #forgetIdle(): void {
    for (const [id, { waiting, posting }] of this.#endpoints) {
      if (waiting.length === 0 && posting === 0) this.#endpoints.delete(id);
    }
  }
}

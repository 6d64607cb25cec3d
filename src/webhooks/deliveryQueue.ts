/** The receivers a worker has to do with: who has room for more, and which posts may begin. */
import { type Endpoint, type Leased, pace, STRIDE, slotsOf, wantedOf } from './endpointHealth.ts';

/** Posts at the same time to everybody; receivers that do badly get half of it at most. */
const ALL_SLOTS = 512;
/** Deliveries a node holds at the same time. */
const MAX_HELD = 8192;
/** Receivers something is claimed for in one commit. */
const CLAIMS = 256;
/** Receivers remembered though there is nothing to do for them. */
const REMEMBERED = 2000;

export class Lineup {
  readonly #endpoints = new Map<string, Endpoint>();
  /** Those to claim for, the longest waiting first. */
  readonly #hot = new Set<string>();
  readonly #blocked = new Set<Endpoint>();
  #inFlight = 0;
  #sickInFlight = 0;
  #held = 0;

  get inFlight(): number {
    return this.#inFlight;
  }

  /** There may be something due for this receiver. */
  heat(webhookId: string): void {
    this.#hot.add(webhookId);
  }

  /** Whether there is somebody to claim for who has room. */
  get wanting(): boolean {
    if (this.#held >= MAX_HELD) return false;
    for (const webhookId of this.#hot) if (this.#roomOf(webhookId) > 0) return true;
    return false;
  }

  /** For whom to claim how much now. They are no longer hot then, so that a bell that rings meanwhile counts anew. */
  wanted(): { readonly webhookId: string; readonly limit: number }[] {
    const wanted: { webhookId: string; limit: number }[] = [];
    let room = MAX_HELD - this.#held;
    for (const webhookId of this.#hot) {
      if (wanted.length >= CLAIMS || room <= 0) break;
      const limit = Math.min(room, this.#roomOf(webhookId));
      if (limit <= 0) continue;
      this.#hot.delete(webhookId);
      wanted.push({ webhookId, limit });
      room -= limit;
    }
    return wanted;
  }

  #roomOf(webhookId: string): number {
    const known = this.#endpoints.get(webhookId);
    return known === undefined ? STRIDE : wantedOf(known);
  }

  /** Takes in what was claimed. @param full whether there was as much as was asked for, so that there may be more */
  take(
    webhookId: string,
    fresh: Pick<Endpoint, 'row' | 'url' | 'keys'> | undefined,
    leased: readonly Leased[],
    full: boolean,
  ) {
    if (full) this.#hot.add(webhookId);
    if (fresh === undefined) return;
    const endpoint = this.#endpoints.get(webhookId) ?? this.#meet(webhookId, fresh);
    endpoint.row = fresh.row;
    endpoint.url = fresh.url;
    endpoint.keys = fresh.keys;
    pace(endpoint, full);
    endpoint.waiting.push(...leased);
    this.#held += leased.length;
  }

  /** Lets posts of one receiver begin, as far as there are slots. */
  begin(endpoint: Endpoint, start: (leased: Leased) => void): void {
    while (endpoint.waiting.length > 0 && endpoint.inFlight < slotsOf(endpoint)) {
      const full = this.#inFlight >= ALL_SLOTS || (!endpoint.healthy && this.#sickInFlight >= ALL_SLOTS / 2);
      if (full) {
        this.#blocked.add(endpoint);
        return;
      }
      this.#count(endpoint, 1);
      start(endpoint.waiting.shift() as Leased);
    }
  }

  beginAll(start: (endpoint: Endpoint, leased: Leased) => void): void {
    for (const endpoint of this.#endpoints.values()) this.begin(endpoint, (leased) => start(endpoint, leased));
  }

  /** A post has ended; its receiver's state is judged in between, so that both counts fit. */
  end(endpoint: Endpoint, judge: () => void): Endpoint[] {
    this.#count(endpoint, -1);
    this.#held -= 1;
    const sickBefore = endpoint.healthy ? 0 : endpoint.inFlight;
    judge();
    this.#sickInFlight += (endpoint.healthy ? 0 : endpoint.inFlight) - sickBefore;
    const next = [endpoint, ...this.#blocked];
    this.#blocked.clear();
    return next;
  }

  /** Everything that was claimed and not begun, to be given back. */
  empty(): Leased[] {
    const given = [...this.#endpoints.values()].flatMap(({ waiting }) => waiting.splice(0));
    this.#held -= given.length;
    return given;
  }

  #count(endpoint: Endpoint, change: 1 | -1): void {
    endpoint.inFlight += change;
    this.#inFlight += change;
    if (!endpoint.healthy) this.#sickInFlight += change;
  }

  #meet(id: string, fresh: Pick<Endpoint, 'row' | 'url' | 'keys'>): Endpoint {
    if (this.#endpoints.size >= REMEMBERED) this.#forgetIdle();
    const endpoint: Endpoint = {
      id,
      ...fresh,
      healthy: true,
      fast: false,
      stride: STRIDE,
      waiting: [],
      inFlight: 0,
    };
    this.#endpoints.set(id, endpoint);
    return endpoint;
  }

  #forgetIdle(): void {
    for (const [id, { waiting, inFlight }] of this.#endpoints) {
      if (waiting.length === 0 && inFlight === 0) this.#endpoints.delete(id);
    }
  }
}

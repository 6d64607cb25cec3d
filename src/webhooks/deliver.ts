/**
 * Delivers webhook events. A loop finds what is due, leases it, posts it outside any transaction, and records how that
 * went together with the next leases, many in one commit. What it waits for itself it measures by `performance.now`, since
 * the clock may be set; the clock's times are for what is stored and signed.
 */

import type { SafeClient } from '../fetch/safeClient.ts';
import { databaseTime } from '../store/statements/node/nodes.ts';
import { hasLostLeases, listQueues, releaseLostLeases } from '../store/statements/webhooks/deliveries.ts';
import type { Outcome } from '../usecase/deliveryKind.ts';
import type { Deps } from '../usecase/deps.ts';
import { DeliveryScheduler, type LeaseRequest } from './deliveryScheduler.ts';
import { type Endpoint, judgeHealth, type Lease } from './endpointHealth.ts';
import { leaseDeliveries, releaseLeases, targetOf } from './leaseDeliveries.ts';
import { EXCHANGE, UNSIGNABLE } from './postEvent.ts';
import { endsOf, recordAttempts } from './recordAttempts.ts';
import { tracePost } from './tracePost.ts';
import { AttemptBuffer, type Outcomes } from './unrecorded.ts';
import { WakeableSleep } from './wakeableSleep.ts';

/** Under this name all nodes lease and record one after the other, so that no delivery is leased twice. */
const DELIVERIES = 'webhook outbox';
/** Other nodes' events are found by looking. */
const POLL_MS = 1000;
/** How often lost leases are looked for. */
const SWEEP_MS = 2000;
/** When to look for an event again: on PostgreSQL its commit may still be under way when it is announced. */
const LOOK_AGAIN_MS = [20, 200] as const;
/** How far apart commits are at least. */
const COMMIT_EVERY_MS = 20;
const PAUSE_AFTER_FAILURE_MS = 500;
/** What is being posted may take this long when the node is asked to stop. */
const STOP_MS = 8000;

export interface Deliverer {
  /** Begins nothing new, lets posts under way end, gives the rest back. */
  stop(): Promise<void>;
}

/** @param deadAfterMs a node that was not seen for so long is gone, and what it had leased is taken over */
export function deliver(deps: Deps, client: SafeClient, deadAfterMs: number): Deliverer {
  const worker = new DeliveryWorker(deps, client, deadAfterMs);
  const ended = worker.run();
  return { stop: () => worker.stop(ended) };
}

class DeliveryWorker {
  readonly #deps: Deps;
  readonly #client: SafeClient;
  readonly #deadAfterMs: number;
  readonly #scheduler = new DeliveryScheduler();
  readonly #unrecorded = new AttemptBuffer();
  readonly #pause = new WakeableSleep();
  readonly #posting = new Set<Lease>();
  readonly #timers = new Set<NodeJS.Timeout>();
  #stopping = false;
  /** Stopping has taken too long: posts under way are waited for no more. */
  #abandoned = false;
  #lastCommitAt = 0;
  #nextPollAt = 0;
  #nextSweepAt = 0;

  constructor(deps: Deps, client: SafeClient, deadAfterMs: number) {
    this.#deps = deps;
    this.#client = client;
    this.#deadAfterMs = deadAfterMs;
    deps.wake.deliveries.onWake((webhookId) => {
      this.#markDue(webhookId);
      if (deps.store.engine === 'sqlite') return;
      for (const delay of LOOK_AGAIN_MS) this.#later(delay, () => this.#markDue(webhookId));
    });
  }

  async run(): Promise<void> {
    while (!this.#abandoned && (!this.#stopping || this.#scheduler.posting > 0 || this.#unrecorded.hasAttempts)) {
      await this.#round().catch(async (error: unknown) => {
        this.#deps.log.error('worker.failed', { name: 'webhooks', error: String(error) });
        await this.#pause.sleep(PAUSE_AFTER_FAILURE_MS, false);
      });
    }
  }

  async stop(ended: Promise<void>): Promise<void> {
    this.#stopping = true;
    for (const timer of this.#timers) clearTimeout(timer);
    this.#pause.interrupt();
    const limit = setTimeout(() => {
      this.#abandoned = true;
      this.#pause.interrupt();
    }, STOP_MS);
    await this.#giveBack(this.#scheduler.takeWaiting());
    await ended;
    clearTimeout(limit);
    // Whether those under way arrived is not known, so that they will be posted again.
    await this.#giveBack([...this.#scheduler.takeWaiting(), ...this.#unrecorded.take().released, ...this.#posting]);
    for (const kind of this.#deps.operations.deliveries) kind.close?.();
    await this.#client.close();
  }

  #markDue(webhookId: string): void {
    this.#scheduler.markDue(webhookId);
    this.#pause.wake();
  }

  #later(delayMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      act();
    }, delayMs);
    this.#timers.add(timer);
  }

  async #round(): Promise<void> {
    const now = performance.now();
    if (!this.#stopping) await this.#findDue(now);
    const leasing = !this.#stopping && this.#scheduler.hasDue();
    if (!leasing && !this.#mustRecord(now)) {
      const next = Math.min(this.#nextPollAt, this.#nextSweepAt, this.#unrecorded.dueAt) - now;
      await this.#pause.sleep(this.#stopping ? COMMIT_EVERY_MS : next, true);
      return;
    }
    // Commits cost more than a moment: what ends or falls due meanwhile shares the next one.
    const rest = this.#lastCommitAt + COMMIT_EVERY_MS - now;
    if (rest > 0 && !this.#unrecorded.areMany && !this.#stopping) {
      await this.#pause.sleep(Math.min(rest, COMMIT_EVERY_MS), false);
      return;
    }
    this.#lastCommitAt = now;
    const outcomes = this.#unrecorded.take();
    await this.#commit(outcomes, this.#stopping ? [] : this.#scheduler.takeDue(), now);
  }

  /** Looks for lost leases and for subscriptions with something due, each in its rhythm. @param now by the steady clock */
  async #findDue(now: number): Promise<void> {
    if (now >= this.#nextSweepAt) {
      this.#nextSweepAt = now + SWEEP_MS;
      await this.#releaseLost();
    }
    if (this.#stopping || now < this.#nextPollAt) return;
    let next = now + POLL_MS;
    for (const { webhook_id: webhookId, due_at: dueAt } of await this.#deps.store.read(listQueues)) {
      const wait = dueAt - this.#deps.clock();
      if (wait <= 0) this.#scheduler.markDue(webhookId);
      else next = Math.min(next, now + wait);
    }
    this.#nextPollAt = next;
  }

  async #releaseLost(): Promise<void> {
    const {
      store,
      settings: { nodeId },
    } = this.#deps;
    const deadAfterMs = this.#deadAfterMs;
    const isLost = await store.read(function* (at) {
      const now = yield* databaseTime(store.engine, at);
      return yield* hasLostLeases(nodeId, now, now - deadAfterMs);
    });
    if (!isLost) return;
    await store.write(DELIVERIES, function* (at) {
      const now = yield* databaseTime(store.engine, at);
      yield* releaseLostLeases(nodeId, at, now, now - deadAfterMs);
    });
    this.#nextPollAt = 0;
  }

  /** Whether outcomes are to be recorded now, with leases to write beside them or without. */
  #mustRecord(now: number): boolean {
    if (this.#unrecorded.count === 0) return false;
    if (this.#stopping || this.#scheduler.posting === 0) return true;
    return this.#unrecorded.areMany || now >= this.#unrecorded.dueAt;
  }

  /** Records outcomes and takes new leases in one commit, then lets the posts begin. */
  async #commit(outcomes: Outcomes, requests: readonly LeaseRequest[], startedAt: number): Promise<void> {
    const deps = this.#deps;
    const script = function* (now: number) {
      const dueAt = yield* recordAttempts(deps, outcomes.attempts);
      yield* releaseLeases(deps, outcomes.released, now);
      return { dueAt, leased: yield* leaseDeliveries(deps, requests, startedAt, now) };
    };
    const { dueAt, leased } = await deps.store.write(DELIVERIES, script).catch((error: unknown) => {
      this.#unrecorded.putBack(outcomes, startedAt);
      for (const { webhookId } of requests) this.#scheduler.markDue(webhookId);
      throw error;
    });
    this.#nextPollAt = Math.min(this.#nextPollAt, performance.now() + dueAt - deps.clock());
    for (const { row, kind, end } of endsOf(outcomes.attempts)) await kind?.onEnd?.(deps, row, end);
    for (const { row, leases, full } of leased) {
      this.#scheduler.add(row.id, targetOf(deps, row, deps.clock()), leases, full);
    }
    if (!this.#stopping) this.#scheduler.beginPosts((endpoint, lease) => this.#begin(endpoint, lease));
  }

  #begin(endpoint: Endpoint, lease: Lease): void {
    this.#posting.add(lease);
    const { send } = endpoint.target;
    // What would outlast its lease is left to the node that leases it next.
    const outlasts = lease.until - performance.now() < EXCHANGE.timeoutMs;
    const signedAt = this.#deps.clock();
    const { event_id: id } = lease.delivery;
    const outcome = outlasts
      ? undefined
      : send === undefined
        ? UNSIGNABLE
        : tracePost(this.#deps.tracing, lease, (headers) =>
            send(this.#client, { id, body: lease.body, headers }, signedAt),
          );
    void Promise.resolve(outcome).then((known) => this.#end(endpoint, lease, known));
  }

  /** @param outcome undefined where nothing was posted */
  #end(endpoint: Endpoint, lease: Lease, outcome: Outcome | undefined): void {
    this.#posting.delete(lease);
    this.#scheduler.endPost(endpoint, () => {
      if (outcome !== undefined) judgeHealth(endpoint, outcome.ok, outcome.durationMs);
    });
    if (this.#abandoned) return;
    const now = performance.now();
    if (outcome === undefined) {
      this.#unrecorded.addRelease(lease, now);
    } else {
      this.#unrecorded.addAttempt({ endpoint, lease, outcome, endedAt: this.#deps.clock() }, now);
      this.#deps.metrics.delivery(outcome.error ?? 'delivered');
    }
    if (!this.#stopping) this.#scheduler.beginNext(endpoint, (each, waiting) => this.#begin(each, waiting));
    if (this.#unrecorded.areMany) this.#pause.interrupt();
    // Woken by the first of them, the loop finds out itself how long to wait for more.
    else if (this.#unrecorded.count === 1 || this.#scheduler.posting === 0) this.#pause.wake();
  }

  async #giveBack(leases: readonly Lease[]): Promise<void> {
    if (leases.length > 0) await this.#deps.store.write(DELIVERIES, (now) => releaseLeases(this.#deps, leases, now));
  }
}

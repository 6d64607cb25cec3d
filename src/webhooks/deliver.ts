/**
 * Delivers what is in the outbox. Deliveries are claimed under a lease, posted outside any transaction, and their
 * outcomes written down together with the next claims, many in one commit.
 */

import type { SafeClient } from '../fetch/safeClient.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { disableWebhook } from '../handlers/webhooks/changeWebhook.ts';
import {
  hasLostLeases,
  listQueues,
  releaseDelivery,
  releaseLostLeases,
} from '../store/statements/webhooks/deliveries.ts';
import type { Script } from '../store/store.ts';
import { type Claimed, claimAll, keysOf } from './claimDeliveries.ts';
import { Lineup } from './deliveryQueue.ts';
import { type Endpoint, judge, type Leased } from './endpointHealth.ts';
import { EXCHANGE, type Outcome, post } from './postEvent.ts';
import { type Finished, recordFinished } from './recordAttempt.ts';

/** All nodes' claims and outcomes form one line, so that no delivery is claimed twice. */
const OUTBOX = 'webhook outbox';
/** Other nodes' events are found by looking. */
const POLL_MS = 1000;
const SWEEP_MS = 2000;
/** After a bell, when to look again: on PostgreSQL the commit it rang in may still be under way. */
const LOOK_AGAIN_MS = [20, 200] as const;
/** How far apart commits are at least. */
const GATHER_MS = 20;
/** How long outcomes wait for a commit to go with, and how many at most. */
const RECORD_MS = 40;
const MAX_GATHERED = 1024;
const PAUSE_AFTER_FAILURE_MS = 500;
/** A receiver that nothing reached for so long is disabled. */
const GIVE_UP_MS = 5 * 24 * 3600 * 1000;
/** What is being posted may take this long when the node is asked to stop. */
const STOP_MS = 8000;

export interface Deliverer {
  /** Begins nothing new, lets posts under way end, gives the rest back. */
  stop(): Promise<void>;
}

/** @param deadAfterMs a node that was not seen for so long is gone, and what it held is taken over */
export function deliver(deps: Deps, client: SafeClient, deadAfterMs: number): Deliverer {
  const lineup = new Lineup();
  const underWay = new Set<Leased>();
  let finished: Finished[] = [];
  let stopped = false;
  let abandoned = false;
  let dropped: Leased[] = [];
  let wake = () => {};
  let urge = () => {};
  /** When the first of the outcomes came that are not written down yet. */
  let oldest = Number.POSITIVE_INFINITY;
  let lastCommit = 0;
  let nextPoll = 0;
  let nextSweep = 0;
  const timers = new Set<NodeJS.Timeout>();

  deps.outbox.onWake((webhookId) => {
    heat(webhookId);
    if (deps.store.engine === 'sqlite') return;
    for (const delay of LOOK_AGAIN_MS) later(delay, () => heat(webhookId));
  });

  function heat(webhookId: string): void {
    lineup.heat(webhookId);
    wake();
  }

  function later(delayMs: number, act: () => void): void {
    const timer = setTimeout(() => {
      timers.delete(timer);
      act();
    }, delayMs);
    timers.add(timer);
  }

  /** @param wakes whether anything that is due ends it, or only outcomes that cannot wait */
  function sleep(mostMs: number, wakes: boolean): Promise<void> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, Math.max(0, mostMs));
      urge = () => {
        clearTimeout(timer);
        resolve();
      };
      wake = wakes ? urge : () => {};
    });
  }

  async function round(): Promise<void> {
    const now = deps.clock();
    if (!stopped && now >= nextSweep) {
      nextSweep = now + SWEEP_MS;
      await sweep(now);
    }
    if (!stopped && now >= nextPoll) nextPoll = await poll(now);
    if (!(lineup.wanting && !stopped) && !recordsDue(now)) {
      await sleep(stopped ? GATHER_MS : Math.min(nextPoll, nextSweep, oldest + RECORD_MS) - now, true);
      return;
    }
    // Commits cost more than a moment: what ends or falls due meanwhile shares the next one.
    const rest = lastCommit + GATHER_MS - now;
    if (rest > 0 && finished.length < MAX_GATHERED && !stopped) {
      await sleep(Math.min(rest, GATHER_MS), false);
      return;
    }
    lastCommit = now;
    const wanted = stopped ? [] : lineup.wanted();
    const batch = finished;
    const released = dropped;
    finished = [];
    dropped = [];
    oldest = Number.POSITIVE_INFINITY;
    const { dueAt, claimed } = await deps.store
      .write(OUTBOX, function* () {
        const dueAt = yield* recordFinished(deps, batch);
        yield* release(released);
        return { dueAt, claimed: yield* claimAll(deps, wanted) };
      })
      .catch((error: unknown) => {
        finished = [...batch, ...finished];
        dropped = [...released, ...dropped];
        oldest = now;
        for (const { webhookId } of wanted) lineup.heat(webhookId);
        throw error;
      });
    nextPoll = Math.min(nextPoll, dueAt);
    for (const each of claimed) takeIn(each);
    if (!stopped) lineup.beginAll(start);
    await giveUpOn(batch);
  }

  /** Whether outcomes are to be written down, with something else to write or without. */
  function recordsDue(now: number): boolean {
    if (finished.length === 0 && dropped.length === 0) return false;
    return stopped || lineup.inFlight === 0 || finished.length >= MAX_GATHERED || now >= oldest + RECORD_MS;
  }

  /** Finds receivers with something due. @returns when to look again */
  async function poll(now: number): Promise<number> {
    let next = now + POLL_MS;
    for (const { webhook_id: webhookId, due_at: dueAt } of await deps.store.read(listQueues)) {
      if (dueAt <= now) lineup.heat(webhookId);
      else next = Math.min(next, dueAt);
    }
    return next;
  }

  async function sweep(now: number): Promise<void> {
    const deadBefore = now - deadAfterMs;
    if (!(await deps.store.read(() => hasLostLeases(now, deadBefore)))) return;
    await deps.store.write(OUTBOX, () => releaseLostLeases(now, deadBefore));
    nextPoll = 0;
  }

  function takeIn({ webhookId, row, leased, full }: Claimed): void {
    const fresh = row === undefined ? undefined : { row, url: new URL(row.url), keys: keysOf(deps, row, deps.clock()) };
    lineup.take(webhookId, fresh, leased, full);
  }

  function start(endpoint: Endpoint, leased: Leased): void {
    underWay.add(leased);
    const now = deps.clock();
    // Whose lease would end in the middle is left to whoever claims it next.
    const outcome =
      leased.until - now < EXCHANGE.timeoutMs
        ? Promise.resolve(undefined)
        : post(client, endpoint.url, { id: leased.delivery.event_id, body: leased.body }, endpoint.keys, now);
    void outcome.then((known) => end(endpoint, leased, known));
  }

  function end(endpoint: Endpoint, leased: Leased, outcome: Outcome | undefined): void {
    underWay.delete(leased);
    const next = lineup.end(endpoint, () => {
      if (outcome !== undefined) judge(endpoint, outcome.ok, outcome.durationMs);
    });
    if (abandoned) return;
    if (outcome === undefined) {
      dropped.push(leased);
    } else {
      finished.push({ endpoint, leased, outcome, endedAt: deps.clock() });
      deps.metrics.delivery(outcome.error ?? 'delivered');
    }
    if (!stopped) for (const each of next) lineup.begin(each, (waiting) => start(each, waiting));
    oldest = Math.min(oldest, deps.clock());
    if (finished.length >= MAX_GATHERED) urge();
    // Woken so, the loop finds out itself how long to wait for more.
    else if (finished.length + dropped.length === 1 || lineup.inFlight === 0) wake();
  }

  /** Disables receivers that said they are gone, and those nothing has reached for days. */
  async function giveUpOn(batch: readonly Finished[]): Promise<void> {
    for (const endpoint of new Set(batch.filter(({ outcome }) => !outcome.ok).map((one) => one.endpoint))) {
      const own = batch.filter((one) => one.endpoint === endpoint);
      const gone = own.some(({ outcome }) => outcome.status === 410);
      const since = endpoint.row.failing_since;
      const failing = since !== null && !own.some(({ outcome }) => outcome.ok) && deps.clock() - since >= GIVE_UP_MS;
      if (!gone && !failing) continue;
      const { tenant_id: tenantId } = endpoint.row;
      const reason = gone ? 'gone' : 'failing';
      const done = await deps.store.write(tenantId, () =>
        disableWebhook(deps, tenantId, endpoint.id, reason, deps.clock()),
      );
      if (done) deps.log.warn('webhook.disabled', { webhookId: endpoint.id, tenantId, reason });
    }
  }

  function* release(leases: readonly Leased[]): Script<void> {
    for (const { delivery } of leases) yield* releaseDelivery(delivery.id, deps.nodeId, deps.clock());
  }

  async function giveBack(leases: readonly Leased[]): Promise<void> {
    if (leases.length > 0) await deps.store.write(OUTBOX, () => release(leases));
  }

  const loop = (async () => {
    while (!stopped || lineup.inFlight > 0 || finished.length > 0) {
      if (abandoned) break;
      await round().catch(async (error: unknown) => {
        deps.log.error('worker.failed', { name: 'webhooks', error: String(error) });
        await sleep(PAUSE_AFTER_FAILURE_MS, false);
      });
    }
  })();

  return {
    async stop() {
      stopped = true;
      for (const timer of timers) clearTimeout(timer);
      urge();
      const limit = setTimeout(() => {
        abandoned = true;
        urge();
      }, STOP_MS);
      await giveBack(lineup.empty());
      await loop;
      clearTimeout(limit);
      // Whether those under way arrived is not known, so that they will be posted again.
      await giveBack([...lineup.empty(), ...dropped, ...underWay]);
      await client.close();
    },
  };
}

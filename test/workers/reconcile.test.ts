/** Open attempts are worked off from a sliding pool: none waits for another one's rail. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RailOutcome } from '../../src/rails/rail.ts';
import { startReconciling } from '../../src/workers/reconcile.ts';
import { memoryNode } from '../support/memoryNode.ts';
import { until } from '../support/until.ts';

const OPEN = 1000;

describe('a thousand payments without an answer', () => {
  test('are each asked again while all others still hang', async () => {
    const node = await memoryNode({ RAIL_RETRY_SECONDS: '1', RAIL_TIMEOUT_SECONDS: '60' });
    const { did } = await node.agent();
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    const first = await node.pay(did, 1);
    for (let paid = 1; paid < OPEN; paid += 1) await node.pay(did, 1);
    let hanging = 0;
    let answer = (_outcome: RailOutcome) => {};
    const answered = new Promise<RailOutcome>((resolve) => {
      answer = resolve;
    });
    node.railAnswers(() => {
      hanging += 1;
      return answered;
    });
    node.clock.now += 5000;
    const worker = startReconciling(node.deps, (error) => {
      throw error;
    });
    await until('all of them', async () => hanging === OPEN, 60_000);
    answer({ kind: 'ok', railId: 'pi_1', status: 'requires_capture' });
    const status = async () => (await node.run('getPayment', { mandateId: first })).status;
    await until('the settlement', async () => (await status()) === 'AUTHORIZED');
    await worker.stop();
    const { data } = await node.run('listPayments', { status: 'UNKNOWN' });
    assert.deepEqual(data, []);
  });

  test('do not hold up a node that stops', async () => {
    const stopping = new AbortController();
    const node = await memoryNode({ RAIL_RETRY_SECONDS: '1', RAIL_TIMEOUT_SECONDS: '60' });
    const deps = { ...node.deps, stopping: stopping.signal };
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    await node.pay((await node.agent()).did);
    let asked = false;
    node.railAnswers(() => {
      asked = true;
      return new Promise<RailOutcome>(() => {});
    });
    node.clock.now += 5000;
    const worker = startReconciling(deps, (error) => {
      throw error;
    });
    await until('the question', async () => asked);
    stopping.abort();
    await worker.stop();
  });
});

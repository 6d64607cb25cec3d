/** One round trip to a rail, and what a worker makes of one that a dead process left behind. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { RailOutcome } from '../../../src/rails/rail.ts';
import { findRequest } from '../../../src/store/statements/callers/requests.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

const DECLINED: RailOutcome = { kind: 'declined', code: 'expired', message: 'the authorization has lapsed' };

describe('what is asked of a rail', () => {
  let node: MemoryNode;
  let mandateId: string;
  beforeEach(async () => {
    node = await memoryNode();
    mandateId = await node.pay((await node.agent()).did);
  });

  const keyed = () => ({
    idempotency: {
      tenantId: node.owner.tenantId,
      scope: 'test',
      key: 'capture-1',
      hash: 'h',
      reused: { code: 'CONFLICT', message: 'used' } as const,
      secret: false,
    },
  });
  const remembered = () => node.deps.store.read(() => findRequest(node.owner.tenantId, 'test', 'capture-1'));

  test('is answered with the payment as the rail’s answer left it', async () => {
    const captured = JSON.parse(await node.runCall('capturePayment', { mandateId }, keyed()));
    assert.equal(captured.status, 'CAPTURED');
    assert.equal((await remembered())?.state, 'DONE');
  });

  test('is a conflict where the rail refuses, and the same request may be made again', async () => {
    node.railAnswers(async () => DECLINED);
    await assert.rejects(node.runCall('capturePayment', { mandateId }, keyed()), /lapsed/);
    assert.equal(await remembered(), undefined);
    node.railAnswers(undefined);
    assert.equal(JSON.parse(await node.runCall('capturePayment', { mandateId }, keyed())).status, 'CAPTURED');
  });

  test('is decided whatever characters a rail writes, and however many', async () => {
    for (const message of ['half \ud800', 'none \u0000', '\u{1f600}'.repeat(100_000)]) {
      node.railAnswers(async () => ({ kind: 'declined', code: message, message }));
      const declined = await node.pay((await node.agent()).did);
      const { data } = await node.run('searchEvidence', { limit: 1 });
      assert.deepEqual([data[0].eventType, data[0].data.mandateId], ['PAYMENT_FAILED', declined]);
      const [{ error }] = data.map((event: { data: object }) => event.data);
      assert.equal(error.message.slice(0, 4), message.slice(0, 4));
      assert.ok(error.message.length <= 2000 && error.message.isWellFormed());
      assert.equal((await node.run('getPayment', { mandateId: declined })).status, 'FAILED');
    }
  });

  test('stays open where a rail answers what cannot be read, and is settled once it can be', async () => {
    const answers = [
      undefined,
      {},
      { kind: 'ok', railId: 'pi_1' },
      { kind: 'ok', railId: 'pi_1', status: 'succeeded', holdUntil: NaN },
    ];
    for (const answer of answers) {
      const payment = await node.pay((await node.agent()).did);
      node.railAnswers(async () => answer as RailOutcome);
      assert.equal((await node.run('capturePayment', { mandateId: payment })).status, 'AUTHORIZED');
      node.railAnswers(undefined);
      node.clock.now += 60_000;
      await reconcile(node.deps);
      assert.equal((await node.run('getPayment', { mandateId: payment })).status, 'CAPTURED');
    }
  });

  /** Leaves a capture behind as a process does that dies while it waits for the rail. */
  async function captureAndDie(): Promise<void> {
    let asked = () => {};
    const isAsked = new Promise<void>((resolve) => {
      asked = resolve;
    });
    const never = new Promise<RailOutcome>(() => {});
    node.railAnswers(() => {
      asked();
      return never;
    });
    node.runCall('capturePayment', { mandateId }, keyed()).catch(() => {});
    await isAsked;
    assert.equal((await remembered())?.state, 'OPEN');
    node.clock.now += 3_600_000;
  }

  test('gets its answer from a worker when its own process died', async () => {
    await captureAndDie();
    node.railAnswers(undefined);
    await reconcile(node.deps);
    assert.equal((await remembered())?.state, 'DONE');
    assert.equal(JSON.parse(await node.runCall('capturePayment', { mandateId }, keyed())).status, 'CAPTURED');
  });

  test('is refused after a crash as it is without one', async () => {
    await captureAndDie();
    node.railAnswers(async () => DECLINED);
    await reconcile(node.deps);
    assert.equal(await remembered(), undefined, 'a refusal must not be kept as an answer');
    await assert.rejects(node.runCall('capturePayment', { mandateId }, keyed()), /lapsed/);
  });
});

/** A capture, cancellation or refund that the rail refuses: the rail is looked at, and the payment follows. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { RailSnapshot } from '../../../src/rails/rail.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

describe('an operation that the rail refuses', () => {
  let node: MemoryNode;
  let mandateId: string;
  let railId: string;
  beforeEach(async () => {
    node = await memoryNode({ RAIL_RETRY_SECONDS: '1' });
    mandateId = await node.pay((await node.agent()).did, 20);
    railId = (await payment()).railTransactionId;
  });

  const payment = (): Promise<Loose> => node.run('getPayment', { mandateId });
  const shows = (shown: Partial<RailSnapshot>) => {
    const nothing = { railId, mandateId, state: 'authorized' as const, capturedMinor: 0 };
    node.railShows(async () => ({ ...nothing, ...shown }));
  };
  const refused = async (operation: 'capturePayment' | 'cancelPayment' | 'refundPayment', more: object = {}) => {
    node.railAnswers(async () => ({ kind: 'declined', code: 'no', message: 'it is not so' }));
    await assert.rejects(node.run(operation, { mandateId, ...more }), /it is not so/);
    node.railAnswers(undefined);
  };
  const last = async (count: number) => (await node.events()).slice(-count);

  for (const [name, operation, shown, status, events] of [
    [
      'captured at the rail',
      'cancelPayment',
      { state: 'captured', capturedMinor: 1500 },
      'CAPTURED',
      'PAYMENT_CAPTURED',
    ],
    ['lapsed at the rail', 'capturePayment', { state: 'canceled' }, 'CANCELED', 'PAYMENT_CANCELED'],
    ['held all the same', 'capturePayment', {}, 'AUTHORIZED', 'PAYMENT_AUTHORIZED'],
  ] as const) {
    test(`of a payment that is ${name} leaves it ${status}`, async () => {
      shows(shown);
      await refused(operation);
      assert.equal((await payment()).status, status);
      assert.deepEqual(await last(1), [events]);
      assert.equal((await payment()).attention, undefined);
    });
  }

  test('of a payment that was refunded in the dashboard records the refund', async () => {
    await node.run('capturePayment', { mandateId });
    shows({ state: 'captured', capturedMinor: 2000, refundedMinor: 2000 });
    await refused('refundPayment');
    assert.deepEqual(await last(2), ['PAYMENT_CAPTURED', 'PAYMENT_REFUNDED']);
  });

  test('of a payment whose amounts differ takes the rail’s, and says so in the evidence', async () => {
    await node.run('capturePayment', { mandateId });
    shows({ state: 'captured', capturedMinor: 1200, refundedMinor: 0 });
    await refused('refundPayment');
    assert.equal((await payment()).captured, 12);
    assert.deepEqual(await last(1), ['PAYMENT_SYNCED']);
  });

  test('of a payment of which less was captured frees the rest in the limits', async () => {
    const { agentDid } = await payment();
    const limits = [{ name: 'a day', maxAmount: 100, window: 'day' }];
    await node.run('setAgentVelocity', { did: agentDid, limits });
    const used = async () => (await node.run('showAgentLimits', { did: agentDid })).limits[0].used;
    await node.run('capturePayment', { mandateId });
    assert.equal(await used(), 20);
    shows({ state: 'captured', capturedMinor: 1200, refundedMinor: 0 });
    await refused('refundPayment');
    assert.equal(await used(), 12);
  });

  test('of a payment whose refund the rail does not know any more takes that refund back', async () => {
    await node.run('capturePayment', { mandateId });
    await node.run('refundPayment', { mandateId, amount: 5 });
    shows({ state: 'captured', capturedMinor: 2000, refundedMinor: 0 });
    await refused('refundPayment');
    assert.equal((await payment()).status, 'CAPTURED');
    assert.deepEqual(await last(1), ['PAYMENT_REFUND_FAILED']);
  });

  test('of a payment that the rail contradicts is flagged, where its users see it, until it is decided', async () => {
    await node.run('capturePayment', { mandateId });
    shows({ state: 'canceled' });
    await refused('refundPayment');
    assert.match((await payment()).attention.reason, /CAPTURED here and canceled at the rail/);
    const { data } = await node.run('listPayments', {});
    assert.match(data[0].attention.reason, /CAPTURED here/);
    node.railShows(undefined);
    const done = await node.run('refundPayment', { mandateId });
    assert.equal(done.status, 'REFUNDED');
    assert.equal(done.attention, undefined);
  });

  test('of a payment that the rail does not know is flagged', async () => {
    node.railShows(async () => undefined);
    await refused('capturePayment');
    assert.match((await payment()).attention.reason, /does not know/);
  });

  test('while the rail cannot be looked at stays open, and is settled by a worker once it can', async () => {
    node.railAnswers(async () => ({ kind: 'declined', code: 'no', message: 'it is not so' }));
    node.railShows(async () => {
      throw new Error('no connection');
    });
    assert.equal((await node.run('capturePayment', { mandateId })).status, 'AUTHORIZED');
    shows({ state: 'canceled' });
    node.clock.now += 5000;
    await reconcile(node.deps);
    assert.equal((await payment()).status, 'CANCELED');
  });

  test('on a rail that only this node changes leaves the payment as it is', async () => {
    await refused('capturePayment');
    assert.equal((await payment()).status, 'AUTHORIZED');
    assert.equal((await payment()).attention, undefined);
  });
});

describe('an answer that never comes', () => {
  test('is asked for under the same key first, and looked up only when that gets no answer either', async () => {
    const node = await memoryNode({ RAIL_RETRY_SECONDS: '1' });
    const asked: string[] = [];
    const [rail] = [...node.deps.rails.values()];
    Object.assign(rail as object, {
      status: async () => {
        asked.push('status');
        return undefined;
      },
    });
    node.railAnswers(async () => {
      asked.push('authorize');
      return { kind: 'unknown', reason: 'silence' };
    });
    const mandateId = await node.pay((await node.agent()).did);
    for (let tries = 0; tries < 4; tries += 1) {
      node.clock.now += 2000;
      await reconcile(node.deps);
    }
    assert.deepEqual(asked.slice(0, 6), ['authorize', 'authorize', 'authorize', 'authorize', 'status', 'authorize']);
    node.railAnswers(undefined);
    node.clock.now += 2000;
    await reconcile(node.deps);
    assert.equal((await node.run('getPayment', { mandateId })).status, 'AUTHORIZED');
  });
});

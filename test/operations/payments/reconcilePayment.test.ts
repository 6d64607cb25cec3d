/** A payment whose outcome is open is asked about at once, by a caller that may operate it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { RailSnapshot } from '../../../src/rails/rail.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

const SILENT = async () => ({ kind: 'unknown' as const, reason: 'silence' });

describe('reconciling', () => {
  const stuck = async (): Promise<{ node: MemoryNode; mandateId: string }> => {
    const node = await memoryNode();
    node.railAnswers(SILENT);
    const mandateId = await node.pay((await node.agent()).did);
    return { node, mandateId };
  };

  test('asks the rail before the next try is due, and the payment stands as it says', async () => {
    const { node, mandateId } = await stuck();
    assert.equal((await node.run('reconcilePayment', { mandateId })).status, 'UNKNOWN');
    node.railAnswers(async () => ({ kind: 'ok', railId: 'pi_1', status: 'requires_capture' }));
    assert.equal((await node.run('reconcilePayment', { mandateId })).status, 'AUTHORIZED');
    assert.equal((await node.events()).at(-1), 'PAYMENT_AUTHORIZED');
  });

  test('asks no rail where nothing is open', async () => {
    const node = await memoryNode();
    const mandateId = await node.pay((await node.agent()).did);
    let asked = 0;
    node.railAnswers(() => {
      asked += 1;
      return SILENT();
    });
    assert.equal((await node.run('reconcilePayment', { mandateId })).status, 'AUTHORIZED');
    assert.equal(asked, 0);
  });

  test('twice at the same time settles it once', async () => {
    const { node, mandateId } = await stuck();
    node.railAnswers(async () => ({ kind: 'ok', railId: 'pi_1', status: 'requires_capture' }));
    await Promise.all([1, 2, 3].map(() => node.run('reconcilePayment', { mandateId })));
    const events = await node.events();
    assert.equal(events.filter((type) => type === 'PAYMENT_AUTHORIZED').length, 1);
  });

  test('looks again at what was left to a person, who keeps it until the rail agrees', async () => {
    const node = await memoryNode();
    const mandateId = await node.pay((await node.agent()).did);
    const railId = (await node.run('getPayment', { mandateId })).railTransactionId;
    node.railShows(async () => undefined);
    node.railAnswers(async () => ({ kind: 'declined', code: 'gone', message: 'It is gone.' }));
    await assert.rejects(node.run('capturePayment', { mandateId }), /It is gone/);
    const flagged = (await node.run('getPayment', { mandateId })).attention;
    assert.equal(flagged.reason, 'The rail does not know this payment.');
    node.clock.now += 60_000;
    assert.deepEqual((await node.run('reconcilePayment', { mandateId })).attention, flagged);
    const held: RailSnapshot = { railId, state: 'authorized', capturedMinor: 0, refundedMinor: 0 };
    node.railShows(async () => held);
    const { status, attention } = await node.run('reconcilePayment', { mandateId });
    assert.deepEqual([status, attention], ['AUTHORIZED', undefined]);
  });

  test('is not for the payments of another agent', async () => {
    const { node, mandateId } = await stuck();
    const other = (await node.agent()).caller;
    const bound = { ...other, agents: new Set([other.did ?? '']) };
    await assert.rejects(node.run('reconcilePayment', { mandateId }, bound), /There is no payment/);
  });
});

/** The sandbox rail: a request has one outcome however often it is sent, and the node keeps it with what it records of it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { sandboxRail } from '../../../src/extensions/sandbox-rail/sandboxRail.ts';
import { mandatePayment } from '../../../src/operations/payments/mandatePayment.ts';
import type { RailOutcome, RailRequest } from '../../../src/rails/rail.ts';
import { all, run, type Script, type Store } from '../../../src/store/store.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

const REQUEST: RailRequest = {
  amountMinor: 500,
  currency: 'USD',
  merchant: 'shop.example',
  mandateId: 'pm_01',
  intentId: 'intent_01',
  transactionId: 'txn_01',
};

/** The rail at the start of a node that has stored nothing. */
function rail() {
  return sandboxRail('CARD_RAIL', async () => undefined);
}

async function approvalToken(node: MemoryNode): Promise<string> {
  const { did } = await node.agent();
  const request = { maxAmount: 10, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  const offer = { payerDid: did, domain: 'shop.example', amount: 10, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', offer);
  return (await node.run('validateCart', { intentVc, cartVc })).approvalToken;
}

/** Asks for a payment by a process whose commits fail from the second one on, as after a crash while the rail is asked. */
async function payAndDie(node: MemoryNode): Promise<string> {
  let commits = 0;
  const write = <T>(tenantId: string, script: (now: number) => Script<T>): Promise<T> => {
    commits += 1;
    return commits === 1 ? node.deps.store.write(tenantId, script) : Promise.reject(new Error('dead'));
  };
  const store: Store = Object.assign(Object.create(node.deps.store), { write });
  const input = { approvalToken: await approvalToken(node) };
  const dying = mandatePayment.run({ ...node.deps, store }, { caller: node.owner, reply: { kind: 'json' } }, input);
  await assert.rejects(dying, /dead/);
  const { data } = await node.run('listPayments', { status: 'PENDING' });
  return data[0].mandateId;
}

const keptOf = (node: MemoryNode) =>
  node.deps.store.read(() =>
    all<{ attempt_key: string; outcome: string }>(
      'SELECT attempt_key, outcome FROM rail_attempts WHERE outcome IS NOT NULL',
    ),
  );

const keep = (node: MemoryNode, outcome: RailOutcome) =>
  node.deps.store.write('t', () => run('UPDATE rail_attempts SET outcome = ?', JSON.stringify(outcome)));

describe('the sandbox rail', () => {
  test('answers a request that is sent again as before, and has an id of its own for each payment', async () => {
    const first = await rail().authorize('pm_01', REQUEST);
    assert.deepEqual(first, { kind: 'ok', railId: 'pi_01', status: 'requires_capture' });
    assert.deepEqual(await rail().authorize('pm_01', REQUEST), first);
    const other = await rail().authorize('pm_02', { ...REQUEST, mandateId: 'pm_02' });
    assert.equal('railId' in other && other.railId, 'pi_02');
    const declined = { ...REQUEST, instrument: 'pm_card_visa_chargeDeclined' };
    assert.deepEqual(await rail().authorize('pm_01', declined), await rail().authorize('pm_01', declined));
    const known = { ...REQUEST, railId: 'pi_former' };
    assert.deepEqual(await rail().refund('pm_01:refund:1', known), {
      kind: 'ok',
      railId: 'pi_former',
      status: 'succeeded',
    });
  });

  test('has done nothing for a process that died before it recorded the answer, and one thing after a worker asked again', async () => {
    const node = await memoryNode();
    const mandateId = await payAndDie(node);
    assert.deepEqual(await keptOf(node), []);
    node.clock.now += 3_600_000;
    await Promise.all([reconcile(node.deps), reconcile(node.deps)]);
    await reconcile(node.deps);
    const payment = await node.run('getPayment', { mandateId });
    assert.equal(payment.status, 'AUTHORIZED');
    const railId = mandateId.replace('pm_', 'pi_');
    assert.equal(payment.railTransactionId, railId);
    const outcome = JSON.stringify({ kind: 'ok', railId, status: 'requires_capture' });
    assert.deepEqual(
      (await keptOf(node)).map((entry) => ({ ...entry })),
      [{ attempt_key: mandateId, outcome }],
    );
    assert.deepEqual((await node.events()).slice(-2), ['PM_ISSUED', 'PAYMENT_AUTHORIZED']);
  });

  test('keeps to what it answered first, as a former version of the program wrote it down', async () => {
    const node = await memoryNode();
    const mandateId = await payAndDie(node);
    await keep(node, { kind: 'ok', railId: 'pi_random', status: 'requires_capture' });
    node.clock.now += 3_600_000;
    await reconcile(node.deps);
    assert.equal((await node.run('getPayment', { mandateId })).railTransactionId, 'pi_random');
  });

  test('is found by a look-up only once its answer was kept', async () => {
    const node = await memoryNode();
    const mandateId = await payAndDie(node);
    const look = () => {
      const { rails } = node.deps;
      const attempt = { key: mandateId, operation: 'authorize', request: REQUEST, createdAt: 1 } as const;
      return rails.get('CARD_RAIL')?.status(attempt, new AbortController().signal);
    };
    assert.equal(await look(), undefined);
    const outcome: RailOutcome = { kind: 'declined', code: 'card_declined', message: 'The card was declined.' };
    await keep(node, outcome);
    assert.deepEqual(await look(), outcome);
    node.clock.now += 3_600_000;
    await reconcile(node.deps);
    const { status, error } = await node.run('getPayment', { mandateId });
    assert.deepEqual([status, error.code], ['FAILED', 'card_declined']);
  });

  test('keeps nothing of an attempt without an answer', async () => {
    const node = await memoryNode();
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    const mandateId = await node.pay((await node.agent()).did);
    assert.deepEqual(await keptOf(node), []);
    node.railAnswers(undefined);
    node.clock.now += 60_000;
    await reconcile(node.deps);
    assert.equal((await node.run('getPayment', { mandateId })).status, 'AUTHORIZED');
    assert.equal((await keptOf(node)).length, 1);
  });
});

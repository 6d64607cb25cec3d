/** What each step of a purchase asks of the database, statement by statement: nothing twice, and nothing that no outcome needs. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { allOperations, type OperationName } from '../../../src/extensions/nodeOperations.ts';
import { useByPayments } from '../../../src/store/statements/limits/windowUse.ts';
import type { Statement } from '../../../src/store/store.ts';
import { call, parseInput, type UseCase } from '../../../src/usecase/useCase.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { watched } from '../../support/watched.ts';
import type { Loose } from '../../support/world.ts';

const LIMIT = { max_transactions: 100, time_window: '1h' };
const EVIDENCE = ['INSERT evidence'];

interface Buyer {
  readonly did: string;
  readonly node: MemoryNode;
  /** Runs a use case. @returns its answer, and its statements beside those that the row cache answers or PostgreSQL alone runs */
  ask(name: OperationName, input: object): Promise<{ readonly answer: Loose; readonly asked: readonly string[] }>;
}

/** An agent that has bought something within a limit. */
async function buyer(): Promise<Buyer> {
  const node = await memoryNode();
  const { did } = await node.agent();
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, risk: { velocity_limit: LIMIT } };
  await node.run('createPolicy', { name: 'limited', rules });
  await node.pay(did, 1);
  const statements: Statement[] = [];
  const deps = { ...node.deps, store: watched(node.deps.store, statements) };
  return {
    did,
    node,
    async ask(name, input) {
      statements.length = 0;
      const useCase = allOperations[name] as UseCase;
      const answer = await call(useCase.run, deps, node.owner, parseInput(useCase.input, input));
      return { answer, asked: statements.filter(({ cached }) => cached === undefined).map(nameOf) };
    },
  };
}

/** A buyer with an intent, and a merchant's cart for it. */
async function offered() {
  const { did, node, ask } = await buyer();
  const request = { maxAmount: 5, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  const wanted = { payerDid: did, domain: 'shop.example', amount: 5, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', wanted);
  return { node, ask, offer: { intentVc, cartVc } };
}

/** What a statement does, and to which allOperations; what stands in parentheses is another's. */
function nameOf({ sql }: Statement): string {
  let text = sql;
  for (let before = ''; before !== text; ) {
    before = text;
    text = text.replace(/\([^()]*\)/g, '');
  }
  const [, verb, to = ''] = /^\s*(\w+)(?:\s+INTO)?\s+(\w*)/.exec(text) ?? [];
  return `${verb} ${verb === 'SELECT' ? /\bFROM\s+(?:AS\s+)?(\w+)/.exec(text)?.[1] : to}`;
}

describe('a purchase within a limit asks', () => {
  test('for its intent: what its limit counts, once, and writes what counts', async () => {
    const { did, ask } = await buyer();
    const request = { maxAmount: 5, currency: 'USD' };
    const { asked } = await ask('issueIntent', { agentDid: did, principalDid: did, request });
    assert.deepEqual(asked, ['SELECT spending', 'INSERT intents', 'INSERT limit_tails', ...EVIDENCE]);
  });

  test('for its cart: the intent with all that is about it, and voids a token only where one is live', async () => {
    const { node, ask, offer } = await offered();
    const first = await ask('validateCart', offer);
    const inserted = ['INSERT approvals', ...EVIDENCE];
    // The intent names no merchant: from the cart on it holds its amount there.
    const held = ['INSERT approvals', 'UPDATE intents', ...EVIDENCE];
    assert.deepEqual(first.asked, ['SELECT intents', 'SELECT spending', ...held]);
    const again = await ask('validateCart', offer);
    assert.deepEqual(again.asked, ['SELECT intents', 'SELECT spending', 'UPDATE approvals', ...inserted]);
    await assert.rejects(node.run('mandatePayment', { approvalToken: first.answer.approvalToken }), /took the place/);
    await node.run('mandatePayment', { approvalToken: again.answer.approvalToken });
    const used = await ask('validateCart', offer);
    assert.ok(used.answer.reasonCodes.includes('CART_USED'), JSON.stringify(used.answer));
  });

  test('for its payment: token and intent at once, what its limit counts once, and nothing of that for the outcome', async () => {
    const { node, ask, offer } = await offered();
    const { approvalToken } = await node.run('validateCart', offer);
    const { asked } = await ask('mandatePayment', { approvalToken });
    assert.deepEqual(asked, [
      'SELECT approvals',
      'SELECT spending',
      'UPDATE approvals',
      'UPDATE intents',
      'INSERT payments',
      'INSERT spend_sums',
      'INSERT limit_tails',
      'INSERT rail_attempts',
      ...EVIDENCE,
      'SELECT rail_attempts',
      'UPDATE rail_attempts',
      'UPDATE payments',
      ...EVIDENCE,
    ]);
  });

  test('for a payment that is refused: what its limit counts, and nothing is written but that it was refused', async () => {
    const { node, ask, offer } = await offered();
    const { approvalToken } = await node.run('validateCart', offer);
    node.clock.now += 3_600_000;
    const first = await ask('mandatePayment', { approvalToken });
    assert.ok(first.answer.reasonCodes.includes('INTENT_EXPIRED'), JSON.stringify(first.answer));
    assert.deepEqual(first.asked, ['SELECT approvals', 'SELECT spending', ...EVIDENCE]);
  });

  test('for an outcome that comes late: the sums that it moves the payment in', async () => {
    const { did, node } = await buyer();
    const minute = 60_000;
    node.railAnswers(async () => {
      node.clock.now += 50 * minute;
      return { kind: 'ok', railId: 'pi_late', status: 'requires_capture' };
    });
    await node.pay(did, 7);
    node.railAnswers(undefined);
    const paid = () => {
      const from = node.clock.now - 60 * minute + 1;
      return node.deps.store.read(() =>
        useByPayments({ tenantId: node.owner.tenantId, scope: 'agent', agentDid: did, governedDid: null, from }),
      );
    };
    assert.deepEqual(await paid(), { transactions: 2, counts: { USD: 2 }, amounts: { USD: 800 } });
    // The first was bought before the rail took its time.
    node.clock.now += 20 * minute;
    assert.deepEqual(await paid(), { transactions: 1, counts: { USD: 1 }, amounts: { USD: 700 } });
    node.clock.now += 39 * minute;
    assert.deepEqual(
      await paid(),
      { transactions: 1, counts: { USD: 1 }, amounts: { USD: 700 } },
      'it counts from its authorization on',
    );
    node.clock.now += minute;
    assert.deepEqual((await paid()).transactions, 0);
  });
});

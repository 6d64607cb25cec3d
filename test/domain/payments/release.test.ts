/** What a purchase reserves is given back when it ends without a payment, in every way that can happen. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { handleRailEvent } from '../../../src/domain/railEvents/handleRailEvent.ts';
import { expireHolds, warnOfHolds } from '../../../src/workers/expireHolds.ts';
import { expireIntents } from '../../../src/workers/expireIntents.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const LIMIT = 10;
const DAY_MS = 24 * 3600 * 1000;

interface Buyer {
  readonly node: MemoryNode;
  readonly did: string;
}

async function intent({ node, did }: Buyer): Promise<Loose> {
  const request = { maxAmount: LIMIT, currency: 'USD' };
  return node.run('issueIntent', { agentDid: did, principalDid: did, request });
}

async function declined(buyer: Buyer): Promise<void> {
  buyer.node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No.' }));
  await buyer.node.pay(buyer.did, LIMIT);
}

/** Each way in which a purchase comes to nothing. */
const ENDS: Readonly<Record<string, (buyer: Buyer) => Promise<unknown>>> = {
  'the rail declines the payment': declined,
  'the rail declines it after it was silent': async (buyer) => {
    buyer.node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
    await buyer.node.pay(buyer.did, LIMIT);
    buyer.node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No.' }));
    buyer.node.clock.now += 60_000;
    await reconcile(buyer.node.deps);
  },
  'the payment is canceled': async ({ node, did }) =>
    node.run('cancelPayment', { mandateId: await node.pay(did, LIMIT) }),
  'the payment is canceled at the rail': async ({ node, did }) => {
    const mandateId = await node.pay(did, LIMIT);
    const { railTransactionId: railId } = await node.run('getPayment', { mandateId });
    const snapshot = { railId, mandateId, state: 'canceled', capturedMinor: 0 } as const;
    const notice = { kind: 'payment', snapshot } as const;
    await handleRailEvent(node.deps, 'CARD_RAIL', { id: undefined, type: 'test', notice });
  },
  'its hold lapses': async ({ node, did }) => {
    await node.pay(did, LIMIT);
    node.clock.now += 8 * DAY_MS;
    // First the warning, then the end.
    await warnOfHolds(node.deps);
    await expireHolds(node.deps);
    await reconcile(node.deps);
  },
  'the intent expires': async (buyer) => {
    await intent(buyer);
    buyer.node.clock.now += DAY_MS;
    await expireIntents(buyer.node.deps);
  },
};

describe('what a purchase reserves', () => {
  for (const [end, comeToNothing] of Object.entries(ENDS)) {
    test(`is free again, at the intent and at the payment, once ${end}`, async () => {
      const node = await memoryNode();
      const { did } = await node.agent();
      const buyer = { node, did };
      await node.run('setAgentVelocity', { did, maxAmount: LIMIT, timeWindow: '31d' });
      await comeToNothing(buyer);
      node.railAnswers(undefined);
      await node.pay(did, LIMIT);
      assert.equal((await intent(buyer)).allowed, false, 'the limit is used up once more');
    });
  }

  test('stays reserved where the payment is made', async () => {
    const node = await memoryNode();
    const { did } = await node.agent();
    await node.run('setAgentVelocity', { did, maxAmount: LIMIT, timeWindow: '31d' });
    await node.pay(did, LIMIT);
    assert.deepEqual((await intent({ node, did })).reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
  });
});

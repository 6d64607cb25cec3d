/** One budget over every rail: a card, a server that asks by MPP and one that asks by x402, what is paid elsewhere, and another vendor's tool behind the guard; one touch, and one record, of each. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';
import { headerText } from '../../protocol/x402/paymentRequired.ts';
import { softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import type { ReservationNode } from '../../src/extensions/guard/reservationNode.ts';
import { beginDecision, completeDecision } from '../../src/operations/approvals/decideApproval.ts';
import { type GuardedClient, guardedClient } from '../extensions/guard/doubles/guardedClient.ts';
import { SquareDouble } from '../extensions/guard/doubles/squareDouble.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { mppChallenge } from '../support/mppChallenge.ts';
import type { Loose } from '../support/world.ts';

const BASE = 'eip155:8453';
const USDC = '0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913';
const SHOP = '0x209693Bc6afc0C5328bA36FaF03C514EF312287C';

/** Buys for so many USD by one rail; a new purchase each time. @param approvalId of a person who has approved it */
type Buy = (amount: number, times: number, approvalId?: string) => Promise<Loose>;

async function world(rules: object) {
  const node = await memoryNode();
  await node.run('createPolicy', {
    name: 'A day',
    rules: {
      version: '2.0',
      spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' },
      rails: { allow: ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'] },
      ...rules,
    },
  });
  await node.run('createWallet', { network: BASE });
  const { did: agentDid } = await node.agent();
  const rails: Readonly<Record<string, Buy>> = {
    card: (amount, times, approvalId) => buyByCard(node, agentDid, amount, times, approvalId),
    mpp: (amount, times, approvalId) =>
      node.run('authorizeHttpPayment', {
        agentDid,
        url: `https://reports.example/report/${times}`,
        challenges: [mppChallenge({ id: `c${times} ${approvalId}`, amount: String(amount * 100) })],
        ...(approvalId === undefined ? {} : { approvalId }),
      }),
    x402: (amount, times, approvalId) =>
      node.run('authorizeHttpPayment', {
        agentDid,
        url: `https://maps.example/tile/${times}`,
        paymentRequired: headerText({
          x402Version: 2,
          resource: { url: 'https://maps.example' },
          accepts: [offer(amount)],
        }),
        ...(approvalId === undefined ? {} : { approvalId }),
      }),
    elsewhere: (amount, times, approvalId) =>
      node.run('reserveExternally', {
        ...{ agentDid, merchant: 'tea.example', amount, currency: 'USD', channel: 'card', reference: `order-${times}` },
        idempotencyKey: `order-${times} ${approvalId}`,
        ...(approvalId === undefined ? {} : { approvalId }),
      }),
    guard: (amount, times) => buyByTool(node, agentDid, amount, times),
  };
  return { node, agentDid, rails };
}

function offer(amount: number): object {
  const extra = { name: 'USD Coin', version: '2' };
  const money = { amount: String(amount * 1_000_000), asset: USDC, payTo: SHOP };
  return { scheme: 'exact', network: BASE, ...money, maxTimeoutSeconds: 60, extra };
}

/** What the guard asks of the node. */
function guardedNode(node: MemoryNode): ReservationNode {
  return {
    reserve: (input) => node.run('reserveExternally', input) as never,
    commit: (mandateId, told) => node.run('commitReservation', { mandateId, ...told }),
    release: (mandateId, reason) => node.run('releaseReservation', { mandateId, reason }),
  };
}

const SQUARE = '[[upstream]]\nname = "square"\npreset = "square"\nmerchant = "prints.example"\n';
const guards = new Map<string, Promise<GuardedClient>>();

/** A payment by Square's tool; the same call again goes through after the touch. */
async function buyByTool(node: MemoryNode, agentDid: string, amount: number, times: number): Promise<Loose> {
  const square = new SquareDouble();
  const opened =
    guards.get(agentDid) ??
    guardedClient({ square }, { rest: SQUARE, ownNode: guardedNode(node), agentDid, now: () => node.clock.now });
  guards.set(agentDid, opened);
  const request = { idempotency_key: `print-${times}`, amount_money: { amount: amount * 100, currency: 'USD' } };
  const guarded = await opened;
  const result = await guarded.call('make_api_request', { service: 'Payments', method: 'create', request });
  const { reasonCodes, approval } = result._meta['countersign/refusal'] ?? {};
  if (result.isError === true) {
    const [{ id } = { id: undefined }] = approval === undefined ? [] : [approval];
    return { allowed: false, reasonCodes, approval: { id }, details: {} };
  }
  const { mandateId } = result._meta['countersign/payment'];
  const { transactionId } = await node.run('getPayment', { mandateId });
  return { allowed: true, mandateId, transactionId };
}

const carts = new Map<string, Loose>();

async function buyByCard(
  node: MemoryNode,
  agentDid: string,
  amount: number,
  times: number,
  approvalId?: string,
): Promise<Loose> {
  const key = `${agentDid} ${times}`;
  let begun = carts.get(key);
  if (begun === undefined) {
    const request = { maxAmount: amount, currency: 'USD' };
    const intent = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
    if (!intent.allowed) return intent;
    const { cartVc } = await node.run('demoCart', {
      payerDid: agentDid,
      domain: 'shop.example',
      amount,
      currency: 'USD',
    });
    begun = { intentVc: intent.intentVc, cartVc };
    carts.set(key, begun);
  }
  const { intentVc, cartVc } = begun;
  const hpProof = approvalId === undefined ? undefined : (await node.run('getApproval', { id: approvalId })).hpProof;
  const cart = await node.run('validateCart', { intentVc, cartVc, ...(hpProof === undefined ? {} : { hpProof }) });
  if (!cart.allowed) return cart;
  const { pmVc } = await node.run('mandatePayment', { approvalToken: cart.approvalToken });
  const { mandateId } = pmVc.credentialSubject;
  const { transactionId } = await node.run('getPayment', { mandateId });
  return { allowed: true, mandateId, transactionId };
}

describe('an agent with 100 USD a day', () => {
  const DAY = { risk: { velocity_limit: { max_amount: 100, time_window: '24h' } } };

  test('pays by each rail, until the day’s budget refuses the next on each of them', async () => {
    const { rails } = await world(DAY);
    const buys = Object.values(rails);
    for (const [at, buy] of buys.entries()) assert.equal((await buy(19, at)).allowed, true);
    for (const [at, buy] of buys.entries()) {
      const refused = await buy(19, 10 + at);
      assert.deepEqual([refused.allowed, refused.reasonCodes], [false, ['SPENDING_LIMIT_EXCEEDED']]);
      const { used = 95 } = refused.details.SPENDING_LIMIT_EXCEEDED ?? {};
      assert.equal(used, 95);
    }
    for (const buy of [rails['mpp'] as Buy]) assert.equal((await buy(5, 20)).allowed, true);
  });

  test('has for each a bundle that verifies without the node', async () => {
    const { node, rails } = await world(DAY);
    for (const [at, buy] of Object.values(rails).entries()) {
      const { transactionId } = await buy(20, 40 + at);
      const bundle = await node.runCall('evidenceBundle', { transactionId, format: 'portable' });
      const verified = verifyBundle(nativeSuite(), bundle, node.deps.issuer.did);
      assert.equal(verified.ok, true, JSON.stringify(verified));
    }
  });
});

test('one touch approves one purchase, by whichever rail it is paid', async () => {
  const { node, agentDid, rails } = await world({ context: { presence: 'required' } });
  const phone = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));
  const { publicKey } = await node.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
  await node.run('completePasskeyRegistration', { agentDid, credential: phone.create(publicKey) });
  for (const [at, [name, buy]] of Object.entries(rails).entries()) {
    const { reasonCodes, approval } = await buy(30, 60 + at);
    assert.deepEqual(reasonCodes, ['HP_REQUIRED'], name);
    const begun = await beginDecision.run(node.deps, { id: approval.id, decision: 'approve' });
    const credential = phone.get(begun.publicKey);
    await completeDecision.run(node.deps, { id: approval.id, challengeId: begun.challengeId, credential });
    const bought = await buy(30, 60 + at, approval.id);
    assert.equal(bought.allowed, true, `${name}: ${JSON.stringify(bought)}`);
    const again = await buy(30, 70 + at, name === 'card' || name === 'guard' ? undefined : approval.id);
    assert.equal(again.allowed, false, name);
  }
});

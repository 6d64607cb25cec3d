/** The same purchase twice: what counts, for whom, and what is answered, recorded and explained. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import type { Caller } from '../../../src/access/caller.ts';
import { run } from '../../../src/store/store.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { makeCart, makePeer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';

const MINUTE_MS = 60_000;
const shop = makePeer();
const ITEMS = [
  { name: 'Red hat', price: 20, quantity: 1 },
  { name: 'Shoe lace', price: 2.5, quantity: 2 },
];

let node: MemoryNode;
let did: string;
beforeEach(async () => {
  node = await memoryNode();
  ({ did } = await node.agent());
  await node.run('bindMerchant', { domain: 'shop.example', did: shop.did });
  await rule();
});

const policy = (rules: object) => node.run('createPolicy', { name: 'Test', rules: { version: '2.0', ...rules } });
const rule = (more: object = {}, others: object = {}) =>
  policy({
    spend: { amount_cap: 1000, currency: 'USD' },
    risk: { duplicate: { window: '10m', action: 'deny', ...more } },
    ...others,
  });

interface Bought {
  readonly items?: typeof ITEMS;
  readonly agentDid?: string;
  readonly principalDid?: string;
  readonly caller?: Caller;
  readonly more?: object;
}

/** A new intent and a new cart of these items, as an agent makes them that plans again. */
async function validate({ items = ITEMS, agentDid = did, principalDid = agentDid, caller, more = {} }: Bought = {}) {
  const total = items.reduce((sum, { price, quantity }) => sum + price * quantity, 0);
  const request = { maxAmount: total, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid, principalDid, request }, caller);
  const offer = { domain: 'shop.example', items, total, currency: 'USD' };
  const cartVc = makeCart(shop, offer, new Date(node.clock.now));
  const cart: Loose = await node.run('validateCart', { intentVc, cartVc, ...more }, caller);
  return { intentVc, cartVc, cart };
}
async function buy(bought: Bought = {}): Promise<Loose> {
  const { cart } = await validate(bought);
  assert.equal(cart.allowed, true, JSON.stringify(cart));
  return node.run('mandatePayment', { approvalToken: cart.approvalToken }, bought.caller);
}
const idOf = (paid: Loose): string => paid.pmVc.credentialSubject.mandateId;
const codesOf = async (bought: Bought = {}) => (await validate(bought)).cart.reasonCodes ?? ['ALLOWED'];
const SUSPECTED = ['DUPLICATE_SUSPECTED'];
const newest = async (transactionId: string): Promise<Loose> =>
  (await node.run('getDecisions', { transactionId })).decisions.at(-1);

describe('the same again', () => {
  test('is refused with the first payment, for a caller who may read it, and is recorded without its id', async () => {
    const first = idOf(await buy());
    await node.run('capturePayment', { mandateId: first });
    const createdAt = new Date(node.clock.now).toISOString();
    node.clock.now += 41_000;
    const { cart } = await validate();
    const { transactionId } = await node.run('getPayment', { mandateId: first });
    assert.deepEqual(cart, {
      allowed: false,
      reasonCodes: SUSPECTED,
      details: {
        DUPLICATE_SUSPECTED: {
          requested: 2,
          limit: 1,
          message: `The same was bought 41 seconds ago and is captured (${first}).`,
        },
      },
      duplicateOf: {
        mandateId: first,
        transactionId,
        status: 'CAPTURED',
        createdAt,
        resultUrl: `http://localhost/ap2/payments/${first}`,
      },
    });
    const { data } = await node.run('searchEvidence', { eventType: 'CART_REJECTED' });
    assert.deepEqual(data[0].data.sameBefore, { count: 1, latestAt: createdAt, status: 'CAPTURED' });
    assert.equal(
      data[0].data.details.DUPLICATE_SUSPECTED.message,
      'The same was bought 41 seconds ago and is captured.',
    );
    assert.ok(!JSON.stringify(data[0]).includes(first));
  });

  test('in another order and case of its items is the same, and another quantity is not', async () => {
    await buy();
    const [hat, lace] = ITEMS as [Loose, Loose];
    const turned = [
      { ...lace, name: 'SHOE  lace', quantity: 1 },
      { ...hat, name: 'red HAT' },
      { ...lace, quantity: 1 },
    ];
    assert.deepEqual(await codesOf({ items: turned }), SUSPECTED);
    assert.deepEqual(await codesOf({ items: [{ ...hat, quantity: 2 }, lace] }), ['ALLOWED']);
  });

  test('is allowed once the window is over', async () => {
    await buy();
    node.clock.now += 10 * MINUTE_MS - 1;
    assert.deepEqual(await codesOf(), SUSPECTED);
    node.clock.now += 1;
    assert.deepEqual(await codesOf(), ['ALLOWED']);
  });

  test('is allowed once the first has failed, was canceled, or was wholly refunded, and not refunded in part', async () => {
    node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No.' }));
    await buy();
    node.railAnswers(undefined);
    await node.run('cancelPayment', { mandateId: idOf(await buy()) });
    const mandateId = idOf(await buy());
    await node.run('capturePayment', { mandateId });
    await node.run('refundPayment', { mandateId, amount: 1 });
    assert.deepEqual(await codesOf(), SUSPECTED);
    await node.run('refundPayment', { mandateId });
    assert.deepEqual(await codesOf(), ['ALLOWED']);
  });

  test('is refused while the outcome of the first is unknown, however old it is, and says how to learn it', async () => {
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'no answer' }));
    const first = idOf(await buy());
    node.clock.now += 2 * 60 * MINUTE_MS;
    const { cart } = await validate();
    assert.deepEqual([cart.reasonCodes, cart.duplicateOf.status], [SUSPECTED, 'UNKNOWN']);
    assert.equal(
      cart.details.DUPLICATE_SUSPECTED.message,
      `The same was bought 2 hours ago, and the rail has not said what became of it (${first}). ` +
        `Wait for its outcome, or reconcile it: POST http://localhost/ap2/payments/${first}/reconcile.`,
    );
    node.railAnswers(undefined);
    await reconcile(node.deps);
    assert.equal((await node.run('getPayment', { mandateId: first })).status, 'AUTHORIZED');
    assert.deepEqual(await codesOf(), ['ALLOWED'], 'it was made before the window');
  });

  test('is one purchase while the first is approved and not paid, and is allowed once that token has ended', async () => {
    const { cart: first } = await validate();
    assert.equal(first.allowed, true);
    const { cart } = await validate();
    assert.deepEqual([cart.reasonCodes, cart.duplicateOf], [SUSPECTED, undefined]);
    assert.equal(cart.details.DUPLICATE_SUSPECTED.message, 'The same was approved a moment ago and is not paid yet.');
    node.clock.now += 301_000;
    assert.deepEqual(await codesOf(), ['ALLOWED']);
  });

  test('is no other purchase where the same cart is validated again, for its intent or another', async () => {
    const { intentVc, cartVc } = await validate();
    assert.equal((await node.run('validateCart', { intentVc, cartVc })).allowed, true);
    const request = { maxAmount: 25, currency: 'USD' };
    const other = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    const { approvalToken } = await node.run('validateCart', { intentVc: other.intentVc, cartVc });
    assert.ok('pmVc' in (await node.run('mandatePayment', { approvalToken })));
    assert.deepEqual((await node.run('validateCart', { intentVc, cartVc })).reasonCodes, ['CART_USED']);
  });

  test('is no other purchase where the intent gets a new cart of it before the first is paid', async () => {
    const { intentVc } = await validate();
    const offer = { domain: 'shop.example', items: ITEMS, total: 25, currency: 'USD' };
    const cartVc = makeCart(shop, offer, new Date(node.clock.now));
    assert.equal((await node.run('validateCart', { intentVc, cartVc })).allowed, true);
  });

  test('of two equal approved carts the first to be paid is paid, and the other is told of it', async () => {
    await policy({ spend: { amount_cap: 1000, currency: 'USD' } });
    const [one, two] = [await validate(), await validate()];
    await rule();
    const paid = await node.run('mandatePayment', { approvalToken: two.cart.approvalToken });
    const refused = await node.run('mandatePayment', { approvalToken: one.cart.approvalToken });
    assert.deepEqual([refused.reasonCodes, refused.duplicateOf.mandateId], [SUSPECTED, idOf(paid)]);
    assert.match(refused.details.DUPLICATE_SUSPECTED.message, new RegExp(idOf(paid)));
  });

  test('counts what was bought before the rule was set', async () => {
    await policy({ spend: { amount_cap: 1000, currency: 'USD' } });
    await buy();
    await rule();
    assert.deepEqual(await codesOf(), SUSPECTED);
  });

  test('is not looked for where a cart was approved before the node kept what purchases are of', async () => {
    await buy();
    await rule({ max: 2 });
    const { cart } = await validate();
    await rule();
    await node.deps.store.write(node.owner.tenantId, () => run('UPDATE approvals SET print = NULL'));
    assert.ok('pmVc' in (await node.run('mandatePayment', { approvalToken: cart.approvalToken })));
  });

  test('passes as often as the policy allows, and of at most the amount that it leaves alone', async () => {
    await rule({ max: 2 });
    await buy();
    await buy();
    const { cart } = await validate();
    const { requested, limit } = cart.details.DUPLICATE_SUSPECTED;
    assert.deepEqual([requested, limit], [3, 2]);
    await rule({ above: 25 });
    assert.deepEqual(await codesOf(), ['ALLOWED']);
    await rule({ above: 24.99 });
    assert.deepEqual(await codesOf(), SUSPECTED);
  });
});

describe('whose purchase it is', () => {
  const bound = (agents: string[]): Caller => ({ ...node.owner, id: 'key_bound', agents: new Set(agents) });

  test('an agent of the same registered principal has bought it already, and is told no id that it may not read', async () => {
    const { did: other } = await node.agent();
    const { did: principalDid } = makePeer();
    await node.run('registerPrincipal', { did: principalDid, name: 'Anna', agents: [did, other] });
    const paid = idOf(await buy({ principalDid }));
    const { cart } = await validate({ agentDid: other, principalDid, caller: bound([other]) });
    assert.deepEqual([cart.reasonCodes, cart.duplicateOf], [SUSPECTED, undefined]);
    assert.ok(!JSON.stringify(cart).includes('pm_'));
    const seen = await validate({ agentDid: other, principalDid, caller: bound([other, did]) });
    assert.equal(seen.cart.duplicateOf.mandateId, paid);
    const writer: Caller = { ...bound([other, did]), permissions: new Set(['write'] as const) };
    const unread = await validate({ agentDid: other, principalDid, caller: writer });
    assert.equal(unread.cart.duplicateOf, undefined);
  });

  test('an agent that names the same unregistered principal has not', async () => {
    const { did: other } = await node.agent();
    const { did: principalDid } = makePeer();
    await buy({ principalDid });
    assert.deepEqual(await codesOf({ agentDid: other, principalDid }), ['ALLOWED']);
    assert.deepEqual(await codesOf({ principalDid: makePeer().did }), SUSPECTED, 'the agent itself pays');
  });
});

describe('where a person is asked', () => {
  beforeEach(() => rule({ action: 'presence' }));
  const proof = async () => (await node.run('demoPresenceProof', { agentDid: did, freshnessSeconds: 100 })).hpProof;

  test('the page says that the same was bought, the agent is told of the first, and the touch buys', async () => {
    const first = idOf(await buy());
    node.clock.now += 41_000;
    const { intentVc, cartVc, cart } = await validate();
    const message = 'You bought the same 41 seconds ago.';
    assert.deepEqual([cart.reasonCodes, cart.details], [['HP_REQUIRED'], { HP_REQUIRED: { message } }]);
    assert.equal(cart.duplicateOf.mandateId, first);
    const { causes } = await node.run('getApproval', { id: cart.approval.id });
    assert.deepEqual(causes, [{ cause: 'duplicate', message }]);
    const { approvalToken } = await node.run('validateCart', { intentVc, cartVc, hpProof: await proof() });
    const paid = await node.run('mandatePayment', { approvalToken });
    assert.ok('pmVc' in paid, JSON.stringify(paid));
    assert.deepEqual((await validate()).cart.reasonCodes, ['HP_REQUIRED'], 'the next one asks again');
  });

  test('an approved cart without a person is not paid once the same was paid meanwhile', async () => {
    const { cart } = await validate();
    const request = { maxAmount: 25, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    const offer = { domain: 'shop.example', items: ITEMS, total: 25, currency: 'USD' };
    const cartVc = makeCart(shop, offer, new Date(node.clock.now));
    const hpProof = await proof();
    const approved = await node.run('validateCart', { intentVc, cartVc, hpProof });
    const paid = idOf(await node.run('mandatePayment', { approvalToken: approved.approvalToken }));
    const refused = await node.run('mandatePayment', { approvalToken: cart.approvalToken });
    assert.deepEqual([refused.reasonCodes, refused.duplicateOf.mandateId], [['HP_REQUIRED'], paid]);
  });

  test('it is refused where the policy never asks one', async () => {
    await rule({ action: 'presence' }, { context: { presence: 'never' } });
    await buy();
    assert.deepEqual(await codesOf(), SUSPECTED);
  });
});

describe('what is said of it later', () => {
  test('the decision shows the figures of its moment, and when it would have passed, which it does', async () => {
    await buy();
    const boughtAt = node.clock.now;
    node.clock.now += 41_000;
    const { intentVc } = await validate();
    node.clock.now += 5000;
    const { transactionId } = (await node.run('getIntent', {
      mandateId: intentVc.credentialSubject.mandateId,
    })) as Loose;
    const decision = await newest(transactionId);
    const row = decision.ruleTable.find((each: Loose) => each.rule === 'DUPLICATE_SUSPECTED');
    assert.deepEqual(row, {
      rule: 'DUPLICATE_SUSPECTED',
      outcome: 'failed',
      asked: 2,
      limit: 1,
      left: -1,
      sentence: 'The same was bought 41 seconds ago and is authorized.',
    });
    const from = new Date(boughtAt + 10 * MINUTE_MS).toISOString();
    assert.deepEqual(
      decision.counterfactual.alone.map((each: Loose) => [each.change, each.from]),
      [['time', from]],
    );
    node.clock.now = Date.parse(from);
    assert.deepEqual(await codesOf(), ['ALLOWED']);
  });

  test('the decisions of a purchase that passed show that it was the first, at the cart and in the mandate', async () => {
    const { transactionId } = await node.run('getPayment', { mandateId: idOf(await buy()) });
    const row = (await newest(transactionId)).ruleTable.find((each: Loose) => each.rule === 'DUPLICATE_SUSPECTED');
    assert.deepEqual([row.outcome, row.asked, row.left], ['passed', 1, 0]);
    const { data } = await node.run('searchEvidence', { eventType: 'PM_ISSUED' });
    assert.deepEqual(data[0].data.sameBefore, { count: 0 });
  });

  test('a cart that waits for a person shows why, and that a person helps', async () => {
    await rule({ action: 'presence' });
    await buy();
    const { intentVc } = await validate();
    const { transactionId } = (await node.run('getIntent', {
      mandateId: intentVc.credentialSubject.mandateId,
    })) as Loose;
    const decision = await newest(transactionId);
    const row = decision.ruleTable.find((each: Loose) => each.rule === 'duplicate');
    assert.deepEqual([row.outcome, row.sentence], ['person', 'You bought the same a moment ago.']);
    assert.deepEqual(
      decision.counterfactual.alone.map((each: Loose) => each.change),
      ['presence'],
    );
  });

  test('nothing is recorded of it where no rule asks', async () => {
    await policy({ spend: { amount_cap: 1000, currency: 'USD' } });
    await buy();
    await buy();
    const { data } = await node.run('searchEvidence', { limit: 50 });
    assert.ok(!JSON.stringify(data).includes('sameBefore'));
  });
});

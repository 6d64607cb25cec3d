/** Mandates of AP2 v0.1 in data parts of A2A: a purchase in one context, as AP2's Python models write its messages. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Ap2Merchant,
  cartContents,
  intentMandate,
  makeAp2Merchant,
  paymentMandate,
  SAMPLE_JWT,
} from '../../support/ap2.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { artifactOf, callStandard, resultOf, saidBy, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

const INTENT = 'ap2.mandates.IntentMandate';
const CART = 'ap2.mandates.CartMandate';
const PAYMENT = 'ap2.mandates.PaymentMandate';

for (const engine of everyEngine()) {
  describe(`AP2 in data parts, ${engine.name}`, () => {
    let world: World;
    let shop: Ap2Merchant;
    before(async () => {
      world = await makeWorld(engine);
      shop = await makeAp2Merchant('ES256');
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk })).status, 201);
      const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'ap2', rules })).status, 201);
    });
    after(() => world.close());

    const about = () => ({ 'countersign.about': { agentDid: world.agent.did, principalDid: world.principal.did } });
    const alone = { user_cart_confirmation_required: false };
    const intentIn = async (contextId: string, mandate: Loose = alone) => {
      const task = await sendTo(world, { [INTENT]: intentMandate(mandate), ...about() }, { contextId });
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task.status));
      return task;
    };
    /** The object of AP2 that an artifact gives back. */
    const echoOf = (task: Loose, name: string, key: string) =>
      task.artifacts
        .find((artifact: Loose) => artifact.name === name)
        .parts.map(({ data }: Loose) => data?.[key])
        .find((found: unknown) => found !== undefined);
    const refusal = (task: Loose): string[] => saidBy(task)['countersign.refusal'].reasonCodes;
    const errorOf = async (data: object, more: object) =>
      (await callStandard(world, 'SendMessage', { message: taskMessage(data, more) })).body.error;

    test('intent, cart and payment go through in one context, 0.1 and 0.2 being 0.3, and answers give the mandates back', async () => {
      const contextId = 'ap2-buy';
      await intentIn(contextId);
      const contents = cartContents(
        [
          ['Shoes', 0.1],
          ['Laces', 0.2],
        ],
        0.3,
      );
      const cartMandate = await shop.sign(contents);
      const cart = await sendTo(world, { [CART]: cartMandate, risk_data: 'low' }, { contextId });
      assert.equal(cart.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(cart.status));
      assert.equal(artifactOf(cart, 'cartResult').allowed, true);
      assert.deepEqual(echoOf(cart, 'cartResult', CART), cartMandate);
      const mandate = paymentMandate(contents);
      const paid = await sendTo(world, { [PAYMENT]: mandate }, { contextId });
      assert.equal(paid.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(paid.status));
      assert.equal(artifactOf(paid, 'paymentResult').pmVc.credentialSubject.amount, 0.3);
      assert.deepEqual(echoOf(paid, 'paymentResult', PAYMENT), mandate);
      const { data } = (await world.rest('GET', `/ap2/evidence/search?contextId=${contextId}&limit=200`)).body;
      const attached = data.find((event: Loose) => event.eventType === 'TASK_ATTACHED');
      assert.deepEqual(attached.data.parts, [{ risk_data: 'low' }]);
    });

    test('a token of another provider is no instrument of the node’s, and the usual one pays', async () => {
      const contextId = 'ap2-token';
      await intentIn(contextId);
      const contents = cartContents([['Shoes', 5]], 5);
      await sendTo(world, { [CART]: await shop.sign(contents) }, { contextId });
      const mandate = paymentMandate(contents);
      mandate.payment_mandate_contents.payment_response.details = { token: 'tok_of_another', value: null };
      const paid = await sendTo(world, { [PAYMENT]: mandate }, { contextId });
      assert.equal(paid.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(paid.status));
    });

    test('a cart that the agent wants confirmed waits for the person, and goes on by itself', async () => {
      const person = makePerson(world);
      await person.enroll();
      const contextId = 'ap2-touch';
      await intentIn(contextId, { user_cart_confirmation_required: true });
      const cartMandate = await shop.sign(cartContents([['Shoes', 5]], 5));
      const cart = await sendTo(world, { [CART]: cartMandate }, { contextId });
      assert.equal(cart.status.state, 'TASK_STATE_AUTH_REQUIRED');
      await person.decide(saidBy(cart)['countersign.approval'].id);
      const look = () => resultOf(world, 'GetTask', { id: cart.id });
      await until('the cart being approved', async () => (await look()).status.state === 'TASK_STATE_COMPLETED');
      assert.deepEqual(echoOf(await look(), 'cartResult', CART), cartMandate);
    });

    test('a cart whose signature is a sample’s, another cart’s, or of another context is refused', async () => {
      const contextId = 'ap2-forged';
      await intentIn(contextId);
      const contents = cartContents([['Shoes', 5]], 5);
      const sample = await sendTo(world, { [CART]: { contents, merchant_authorization: SAMPLE_JWT } }, { contextId });
      assert.deepEqual(refusal(sample), ['MERCHANT_UNVERIFIED']);
      const { merchant_authorization } = await shop.sign(cartContents([['Shoes', 4]], 4));
      const swapped = await sendTo(world, { [CART]: { contents, merchant_authorization } }, { contextId });
      assert.deepEqual(refusal(swapped), ['MERCHANT_UNVERIFIED']);
      const signed = await shop.sign(contents);
      const first = await sendTo(world, { [CART]: signed }, { contextId });
      assert.equal(first.status.state, 'TASK_STATE_COMPLETED');
      await intentIn('ap2-elsewhere');
      const replayed = await sendTo(world, { [CART]: signed }, { contextId: 'ap2-elsewhere' });
      assert.deepEqual(refusal(replayed), ['MERCHANT_UNVERIFIED']);
    });

    test('what the context does not hold is an error that says so, and no task', async () => {
      const contents = cartContents([['Shoes', 5]], 5);
      const signed = await shop.sign(contents);
      const without = await errorOf({ [CART]: signed }, {});
      assert.equal(without.code, -32602);
      assert.equal(without.data[1].fieldViolations[0].field, 'message.contextId');
      const empty = await errorOf({ [CART]: signed }, { contextId: 'ap2-nothing-here' });
      assert.match(empty.message, /no intent/);
      await intentIn('ap2-details');
      await sendTo(world, { [CART]: signed }, { contextId: 'ap2-details' });
      const other = await errorOf(
        { [PAYMENT]: paymentMandate(cartContents([['Hat', 5]], 5)) },
        { contextId: 'ap2-details' },
      );
      assert.match(other.message, /payment_details_id/);
      const dearer = paymentMandate(contents);
      dearer.payment_mandate_contents.payment_details_total = cartContents(
        [['Shoes', 6]],
        6,
      ).payment_request.details.total;
      const total = await errorOf({ [PAYMENT]: dearer }, { contextId: 'ap2-details' });
      assert.match(total.message, /total/);
      const claimed = { ...paymentMandate(contents), user_authorization: 'eyJhbGciOiJFUzI1NksifQ' };
      const vouched = await errorOf({ [PAYMENT]: claimed }, { contextId: 'ap2-details' });
      assert.match(vouched.message, /cannot be verified/);
    });

    test('another agent’s context is another context', async () => {
      const other = await world.newAgent();
      const contextId = 'ap2-squatted';
      await intentIn(contextId);
      const contents = cartContents([['Shoes', 5]], 5);
      const key = await world.rest('POST', '/ap2/admin/api-keys', {
        name: 'other',
        permissions: ['read', 'write'],
        agents: [other.did],
      });
      const headers = { Authorization: `Bearer ${key.body.key}` };
      const message = taskMessage({ [CART]: await shop.sign(contents) }, { contextId });
      const { body } = await callStandard(world, 'SendMessage', { message }, headers);
      assert.match(body.error.message, /no intent/);
    });
  });
}

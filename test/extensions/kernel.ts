/** What the kernel does with a rail and no other extension: run by takeAway.test.ts in copies that lack extensions. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, engines } from '../support/engines.ts';
import { type Loose, makeWorld } from '../support/world.ts';

const [ENGINE] = engines() as [Engine];

test('an intent, a cart and a payment pass over REST and between agents, are refused where the policy says so, and verify', async () => {
  const world = await makeWorld(ENGINE);
  try {
    const { rules } = (await world.rest('GET', '/ap2/policies/current')).body;
    const byToy = { name: 'By the toy', rules: { ...rules, rails: { allow: ['TOY_RAIL'] } } };
    assert.equal((await world.rest('POST', '/ap2/admin/policies', byToy)).status, 201);
    const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(20))).body;
    const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(20) });
    assert.equal(cart.body.allowed, true, cart.text);
    const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
    assert.ok(paid.body.pmVc, paid.text);
    const { mandateId } = paid.body.pmVc.credentialSubject;
    const captured = await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
    assert.equal(captured.body.status, 'CAPTURED', captured.text);

    const said = async (type: string, body: object): Promise<Loose> => {
      const { result, error } = await world.say(type, body as never);
      assert.ok(result !== undefined, JSON.stringify(error));
      return result.message.body;
    };
    const intent = await said('IntentMandate', world.intentBody(15));
    const approved = await said('CartMandate', { intentVc: intent.intentVc, cartVc: world.cart(15) });
    const { pmVc } = await said('PaymentMandate', { approvalToken: approved.approvalToken });
    assert.match(pmVc.credentialSubject.mandateId, /^pm_/);

    const over = await world.rest('POST', '/ap2/intents', world.intentBody(1_000_000));
    assert.equal(over.body.allowed, false, over.text);
    const unknown = await world.rest('POST', '/ap2/intents', {
      ...world.intentBody(5),
      delegationId: `dlg_${'0'.repeat(26)}`,
    });
    assert.equal(unknown.status, 404, unknown.text);

    const { paths } = (await world.rest('GET', '/openapi.json')).body;
    assert.ok('/ap2/payments/mandate' in paths);
    assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
  } finally {
    await world.close();
  }
});

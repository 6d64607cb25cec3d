/** A node with two rails: the policy says which of them a purchase takes. Run by addExtension.test.ts, where the toy rail is in the list. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { type Engine, engines } from '../../support/engines.ts';
import { makeWorld, type World } from '../../support/world.ts';

const [ENGINE] = engines() as [Engine];

describe('a node with the sandbox rail and a toy', () => {
  test('takes the first in its own order, or the first of the policy’s, and finds each payment at its own rail', async () => {
    const world = await makeWorld(ENGINE);
    try {
      const { rails } = (await world.rest('GET', '/ap2/admin/health')).body;
      assert.deepEqual(
        rails.map(({ name }: { name: string }) => name),
        ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL', 'TOY_RAIL'],
      );
      for (const [rules, rail] of [
        [undefined, 'CARD_RAIL'],
        [{ allow: ['TOY_RAIL'] }, 'TOY_RAIL'],
        [{ priorities: ['TOY_RAIL'] }, 'TOY_RAIL'],
        [{ allow: ['TOY_RAIL', 'CARD_RAIL'] }, 'CARD_RAIL'],
      ] as const) {
        await setRails(world, rules);
        const { mandateId, reply } = await pay(world);
        assert.equal(reply.body.railResponse.rail, rail, reply.text);
        assert.match(reply.body.railResponse.paymentIntentId, rail === 'TOY_RAIL' ? /^toy_/ : /^pi_/);
        const captured = await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
        assert.equal(captured.body.status, 'CAPTURED', captured.text);
        const refunded = await world.rest('POST', `/ap2/payments/${mandateId}/refund`);
        assert.equal(refunded.body.status, 'REFUNDED', refunded.text);
      }
      await setRails(world, { allow: ['OTHER_RAIL'] });
      const { cart } = await approve(world);
      assert.deepEqual(cart.body.reasonCodes, ['RAIL_UNAVAILABLE']);
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
    } finally {
      await world.close();
    }
  });

  test('asks the rail of the purchase alone about an instrument', async () => {
    const world = await makeWorld(ENGINE, { EXTENSIONS: 'toy-rail' });
    try {
      await setRails(world, undefined);
      const { cart } = await approve(world);
      const { approvalToken } = cart.body;
      const foreign = await world.rest('POST', '/ap2/payments/mandate', { approvalToken, instrument: 'pm_card_visa' });
      assert.equal(foreign.status, 400, foreign.text);
      const empty = await world.rest('POST', '/ap2/payments/mandate', { approvalToken, instrument: 'acct_empty' });
      assert.equal(empty.body.railResponse.error?.code, 'no_money', empty.text);
    } finally {
      await world.close();
    }
  });
});

async function setRails(world: World, rails: object | undefined): Promise<void> {
  const { rules } = (await world.rest('GET', '/ap2/policies/current')).body;
  const { rails: _, ...others } = rules;
  const changed = { name: 'Two rails', rules: rails === undefined ? others : { ...others, rails } };
  assert.equal((await world.rest('POST', '/ap2/admin/policies', changed)).status, 201);
}

async function approve(world: World) {
  const intent = await world.rest('POST', '/ap2/intents', world.intentBody(10));
  const body = { intentVc: intent.body.intentVc, cartVc: world.cart(10) };
  return { cart: await world.rest('POST', '/ap2/carts/validate', body) };
}

async function pay(world: World) {
  const { cart } = await approve(world);
  const reply = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
  return { reply, mandateId: reply.body.pmVc.credentialSubject.mandateId as string };
}

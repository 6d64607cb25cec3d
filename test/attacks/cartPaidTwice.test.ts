/** A merchant's offer is paid once, and not for ever. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Rail, RailOutcome } from '../../src/rails/rail.ts';
import { everyEngine } from '../support/engines.ts';
import { type JsonObject, prove } from '../support/peer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const HOUR_MS = 3_600_000;

for (const engine of everyEngine()) {
  describe(`one offer of a merchant on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const offer = (): JsonObject => world.cart(10);
    const validate = async (cartVc: JsonObject): Promise<Loose> => {
      const agent = await world.newAgent();
      const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10, { agent }))).body;
      return (await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc })).body;
    };
    const pay = async (approvalToken: string, more: object = {}): Promise<Loose> =>
      (await world.rest('POST', '/ap2/payments/mandate', { approvalToken, ...more })).body;
    /** Without an end of its own, signed so long ago. */
    const endless = (agoMs: number): JsonObject => {
      const { expirationDate: _end, proof: _proof, ...rest } = offer();
      const at = new Date(Date.now() + world.clock.aheadMs - agoMs);
      return prove(world.merchant, { ...rest, issuanceDate: at.toISOString() }, 'assertionMethod', at);
    };

    test('that was paid is refused for any other intent, over REST and over A2A, and signed anew as well', async () => {
      const cartVc = offer();
      const { approvalToken } = await validate(cartVc);
      assert.ok('pmVc' in (await pay(approvalToken)));
      assert.deepEqual((await validate(cartVc)).reasonCodes, ['CART_USED']);
      const { proof: _, ...unsigned } = cartVc;
      assert.deepEqual((await validate(prove(world.merchant, unsigned, 'assertionMethod'))).reasonCodes, ['CART_USED']);
      const intent = await world.say('IntentMandate', world.intentBody(10));
      const { intentVc } = intent.result.message.body;
      const answer = await world.say('CartMandate', { intentVc, cartVc });
      assert.deepEqual(answer.error.data.reasonCodes, ['CART_USED']);
    });

    test('with three approvals that are paid at once is paid once', async () => {
      const cartVc = offer();
      const tokens = [await validate(cartVc), await validate(cartVc), await validate(cartVc)];
      const answers = await Promise.all(tokens.map(({ approvalToken }) => pay(approvalToken)));
      const codes = answers.flatMap(({ reasonCodes }) => reasonCodes ?? ['PAID']).sort();
      assert.deepEqual(codes, ['CART_USED', 'CART_USED', 'PAID']);
    });

    test('whose payment is not decided yet is not paid again, and is free once that payment has failed', async () => {
      const cartVc = offer();
      const [first, second] = [await validate(cartVc), await validate(cartVc)];
      const rail = world.node.deps.rails.get('CARD_RAIL') as Rail;
      const real = rail.authorize;
      let answer = (_outcome: RailOutcome) => {};
      const waiting = new Promise<RailOutcome>((resolve) => {
        answer = resolve;
      });
      const asked = new Promise<void>((resolve) => {
        const authorize = () => {
          resolve();
          return waiting;
        };
        Object.assign(rail, { authorize });
      });
      const paying = pay(first.approvalToken);
      await asked;
      assert.deepEqual((await pay(second.approvalToken)).reasonCodes, ['CART_USED']);
      answer({ kind: 'declined', code: 'card_declined', message: 'No.' });
      assert.equal((await paying).railResponse.status, 'failed');
      Object.assign(rail, { authorize: real });
      assert.equal((await pay(second.approvalToken)).railResponse.status, 'requires_capture');
    });

    test('whose payment was authorized and canceled stays used', async () => {
      const cartVc = offer();
      const paid = await pay((await validate(cartVc)).approvalToken);
      await world.rest('POST', `/ap2/payments/${paid.pmVc.credentialSubject.mandateId}/cancel`);
      assert.deepEqual((await validate(cartVc)).reasonCodes, ['CART_USED']);
    });

    test('that names no end holds for a day after it was issued', async () => {
      assert.equal((await validate(endless(24 * HOUR_MS - 60_000))).allowed, true);
      assert.deepEqual((await validate(endless(24 * HOUR_MS))).reasonCodes, ['CART_EXPIRED']);
      assert.deepEqual((await validate(endless(7 * 365 * 24 * HOUR_MS))).reasonCodes, ['CART_EXPIRED']);
    });

    test('that ends between its approval and its payment is not paid', async () => {
      const { approvalToken } = await validate(endless(24 * HOUR_MS - 60_000));
      world.clock.aheadMs += 60_000;
      assert.deepEqual((await pay(approvalToken)).reasonCodes, ['CART_EXPIRED']);
      world.clock.aheadMs -= 60_000;
    });
  });
}

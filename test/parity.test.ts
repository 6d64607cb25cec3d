/** Both gates give the same body for the same request: they translate, they do not judge. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from './support/engines.ts';
import type { JsonObject, Peer } from './support/peer.ts';
import { type Loose, makeWorld, type World } from './support/world.ts';

/** What differs between two runs of one request, replaced by its kind. */
function shape(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shape);
  if (typeof value === 'object' && value !== null) {
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, shape(member)]));
  }
  if (typeof value !== 'string') return value;
  return value
    .replace(/\b(intent|pm|apt|pi|hp|txn)_[\w-]+/g, '$1_…')
    .replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '(time)')
    .replace(/did:key:z\w+/g, '(did)')
    .replace(/\.\.[\w-]+$/, '(signature)');
}

const PATHS = {
  IntentMandate: '/ap2/intents',
  CartMandate: '/ap2/carts/validate',
  PaymentMandate: '/ap2/payments/mandate',
};
type MandateType = keyof typeof PATHS;

for (const engine of engines()) {
  describe(`both gates on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    /** Asks through both gates with bodies made for an agent each, and returns both answers. */
    async function ask(
      type: MandateType,
      bodyFor: (agent: Peer, gate: 'rest' | 'a2a') => Promise<JsonObject> | JsonObject,
      agents: Record<'rest' | 'a2a', Peer>,
    ): Promise<{ rest: Loose; a2a: Loose }> {
      const rest = await world.rest('POST', PATHS[type], await bodyFor(agents.rest, 'rest'));
      const answer = await world.say(type, await bodyFor(agents.a2a, 'a2a'), { from: agents.a2a });
      if (rest.status !== 200) {
        const fault = { code: rest.body.error.code, message: rest.body.error.message };
        return {
          rest: fault,
          a2a: { code: answer.error.data.code, message: answer.error.message },
        };
      }
      return { rest: rest.body, a2a: answer.result?.message.body ?? answer.error.data };
    }

    const intents: readonly (readonly [string, (agent: Peer) => JsonObject])[] = [
      ['is allowed', (agent) => world.intentBody(20, { agent })],
      ['needs presence', (agent) => world.intentBody(120, { agent })],
      ['is over the cap', (agent) => world.intentBody(1000, { agent })],
      ['has too many decimals', (agent) => world.intentBody(1.234, { agent })],
      [
        'asks for an unknown currency',
        (agent) => ({ ...world.intentBody(1, { agent }), request: { maxAmount: 1, currency: 'QQQ' } }),
      ],
    ];
    for (const [name, body] of intents) {
      test(`answer alike to an intent that ${name}`, async () => {
        const agents = { rest: await world.newAgent(), a2a: await world.newAgent() };
        const answers = await ask('IntentMandate', body, agents);
        assert.deepEqual(shape(answers.a2a), shape(answers.rest));
      });
    }

    test('answer alike all the way through a purchase, a rejected cart and a declined card', async () => {
      const agents = { rest: await world.newAgent(), a2a: await world.newAgent() };
      const intent = await ask('IntentMandate', (agent) => world.intentBody(30, { agent }), agents);
      const cartOf = (amount: number) => (_agent: Peer, gate: 'rest' | 'a2a') => ({
        intentVc: intent[gate].intentVc,
        cartVc: world.cart(amount),
      });
      const rejected = await ask('CartMandate', cartOf(31), agents);
      assert.deepEqual(shape(rejected.a2a), shape(rejected.rest));
      const cart = await ask('CartMandate', cartOf(30), agents);
      const { cartHash: _a, ...a2aCart } = cart.a2a;
      const { cartHash: _b, ...restCart } = cart.rest;
      assert.deepEqual(shape(a2aCart), shape(restCart));
      const declined = await ask(
        'PaymentMandate',
        (_agent, gate) => ({ approvalToken: cart[gate].approvalToken, instrument: 'pm_card_visa_chargeDeclined' }),
        agents,
      );
      const { cartHash: _c, ...a2aSubject } = declined.a2a.pmVc.credentialSubject;
      const { cartHash: _d, ...restSubject } = declined.rest.pmVc.credentialSubject;
      assert.deepEqual(shape(a2aSubject), shape(restSubject));
      assert.deepEqual(shape(declined.a2a.railResponse), shape(declined.rest.railResponse));
    });
  });
}

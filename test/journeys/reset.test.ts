/** Test data is reset beside purchases under way: everybody gets a clear answer, and nothing at the rail is forgotten. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Rail, RailOutcome } from '../../src/rails/rail.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { makePerson, type Person } from '../support/person.ts';
import { approve, mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type Reply, type World } from '../support/world.ts';

const OPERATIONS = ['authorize', 'capture', 'cancel', 'refund'] as const;
const BUYERS = 4;
const ROUNDS = 25;
/** A denial and a conflict are answers; JSON-RPC has its own codes for them. */
const CLEAR_RPC = [-32000, -32002, -32004, -32005, -32602];

for (const engine of everyEngine()) {
  describe(`a reset of the test data on ${engine.name}`, () => {
    let world: World;
    let rail: Rail;
    let owner: Person;
    let real: Pick<Rail, (typeof OPERATIONS)[number]>;
    before(async () => {
      world = await makeWorld(engine, { LOG_LEVEL: 'fatal' });
      rail = world.node.deps.rails.get('CARD_RAIL') as Rail;
      real = { ...rail };
      owner = makePerson(world);
      await owner.enroll();
      const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'Free', rules })).status, 201);
    });
    after(() => world.close());

    const reset = async () => {
      const reply = await world.rest('POST', '/ap2/admin/reset-test-data');
      assert.equal(reply.status, 204, reply.text);
    };
    const refused: string[] = [];
    /** @returns the answer where it is one of success */
    const clear = (reply: Reply): Loose => {
      assert.ok(reply.status < 300 || [400, 404, 409].includes(reply.status), `${reply.status} ${reply.text}`);
      if (reply.status >= 300) refused.push(reply.text);
      return reply.status < 300 ? reply.body : undefined;
    };

    /** Intent, cart, payment, capture and refund, as far as a reset leaves what they need. */
    async function buy(agent: Peer): Promise<void> {
      const intent = clear(await world.rest('POST', '/ap2/intents', world.intentBody(5, { agent })));
      const request = { intentVc: intent.intentVc, cartVc: world.cart(5) };
      const approved = clear(await world.rest('POST', '/ap2/carts/validate', request));
      const { approvalToken } = approved ?? {};
      if (approvalToken === undefined) return;
      const paid = clear(await world.rest('POST', '/ap2/payments/mandate', { approvalToken }));
      if (paid?.pmVc === undefined) return;
      const path = `/ap2/payments/${paid.pmVc.credentialSubject.mandateId}`;
      clear(await world.rest('POST', `${path}/capture`));
      clear(await world.rest('POST', `${path}/refund`, { amount: 1 }));
      clear(await world.rest('GET', path));
    }

    async function talk(agent: Peer, contextId: string): Promise<void> {
      const said = async (type: string, body: Loose) => {
        const answer = await world.say(type, body, { from: agent, contextId });
        if (answer.error !== undefined) {
          assert.ok(CLEAR_RPC.includes(answer.error.code), JSON.stringify(answer));
          refused.push(JSON.stringify(answer.error));
        }
        return answer.result?.message.body;
      };
      const session = { contextId, agentDid: agent.did, userDid: world.principal.did };
      clear(await world.rest('POST', '/a2a/sessions', session));
      const intent = await said('IntentMandate', world.intentBody(5, { agent }));
      if (intent === undefined) return;
      const cart = await said('CartMandate', { intentVc: intent.intentVc, cartVc: world.cart(5) });
      if (cart?.approvalToken !== undefined) await said('PaymentMandate', { approvalToken: cart.approvalToken });
    }

    async function ask(): Promise<void> {
      const intent = clear(await world.rest('POST', '/ap2/intents', world.intentBody(150)));
      const request = { intentVc: intent.intentVc, cartVc: world.cart(150) };
      const { approval } = clear(await world.rest('POST', '/ap2/carts/validate', request)) ?? {};
      if (approval === undefined) return;
      const begun = clear(await world.rest('POST', `/approve/${approval.id}/begin`, { decision: 'approve' }, {}));
      if (begun !== undefined) clear(await owner.complete(approval.id, begun));
      clear(await world.rest('GET', `/ap2/approvals/${approval.id}`));
    }

    /** What reads the chain in several steps, and what signs it. */
    async function look(): Promise<void> {
      for (const path of ['verify', 'export', 'checkpoints', 'search']) {
        clear(await world.rest('GET', `/ap2/evidence/${path}`));
      }
      const demo = { agentDid: world.agent.did, principalDid: world.principal.did, amount: 5, currency: 'USD' };
      clear(await world.rest('POST', '/ap2/demo/payment', { ...demo, merchantDomain: 'demo.example' }));
      const { data } = clear(await world.rest('GET', '/ap2/payments')) ?? {};
      for (const { transactionId } of data.slice(0, 2)) {
        clear(await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`));
      }
    }

    test('beside purchases, sessions and approvals gives each of them a clear answer', async () => {
      for (const operation of OPERATIONS) {
        const slow: Rail['authorize'] = async (key, request) => {
          await pause(15);
          return real[operation](key, request);
        };
        Object.assign(rail, { [operation]: slow });
      }
      const agents = [world.agent, await world.newAgent('second'), await world.newAgent('third')];
      const buyers = Array.from({ length: BUYERS }, async (_, at) => {
        for (let round = 0; round < ROUNDS; round += 1) await buy(agents[at % agents.length] as Peer);
      });
      const speaker = async () => {
        for (let round = 0; round < ROUNDS; round += 1) await talk(world.agent, `talk ${round}`);
      };
      const asker = async () => {
        for (let round = 0; round < ROUNDS; round += 1) await ask();
      };
      const reader = async () => {
        for (let round = 0; round < ROUNDS; round += 1) await look();
      };
      let going = true;
      const others = Promise.all([...buyers, speaker(), asker(), reader()]).finally(() => {
        going = false;
      });
      while (going) {
        await reset();
        // Long enough for purchases to get as far as the rail.
        await pause(60);
      }
      await others;
      const met = refused.filter((text) => text.includes('was reset while the rail was asked'));
      assert.ok(met.length > 0, 'no reset met an operation at the rail');
      Object.assign(rail, real);
      await purchase(world, 5);
      const { body } = await world.rest('GET', '/ap2/evidence/verify');
      assert.equal(body.valid, true, JSON.stringify(body));
    });

    for (const operation of ['authorize', 'capture'] as const) {
      test(`names what the rail is being asked (${operation}), and tells its caller how that ended`, async () => {
        const mandateId = operation === 'capture' ? mandateIdOf(await purchase(world, 5)) : undefined;
        const approvalToken = await approve(world, 5);
        let answer = (_outcome: RailOutcome) => {};
        const asked = new Promise<void>((isAsked) => {
          const held = new Promise<RailOutcome>((resolve) => {
            answer = resolve;
          });
          Object.assign(rail, {
            [operation]: () => {
              isAsked();
              return held;
            },
          });
        });
        const [path, body] =
          mandateId === undefined
            ? (['/ap2/payments/mandate', { approvalToken }] as const)
            : ([`/ap2/payments/${mandateId}/capture`, {}] as const);
        const under = world.rest('POST', path, { ...body, idempotencyKey: `${operation} once` });
        await asked;
        await reset();
        answer({ kind: 'ok', railId: 'pi_late', status: 'succeeded' });
        const reply = await under;
        Object.assign(rail, real);
        assert.equal(reply.status, 409, reply.text);
        const told = `reset while the rail was asked to ${operation}; its outcome there is "ok" (pi_late)`;
        assert.ok(reply.body.error.message.includes(told), reply.text);
        const { data } = (await world.rest('GET', '/ap2/evidence/search?eventType=TEST_DATA_RESET')).body;
        assert.equal(data[0].data.underWay.length, 1);
        assert.equal(data[0].data.underWay[0].operation, operation);
        if (mandateId !== undefined) assert.equal(data[0].data.underWay[0].mandateId, mandateId);
        // The request left no mark: the same key may be used again.
        const again = await world.rest('POST', path, { ...body, idempotencyKey: `${operation} once` });
        assert.equal(again.status, 404, again.text);
        assert.equal((await world.rest('GET', '/ap2/payments')).body.data.length, 0);
      });
    }

    test('leaves no worker behind that asks for what is gone', async () => {
      Object.assign(rail, { authorize: async () => ({ kind: 'unknown', reason: 'silence' }) });
      const payment = await purchase(world, 5);
      assert.equal(payment.railResponse.status, 'unknown');
      await reset();
      Object.assign(rail, real);
      assert.equal((await world.rest('GET', `/ap2/payments/${mandateIdOf(payment)}`)).status, 404);
      const { data } = (await world.rest('GET', '/ap2/evidence/search?limit=5')).body;
      assert.deepEqual(
        data.map((event: Loose) => event.eventType),
        ['TEST_DATA_RESET'],
      );
    });
  });
}

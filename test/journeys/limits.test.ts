/** The twelve limits of docs/guides/limits.md, each asked for over REST and A2A: what passes, what does not, and in which words. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { after, before, beforeEach, describe, test } from 'node:test';
import { restoreHolds } from '../../src/workers/restoreHolds.ts';
import { rollUpLimits } from '../../src/workers/rollUpLimits.ts';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makeMessage, makePeer, type Peer } from '../support/peer.ts';
import { makePerson, type Person } from '../support/person.ts';
import { resultOf, signedMessage, taskMessage } from '../support/standardPeer.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

/** Each section's policy, and the sentence below its cases. */
const SECTIONS = new Map(
  readFileSync('docs/guides/limits.md', 'utf8')
    .split(/^### /m)
    .slice(1)
    .map((section) => {
      const [rules = ''] = [...section.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json]) => json as string);
      const [, sentence] = /^> (.+)$/m.exec(section) ?? [];
      return [section.split('\n')[0] as string, { rules: JSON.parse(rules), sentence: String(sentence) }] as const;
    }),
);
const sectionOf = (title: string) => SECTIONS.get(title) as { readonly rules: Loose; readonly sentence: string };

const GROCERIES = '5411';
const RESTAURANT = '5812';
const OTHER = 'other.example';
const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
/** A Wednesday in the middle of a month, a quarter and a year. */
const START = Date.UTC(2027, 1, 17, 12);

interface Wanted {
  readonly agent?: Peer;
  readonly principal?: Peer;
  /** Null for an intent that names no merchant. */
  readonly domain?: string | null;
  readonly mcc?: string;
  readonly currency?: string;
  readonly items?: { name: string; price: number; quantity: number }[];
}

for (const engine of everyEngine()) {
  for (const gate of ['REST', 'A2A'] as const) {
    describe(`limits over ${gate} on ${engine.name}`, () => {
      let world: World;
      let person: Person;
      before(async () => {
        world = await makeWorld(engine);
        person = makePerson(world);
        await person.enroll();
        const bound = { domain: OTHER, did: world.merchant.did };
        assert.equal((await world.rest('POST', '/ap2/admin/merchants', bound)).status, 201);
      });
      after(() => world.close());
      beforeEach(async () => {
        assert.equal((await world.rest('POST', '/ap2/admin/reset-test-data')).status, 204);
        at(START);
      });

      const now = () => Date.now() + world.clock.aheadMs;
      const at = (time: number) => {
        world.clock.aheadMs = time - Date.now();
      };
      const setRules = async (rules: Loose) => {
        const made = await world.rest('POST', '/ap2/admin/policies', { name: 'limits', rules });
        assert.equal(made.status, 201, made.text);
      };
      /** Sets the policy of a section. @returns its sentence */
      const set = async (title: string): Promise<string> => {
        const { rules, sentence } = sectionOf(title);
        await setRules(rules);
        return sentence;
      };

      /** Asks through the gate; the decision, whichever way the gate tells it. */
      const ask = async (agent: Peer, type: string, path: string, body: Loose): Promise<Loose> => {
        if (gate === 'REST') {
          const reply = await world.rest('POST', path, body);
          assert.equal(reply.status, 200, reply.text);
          return reply.body;
        }
        const created = new Date(now()).toISOString();
        const message = makeMessage(agent, { type, to: world.node.deps.issuer.did, body, created });
        const call = { jsonrpc: '2.0', id: 'call-1', method: 'a2a/message', params: { message } };
        const { body: answer } = await world.rpc(call);
        const decision = answer.result?.message.body ?? answer.error.data;
        return { allowed: answer.error === undefined, ...decision };
      };
      const intend = (amount: number, wanted: Wanted = {}): Promise<Loose> => {
        const { agent = world.agent, principal = agent, domain = SHOP, mcc, currency = 'USD' } = wanted;
        const vendorHints = { ...(domain === null ? {} : { domain }), ...(mcc === undefined ? {} : { mcc }) };
        const request = { maxAmount: amount, currency, vendorHints };
        const body = { agentDid: agent.did, principalDid: principal.did, request };
        return ask(agent, 'IntentMandate', '/ap2/intents', body);
      };
      const offer = (intentVc: Loose, amount: number, wanted: Wanted = {}, more: Loose = {}): Promise<Loose> => {
        const { agent = world.agent, domain, currency = 'USD' } = wanted;
        const items = wanted.items ?? [{ name: 'Thing', price: amount, quantity: 1 }];
        const what = { domain: domain ?? SHOP, items, total: amount, currency };
        const cartVc = more.cartVc ?? makeCart(world.merchant, what, new Date(now()));
        return ask(agent, 'CartMandate', '/ap2/carts/validate', { intentVc, cartVc, ...more });
      };
      const settle = (approvalToken: string, { agent = world.agent }: Wanted = {}): Promise<Loose> =>
        ask(agent, 'PaymentMandate', '/ap2/payments/mandate', { approvalToken });
      /** A whole purchase. @returns the payment's id */
      const buy = async (amount: number, wanted: Wanted = {}): Promise<string> => {
        const intent = await intend(amount, wanted);
        assert.equal(intent.allowed, true, JSON.stringify(intent));
        const cart = await offer(intent.intentVc, amount, wanted);
        assert.equal(cart.allowed, true, JSON.stringify(cart));
        const paid = await settle(cart.approvalToken, wanted);
        assert.equal(paid.railResponse.status, 'requires_capture', JSON.stringify(paid));
        return paid.pmVc.credentialSubject.mandateId;
      };
      const refuses = (decision: Loose, code: string, sentence: string) => {
        assert.equal(decision.allowed, false, JSON.stringify(decision));
        assert.deepEqual(decision.reasonCodes, [code]);
        assert.equal(decision.details[code].message, sentence);
        return decision.details[code];
      };
      const allows = (decision: Loose) => {
        assert.equal(decision.allowed, true, JSON.stringify(decision));
        return decision;
      };
      const register = async (agents: readonly Peer[]): Promise<Peer> => {
        const principal = makePeer();
        const body = { did: principal.did, name: 'A household', agents: agents.map(({ did }) => did) };
        assert.equal((await world.rest('POST', '/ap2/admin/principals', body)).status, 201);
        return principal;
      };

      test('groceries by the month: all agents share them, and what is bought elsewhere does not count', async () => {
        const sentence = await set('Groceries by the month');
        const other = await world.newAgent();
        await buy(150, { mcc: GROCERIES });
        await buy(90, { mcc: RESTAURANT });
        const refused = await intend(60, { agent: other, mcc: GROCERIES });
        const { used, left, limit, requested, resetsInSeconds } = refuses(refused, 'SPENDING_LIMIT_EXCEEDED', sentence);
        assert.deepEqual([requested, limit, used, left], [210, 200, 150, 50]);
        assert.ok(Math.abs(resetsInSeconds - (Date.UTC(2027, 2, 1) - START) / 1000) < 60, String(resetsInSeconds));
        const [failed] = refused.limits;
        assert.deepEqual(
          [failed.name, failed.used, failed.left, failed.window, failed.scope, failed.resetsAt],
          ['groceries', 150, 50, 'month', 'policy', '2027-03-01T00:00:00.000Z'],
        );
        const fits = allows(await intend(50, { agent: other, mcc: GROCERIES }));
        assert.deepEqual([fits.remaining.name, fits.remaining.used, fits.remaining.left], ['groceries', 200, 0]);
        at(Date.UTC(2027, 2, 1));
        allows(await intend(60, { agent: other, mcc: GROCERIES }));
      });

      test('one shop by the week: other shops do not count, and an intent of no shop is judged at its cart', async () => {
        const sentence = await set('One shop by the week');
        await buy(40);
        refuses(await intend(20), 'SPENDING_LIMIT_EXCEEDED', sentence);
        await buy(20, { domain: OTHER });
        const { intentVc } = allows(await intend(20, { domain: null }));
        refuses(await offer(intentVc, 20), 'SPENDING_LIMIT_EXCEEDED', sentence);
        allows(await offer(intentVc, 20, { domain: OTHER }));
        const another = allows(await intend(10, { domain: null }));
        allows(await offer(another.intentVc, 10));
        // From the cart on it holds its room at the shop.
        assert.equal((await intend(1)).details.SPENDING_LIMIT_EXCEEDED.used, 50);
        at(Date.UTC(2027, 1, 22));
        allows(await intend(20));
      });

      test('a person above a quarter’s sum: asked from the intent on, and what was approved counts', async () => {
        const sentence = await set("A person above a quarter's sum");
        await buy(490);
        const { intentVc, hpRequired } = allows(await intend(20));
        assert.equal(hpRequired, true);
        const what = { domain: SHOP, items: [{ name: 'Thing', price: 20, quantity: 1 }], total: 20, currency: 'USD' };
        const cartVc = makeCart(world.merchant, what, new Date(now()));
        const asked = await offer(intentVc, 20, {}, { cartVc });
        refuses(asked, 'HP_REQUIRED', sentence);
        const page = await world.rest('GET', `/approve/${asked.approval.id}/purchase`, undefined, {});
        assert.equal(page.body.left, undefined, 'a limit above which a person is asked refuses nothing');
        const decided = await person.decide(asked.approval.id);
        assert.equal(decided.status, 200, decided.text);
        const { hpProof } = (await world.rest('GET', `/ap2/approvals/${asked.approval.id}`)).body;
        const cart = allows(await offer(intentVc, 20, {}, { cartVc, hpProof }));
        assert.equal((await settle(cart.approvalToken)).railResponse.status, 'requires_capture');
        const { limits } = (await world.rest('GET', `/ap2/agents/${encodeURIComponent(world.agent.did)}/limits`)).body;
        assert.deepEqual([limits[0].used, limits[0].left, limits[0].action], [510, 0, 'presence']);
      });

      test('so many a day in Tokyo, on the day on which New York changes its clocks', async () => {
        const sentence = await set('So many a day, in Tokyo');
        at(Date.UTC(2027, 2, 14, 14, 30));
        await buy(5);
        await buy(5);
        const { requested, limit, used, left, resetsInSeconds } = refuses(
          await intend(5),
          'VELOCITY_EXCEEDED',
          sentence,
        );
        assert.deepEqual([requested, limit, used, left], [3, 2, 2, 0]);
        assert.ok(resetsInSeconds > 1700 && resetsInSeconds <= 1800, String(resetsInSeconds));
        at(Date.UTC(2027, 2, 14, 15));
        allows(await intend(5));
      });

      test('a principal’s budget is shared by its agents, and a mere name has none', async () => {
        const sentence = await set("A principal's budget over its agents");
        const agents = [await world.newAgent(), await world.newAgent(), await world.newAgent()] as const;
        const principal = await register(agents);
        for (const agent of agents) await buy(30, { agent, principal });
        for (const agent of agents) {
          refuses(await intend(40, { agent, principal }), 'SPENDING_LIMIT_EXCEEDED', sentence);
        }
        // Of its own money, and of names that prove nothing, each agent has the budget to itself.
        const [first, second] = agents;
        allows(await intend(70, { agent: first }));
        const named = await intend(71, { agent: first, principal: makePeer() });
        assert.deepEqual(named.reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
        allows(await intend(70, { agent: second, principal: makePeer() }));
        const shown = await world.rest('GET', `/ap2/limits?principalDid=${encodeURIComponent(principal.did)}`);
        assert.deepEqual([shown.body.limits[0].used, shown.body.limits[0].left], [90, 10]);
      });

      test('two limits: the one that is passed furthest is told, and all that failed are listed', async () => {
        const sentence = await set('Two limits, of which the wider one fails first');
        await buy(250);
        at(START + DAY);
        await buy(240);
        at(START + 2 * DAY);
        const one = await intend(20);
        refuses(one, 'SPENDING_LIMIT_EXCEEDED', sentence);
        assert.deepEqual(
          one.limits.map(({ name }: Loose) => name),
          ['month'],
        );
        const both = await intend(400);
        assert.match(both.details.SPENDING_LIMIT_EXCEEDED.message, /“month”/);
        assert.deepEqual(
          both.limits.map(({ name }: Loose) => name),
          ['day', 'month'],
        );
      });

      test('yen beside dollars: each counts its own currency alone', async () => {
        const sentence = await set('Yen beside dollars');
        await buy(90);
        await buy(4000, { currency: 'JPY' });
        refuses(await intend(1500, { currency: 'JPY' }), 'SPENDING_LIMIT_EXCEEDED', sentence);
        allows(await intend(1000, { currency: 'JPY' }));
        allows(await intend(10));
        allows(await intend(10_000, { currency: 'EUR' }));
      });

      for (const title of ['Two people above 2,000', "The agent's owner may not be one of them"]) {
        test(`${title}: the cart asks for both`, async () => {
          const sentence = await set(title);
          const { intentVc } = allows(await intend(2500));
          const asked = await offer(intentVc, 2500);
          refuses(asked, 'HP_REQUIRED', sentence);
          assert.deepEqual(asked.approval.people, { needed: 2, approved: [] });
          assert.equal(allows(await intend(2000)).hpRequired, false);
        });
      }

      test('the same within ten minutes is refused, something else for as much is not, and a person may be asked', async () => {
        const sentence = await set('The same within ten minutes');
        const hats = { items: [{ name: 'Hat', price: 10, quantity: 2 }] };
        await buy(20, hats);
        const { intentVc } = allows(await intend(20));
        const refused = await offer(intentVc, 20, hats);
        assert.deepEqual(refused.reasonCodes, ['DUPLICATE_SUSPECTED']);
        const [begins = '', ends = ''] = sentence.split('… ');
        const { message } = refused.details.DUPLICATE_SUSPECTED;
        assert.ok(message.startsWith(begins) && message.includes(ends.slice(0, -1)), message);
        allows(await offer(intentVc, 20, { items: [{ name: 'Cap', price: 10, quantity: 2 }] }));
        const { rules } = sectionOf('The same within ten minutes');
        await setRules({ ...rules, risk: { duplicate: { window: '10m', action: 'presence' } } });
        const again = allows(await intend(20));
        assert.deepEqual((await offer(again.intentVc, 20, hats)).reasonCodes, ['HP_REQUIRED']);
        at(START + 11 * MINUTE);
        await buy(20, hats);
      });

      test('a limit that is lowered below what is used holds for new and for open purchases', async () => {
        const { rules } = sectionOf('A limit lowered below what is used');
        const wide = { ...rules, risk: { limits: [{ ...rules.risk.limits[0], max_amount: 1000 }] } };
        await setRules(wide);
        await buy(120);
        const open = allows(await intend(30));
        const sentence = await set('A limit lowered below what is used');
        refuses(await intend(10), 'SPENDING_LIMIT_EXCEEDED', sentence);
        const cart = await offer(open.intentVc, 30);
        assert.equal(cart.details.SPENDING_LIMIT_EXCEEDED.used, 120, 'of what is open, payments alone count');
        await setRules(wide);
        allows(await offer(open.intentVc, 30));
      });

      test('a refund gives no room, a cancellation and the rest of a partial capture do', async () => {
        const sentence = await set('A refund gives no room');
        const mandateId = await buy(80);
        const act = async (id: string, action: string, body: Loose = {}) => {
          const done = await world.rest('POST', `/ap2/payments/${id}/${action}`, body);
          assert.equal(done.status, 200, done.text);
        };
        await act(mandateId, 'capture');
        await act(mandateId, 'refund');
        refuses(await intend(30), 'SPENDING_LIMIT_EXCEEDED', sentence);
        const second = await buy(20);
        await act(second, 'cancel');
        const third = await buy(20);
        await act(third, 'capture', { amount: 5 });
        assert.equal(allows(await intend(15)).remaining.left, 0);
      });

      test('what happens to purchases after their sums were rolled up counts as if it had happened before', async () => {
        await set('A refund gives no room');
        const act = async (id: string, action: string, body: Loose = {}) => {
          const done = await world.rest('POST', `/ap2/payments/${id}/${action}`, body);
          assert.equal(done.status, 200, done.text);
        };
        const used = async () => {
          await rollUpLimits(world.node.deps);
          return (await intend(1000)).details.SPENDING_LIMIT_EXCEEDED.used;
        };
        const [captured, canceled, refunded] = [await buy(40), await buy(30), await buy(20)];
        for (let moved = 1; moved <= 3; moved += 1) {
          at(START + moved * 10 * HOUR);
          assert.equal(await used(), 90);
        }
        await act(captured, 'capture', { amount: 5 });
        assert.equal(await used(), 55);
        await act(canceled, 'cancel');
        assert.equal(await used(), 25);
        // By a clock that was set back.
        at(START);
        await act(refunded, 'capture');
        await act(refunded, 'refund');
        assert.equal(await used(), 25);
        assert.equal(allows(await intend(75)).remaining.left, 0);
      });

      test('an intent holds its maximum, its cart what it costs, and a lapsed approval or an expiry gives it back', async () => {
        await set('A refund gives no room');
        const { intentVc } = allows(await intend(90));
        assert.equal((await intend(20)).allowed, false);
        const cart = allows(await offer(intentVc, 30));
        assert.equal(allows(await intend(60)).remaining.left, 10);
        // Unused, its approval ends after five minutes.
        at(START + 6 * MINUTE);
        await restoreHolds(world.node.deps);
        assert.equal((await settle(cart.approvalToken)).allowed, false);
        assert.equal((await intend(1)).details.SPENDING_LIMIT_EXCEEDED.used, 150);
        at(START + 2 * HOUR);
        for (let used = 1; used > 0; ) {
          const { limits } = (await world.rest('GET', `/ap2/limits?agentDid=${encodeURIComponent(world.agent.did)}`))
            .body;
          used = limits[0].used;
        }
      });

      test('an agent’s own limits take the place of the policy’s for each agent', async () => {
        await set('A refund gives no room');
        const agent = await world.newAgent();
        const path = `/ap2/admin/agents/${encodeURIComponent(agent.did)}/velocity`;
        const own = { name: 'pocket money', maxAmount: 10, window: 'day', timezone: 'Europe/Berlin' };
        const changed = await world.rest('PUT', path, { limits: [own] });
        assert.equal(changed.status, 200, changed.text);
        assert.deepEqual(changed.body.velocity, { limits: [own] });
        await buy(8, { agent });
        assert.match((await intend(3, { agent })).details.SPENDING_LIMIT_EXCEEDED.message, /“pocket money”/);
        assert.equal((await world.rest('PUT', path, { limits: [] })).status, 200);
        allows(await intend(500, { agent }));
        for (const [body, sentence] of [
          [{ limits: [own, own] }, /limits\.1\.name: must be different/],
          [{ limits: [{ ...own, window: '24h' }] }, /limits\.0\.timezone: must be absent beside a duration/],
          [{ limits: [{ ...own, scope: 'policy' }] }, /limits\.0\.scope/],
          [{ maxAmount: 5 }, /timeWindow: must be given/],
          [{}, /maxTransactions, maxAmount or both/],
        ] as const) {
          const refused = await world.rest('PUT', path, body);
          assert.equal(refused.status, 400, refused.text);
          assert.match(JSON.stringify(refused.body), sentence);
        }
      });

      if (gate === 'A2A') {
        test('a message that asks for limits is answered with what is left, once', async () => {
          await set('A refund gives no room');
          await buy(80);
          const message = signedMessage(world, world.agent, taskMessage({ 'countersign.limits': {} }), new Date(now()));
          const { message: answer } = await resultOf(world, 'SendMessage', { message }, {});
          const [{ data }, { text }] = answer.parts;
          assert.equal(data['countersign.limitsResult'].limits[0].left, 20);
          assert.match(text, /^month: 20\.00 USD of 100\.00 USD is left until 2027-03-01/);
          await assert.rejects(resultOf(world, 'SendMessage', { message }, {}), /used before/);
        });
      }
    });
  }
}

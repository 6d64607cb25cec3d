/** What was judged, over REST: the list with its filters, and one transaction as of the moments of its judgements. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { insertAll } from '../../support/fillPurchases.ts';
import { makeDidProof, type Peer } from '../../support/peer.ts';
import { approve, mandateIdOf, purchase } from '../../support/purchase.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

const LIST = '/ap2/decisions';
const RULES = {
  version: '2.0',
  spend: { amount_cap: 50, presence_cap: 90, currency: 'USD' },
  merchant: { deny_list: ['bad.example'] },
  risk: { velocity_limit: { max_transactions: 4, max_amount: 100, time_window: '1h' } },
} as const;

for (const engine of everyEngine()) {
  describe(`decisions over REST on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      await world.client.createPolicy({ name: 'First', rules: RULES as never });
    });
    after(() => world.close());

    const list = async (query = ''): Promise<Loose[]> => {
      const reply = await world.rest('GET', `${LIST}?limit=200${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.data;
    };
    /** All of them, by pages of two. */
    const paged = async (query: string): Promise<Loose[]> => {
      const found: Loose[] = [];
      for (let cursor: string | null = ''; cursor !== null; ) {
        const after: string = cursor === '' ? '' : `&cursor=${cursor}`;
        const { body } = await world.rest('GET', `${LIST}?limit=2${query}${after}`);
        found.push(...body.data);
        cursor = body.cursor;
      }
      return found;
    };
    const show = async (transactionId: string): Promise<Loose[]> => {
      const reply = await world.rest('GET', `${LIST}/${transactionId}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.decisions;
    };
    const ask = (agent: Peer, amount: number, domain = SHOP) =>
      world.rest('POST', '/ap2/intents', world.intentBody(amount, { agent, domain }));
    const row = (decision: Loose, rule: string) => decision.ruleTable.find((each: Loose) => each.rule === rule);

    test('are listed by agent, merchant, outcome, reason and time, each filter beside the others', async () => {
      const agent = await world.newAgent();
      const own = `&agentDid=${agent.did}`;
      await ask(agent, 10);
      await ask(agent, 95);
      await ask(agent, 95, 'bad.example');
      world.clock.aheadMs += 5000;
      const { intentVc } = (await ask(agent, 60)).body;
      const from = new Date(Date.now() + world.clock.aheadMs).toISOString();
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(60) });
      assert.deepEqual(cart.body.reasonCodes, ['HP_REQUIRED']);
      await approve(world, 5, { agent });

      const shown = async (query: string) =>
        (await list(own + query)).map(({ kind, outcome, amount }: Loose) => `${kind} ${outcome} ${amount}`);
      assert.deepEqual(await shown(''), [
        'cart allowed 5',
        'intent allowed 5',
        'cart approval 60',
        'intent allowed 60',
        'intent refused 95',
        'intent refused 95',
        'intent allowed 10',
      ]);
      assert.deepEqual(await shown('&sort=oldest'), (await shown('')).reverse());
      assert.deepEqual(await shown('&sort=oldest&outcome=allowed'), (await shown('&outcome=allowed')).reverse());
      assert.deepEqual(await shown(`&sort=oldest&from=${from}`), (await shown(`&from=${from}`)).reverse());
      assert.deepEqual(await paged(`${own}&sort=oldest`), (await list(own)).reverse());
      assert.deepEqual(await paged('&sort=oldest&min=10&max=60'), (await list('&min=10&max=60')).reverse());
      const smallest = (await list('&currency=USD')).sort(
        (one, other) => one.amount - other.amount || one.seq - other.seq,
      );
      assert.deepEqual(await paged('&currency=USD&sort=smallest'), smallest);
      assert.deepEqual(await paged('&currency=USD&sort=largest'), smallest.toReversed());
      assert.deepEqual(await paged(`${own}&currency=USD&sort=largest`), await list(`${own}&currency=USD&sort=largest`));
      assert.deepEqual(await shown('&currency=USD&sort=largest&outcome=refused'), [
        'intent refused 95',
        'intent refused 95',
      ]);
      assert.deepEqual(await shown('&currency=USD&sort=smallest&min=10&max=60'), [
        'intent allowed 10',
        'intent allowed 60',
        'cart approval 60',
      ]);
      assert.equal((await shown(`&currency=USD&sort=largest&from=${from}`)).length, 3);
      assert.deepEqual(await shown('&currency=USD&sort=largest&merchant=bad.example'), ['intent refused 95']);
      assert.deepEqual(await list('&currency=EUR&sort=largest'), []);
      const mixed = await world.rest('GET', `${LIST}?sort=largest`);
      assert.deepEqual([mixed.status, mixed.body.error.details[0].path], [400, 'currency']);
      assert.deepEqual(await shown('&outcome=approval'), ['cart approval 60']);
      assert.deepEqual(await shown('&outcome=refused'), ['intent refused 95', 'intent refused 95']);
      assert.equal((await shown('&outcome=allowed')).length, 4);
      assert.deepEqual(await shown('&reasonCode=MERCHANT_DENIED'), ['intent refused 95']);
      assert.equal((await shown('&reasonCode=AMOUNT_OVER_CAP')).length, 2);
      assert.deepEqual(await shown('&merchant=bad.example'), ['intent refused 95']);
      assert.deepEqual(await shown(`&merchant=${SHOP}&reasonCode=AMOUNT_OVER_CAP`), ['intent refused 95']);
      assert.deepEqual(await shown(`&from=${from}`), ['cart allowed 5', 'intent allowed 5', 'cart approval 60']);
      assert.deepEqual(await shown('&merchant=none.example'), []);
      assert.deepEqual(await shown('&currency=USD&min=10&max=60'), [
        'cart approval 60',
        'intent allowed 60',
        'intent allowed 10',
      ]);
      assert.deepEqual(await shown('&currency=USD&max=9.99&outcome=allowed'), ['cart allowed 5', 'intent allowed 5']);
      assert.equal((await shown('&currency=USD')).length, 7);
      assert.deepEqual(await shown('&currency=EUR'), []);
      assert.deepEqual(await shown('&min=10&max=60'), await shown('&currency=USD&min=10&max=60'));
      const fraction = await world.rest('GET', `${LIST}?min=0.001&currency=USD`);
      assert.deepEqual([fraction.status, fraction.body.error.details[0].path], [400, 'min']);
      const [everything, ofAgent] = [await list(), await list(own)];
      assert.deepEqual(everything.slice(0, ofAgent.length), ofAgent, 'the newest of all');
      const wrong = await world.rest('GET', `${LIST}?outcome=maybe`);
      assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'outcome']);
    });

    test('show what each rule said then, by the policy and the history of that moment', async () => {
      const agent = await world.newAgent();
      const paid = await purchase(world, 30, { agent });
      const [judged] = await list(`&agentDid=${agent.did}`);
      const whole = await world.rest('GET', `${LIST}/${judged.transactionId}`);
      assert.equal(whole.body.mandateId, mandateIdOf(paid));
      await ask(agent, 20);
      await ask(agent, 20);
      const { body: refused } = await ask(agent, 40);
      assert.deepEqual(refused.reasonCodes, ['SPENDING_LIMIT_EXCEEDED']);
      await world.client.createPolicy({ name: 'Second', rules: { version: '2.0' } as never });
      await world.rest('POST', `/ap2/payments/${mandateIdOf(paid)}/cancel`, {});

      const decisions = (await list(`&agentDid=${agent.did}`)).reverse();
      const figures = [];
      for (const { transactionId } of decisions) {
        for (const each of await show(transactionId)) {
          assert.equal(each.complete, true);
          const [count, sum] = [row(each, 'VELOCITY_EXCEEDED'), row(each, 'SPENDING_LIMIT_EXCEEDED')];
          figures.push([each.kind, each.outcome, count.asked, sum.asked, sum.left]);
        }
      }
      const first = [
        ['intent', 'allowed', 1, 30, 70],
        ['cart', 'allowed', 1, 30, 70],
      ];
      assert.deepEqual(figures, [
        ...first,
        ...first,
        ['intent', 'allowed', 2, 50, 50],
        ['intent', 'allowed', 3, 70, 30],
        ['intent', 'refused', 4, 110, -10],
      ]);
      const { transactionId } = decisions.at(-1);
      const [decision] = await show(transactionId);
      assert.deepEqual(decision.details, refused.details);
      assert.equal(row(decision, 'SPENDING_LIMIT_EXCEEDED').outcome, 'failed');
      const { alone } = decision.counterfactual;
      assert.deepEqual([alone[0].change, alone[0].amount, alone[1].change], ['amount', 30, 'time']);
      const oldest = Date.parse(decisions[0].createdAt);
      assert.equal(Date.parse(alone[1].from), oldest + 3_600_000);
      await world.client.createPolicy({ name: 'First', rules: RULES as never });
    });

    test('a cart that lacks a person passes with one, or with what the agent may spend alone', async () => {
      const agent = await world.newAgent();
      const { intentVc } = (await ask(agent, 60)).body;
      await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(60) });
      await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(70) });
      const [{ transactionId }] = await list(`&agentDid=${agent.did}`);
      const [intent, asked, over] = await show(transactionId);
      assert.deepEqual([intent.counterfactual, intent.hpRequired], [undefined, true]);
      assert.equal(asked.outcome, 'approval');
      assert.deepEqual(
        asked.counterfactual.alone.map(({ change, amount }: Loose) => [change, amount]),
        [
          ['amount', 50],
          ['presence', undefined],
        ],
      );
      assert.deepEqual([over.outcome, over.reasonCodes], ['refused', ['CART_EXCEEDS_INTENT', 'HP_REQUIRED']]);
      assert.equal(over.counterfactual.alone[0].amount, 50);
    });

    test('what is around the policy is told, and nothing is offered against it', async () => {
      const agent = await world.newAgent();
      await world.rest('POST', `/ap2/admin/agents/${encodeURIComponent(agent.did)}/suspend`, { reason: 'odd' });
      await ask(agent, 95);
      const [{ transactionId }] = await list(`&agentDid=${agent.did}`);
      const [{ counterfactual, reasonCodes }] = await show(transactionId);
      assert.deepEqual(reasonCodes, ['AMOUNT_OVER_CAP', 'AGENT_SUSPENDED']);
      assert.deepEqual([counterfactual.alone, counterfactual.together], [[], []]);
    });

    test('an agent sees its own and why, and no other agent’s', async () => {
      const [agent, other] = [await world.newAgent(), await world.newAgent()];
      await ask(agent, 95);
      await ask(other, 95);
      const [own] = await list(`&agentDid=${agent.did}`);
      const [foreign] = await list(`&agentDid=${other.did}`);
      const get = (path: string) => {
        const proof = makeDidProof(agent, {
          baseUrl: world.node.baseUrl,
          method: 'GET',
          body: '',
          path: path.split('?')[0] as string,
        });
        return world.rest('GET', path, undefined, { 'X-DID-Proof': proof });
      };
      const listed = await get(LIST);
      assert.deepEqual(
        listed.body.data.map(({ transactionId }: Loose) => transactionId),
        [own.transactionId],
      );
      assert.equal((await get(`${LIST}?agentDid=${other.did}`)).status, 403);
      const shown = await get(`${LIST}/${own.transactionId}`);
      assert.equal(shown.body.decisions[0].counterfactual.alone[0].amount, 90);
      assert.equal((await get(`${LIST}/${foreign.transactionId}`)).status, 404);
      const { key } = await world.client.createApiKey({
        name: 'bound',
        permissions: ['read'],
        agents: [agent.did, other.did],
      });
      const both = await world.rest('GET', LIST, undefined, { Authorization: `Bearer ${key}` });
      assert.deepEqual(
        both.body.data.map(({ transactionId }: Loose) => transactionId),
        [foreign.transactionId, own.transactionId],
      );
      assert.equal((await world.rest('GET', `${LIST}/txn_unknown`)).status, 404);
    });

    test('a page looks through so many and leads on, so that a rare filter costs no more', async () => {
      const { store } = world.node.deps;
      const agent = await world.newAgent();
      await ask(agent, 95, 'bad.example');
      const [rare] = await list(`&agentDid=${agent.did}`);
      const tenant = (await world.rest('GET', '/ap2/evidence/verify')).body.tenantId;
      const { seq } = (await world.rest('GET', '/ap2/evidence/search?limit=1')).body.data[0];
      const now = Date.now() + world.clock.aheadMs;
      for (let from = 1; from <= 5000; from += 500) {
        const rows = Array.from({ length: 500 }, (_, at) => ({
          tenant_id: tenant,
          seq: seq + from + at,
          id: `evt_filled${from + at}`,
          event_type: 'INTENT_DENIED',
          actor_did: agent.did,
          data: '{"merchantDomain":"other.example"}',
          hash_prev: '',
          hash_curr: `filled ${from + at}`,
          created_at: now,
          transaction_id: null,
          context_id: null,
        }));
        await store.write(tenant, () => insertAll('evidence', rows));
      }
      try {
        const found: Loose[] = [];
        const lengths: number[] = [];
        for (let cursor = ''; ; ) {
          const query = `merchant=bad.example&agentDid=${agent.did}${cursor === '' ? '' : `&cursor=${cursor}`}`;
          const { status, body, text } = await world.rest('GET', `${LIST}?${query}`);
          assert.equal(status, 200, text);
          lengths.push(body.data.length);
          found.push(...body.data);
          if (!body.hasMore) break;
          cursor = body.cursor;
        }
        assert.deepEqual(lengths, [0, 0, 1]);
        assert.equal(found[0].seq, rare.seq);
      } finally {
        await store.write(tenant, () => run('DELETE FROM evidence WHERE tenant_id = ? AND seq > ?', tenant, seq));
      }
    });
  });
}

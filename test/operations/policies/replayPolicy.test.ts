/** A draft judges over REST what agents asked for before: which decisions would be others, rule by rule. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { followReplay, type ReplayLine } from '../../../client/index.ts';
import { CHECKS, PRESENCE_RULES } from '../../../protocol/policy/evaluate.ts';
import { MOST_EVENTS } from '../../../src/operations/policies/replayPolicy.ts';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { insertAll } from '../../support/fillPurchases.ts';
import { makeDidProof } from '../../support/peer.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';

/** Those that refuse, and those that ask for a person. */
const RULES_ASKED = CHECKS.length + PRESENCE_RULES.length;

const DRAFT = { version: '2.0', spend: { amount_cap: 50, currency: 'USD' } };
const PATH = '/ap2/policies/replay';
const DRAFT_PATH = '/ap2/admin/policies/replay';

for (const engine of everyEngine()) {
  describe(`a replay over REST on ${engine.name}`, () => {
    let world: World;
    let reader: Record<string, string>;
    let middle: string;
    before(async () => {
      world = await makeWorld(engine);
      const { key } = await world.client.createApiKey({ name: 'reader', permissions: ['read'] });
      reader = { Authorization: `Bearer ${key}` };
      for (const amount of [10, 60]) await world.rest('POST', '/ap2/intents', world.intentBody(amount));
      middle = new Date(Date.now()).toISOString();
      world.clock.aheadMs += 1000;
      for (const amount of [70, 80, 5000]) await world.rest('POST', '/ap2/intents', world.intentBody(amount));
    });
    after(() => world.close());

    const replay = async (body: object): Promise<Loose> => {
      const reply = await world.rest('POST', PATH, body, reader);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };

    test('names each decision that would be another, the newest first, with what every rule says', async () => {
      const { requests, wereAllowed, wouldBeAllowed, flipped, flips, complete } = await replay({ rules: DRAFT });
      assert.deepEqual([requests, wereAllowed, wouldBeAllowed, flipped, complete], [5, 4, 1, 3, true]);
      assert.deepEqual(
        flips.map(({ amount }: Loose) => amount),
        [80, 70, 60],
      );
      const [{ was, would, trace, agentDid }] = flips;
      assert.deepEqual([was.allowed, would.allowed, would.reasonCodes], [true, false, ['AMOUNT_OVER_CAP']]);
      assert.equal(agentDid, world.agent.did);
      assert.equal(trace.length, RULES_ASKED);
      const said = Object.fromEntries(trace.map(({ rule, outcome }: Loose) => [rule, outcome]));
      assert.deepEqual([said.AMOUNT_OVER_CAP, said.CURRENCY_NOT_ALLOWED], ['refused', 'passed']);
      assert.match(trace[0].message, /^80\.00 USD is 30\.00 over/);
    });

    test('tells how far it is, and the same result as without progress', async () => {
      const lines: ReplayLine[] = [];
      const options = { baseUrl: world.node.address, credential: { apiKey: ADMIN_KEY } };
      for await (const line of followReplay(options, { rules: DRAFT as never })) lines.push(line);
      const [first, ...others] = lines;
      assert.ok(first && 'checked' in first && first.checked === 0 && first.of >= 5);
      const last = others.at(-1);
      assert.ok(last && 'result' in last);
      const { at, since, ...result } = await replay({ rules: DRAFT, at: last.result.at, since: last.result.since });
      assert.deepEqual(last.result, { ...result, at, since });
      assert.deepEqual(result.money, [{ currency: 'USD', wasAllowed: 220, wouldBeAllowed: 10 }]);
      const json = await world.rest('POST', DRAFT_PATH, { rules: DRAFT, format: 'json', at, since });
      assert.deepEqual(json.body, last.result);
      const plain = await world.rest('POST', DRAFT_PATH, { rules: DRAFT });
      assert.match(String(plain.headers.get('content-type')), /^application\/x-ndjson/);
      assert.equal((await world.rest('POST', DRAFT_PATH, {}, reader)).status, 403, 'it needs the permission admin');
      const wrong = await world.rest('POST', DRAFT_PATH, { since: '2999-01-01T00:00:00Z' });
      assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'since']);
    });

    test('says of each limit what was asked in its last period, and what it would have refused', async () => {
      const limits = [{ name: 'a week', max_amount: 100, window: '7d' }];
      const { limits: found, at } = await replay({ rules: { ...DRAFT, spend: { currency: 'USD' }, risk: { limits } } });
      const [limit, ...others] = found;
      const { from, to, ...asked } = limit.asked;
      const usd = (amount: number) => [{ currency: 'USD', amount }];
      assert.deepEqual(others, []);
      assert.deepEqual(asked, { agentDid: world.agent.did, requests: 5, money: usd(5220) });
      assert.deepEqual([Date.parse(to) - Date.parse(from), Date.parse(to)], [7 * 86_400_000, Date.parse(at) + 1]);
      assert.deepEqual([limit.refused, limit.person.requests], [{ requests: 3, money: usd(5150) }, 0]);
    });

    test('without rules the current policy judges, and nothing would be another', async () => {
      const { requests, flipped, flips } = await replay({});
      assert.deepEqual([requests, flipped, flips], [5, 0, []]);
    });

    test('a moment ends it, another begins it, and the number of flips is bounded', async () => {
      assert.equal((await replay({ rules: DRAFT, at: middle })).requests, 2);
      assert.equal((await replay({ rules: DRAFT, since: middle })).requests, 3);
      const one = await replay({ rules: DRAFT, limit: 1 });
      assert.deepEqual([one.flips.length, one.flipped, one.flips[0].amount], [1, 3, 80]);
      const older = await replay({ rules: DRAFT, at: one.flips[0].createdAt, limit: 5 });
      assert.deepEqual(
        older.flips.map(({ amount }: Loose) => amount),
        [80, 70, 60],
      );
    });

    test('a history stands before what is recorded', async () => {
      const risk = { velocity_limit: { max_transactions: 5, max_amount: 1000, time_window: '1h' } };
      const rules = { ...DRAFT, spend: { amount_cap: 100, currency: 'USD' }, risk };
      assert.equal((await replay({ rules })).flipped, 0);
      const counted = await replay({ rules, before: { transactions: 3 } });
      assert.deepEqual(
        counted.flips.map(({ would }: Loose) => would.reasonCodes),
        [['VELOCITY_EXCEEDED'], ['VELOCITY_EXCEEDED']],
      );
      const spent = await replay({ rules, before: { spent: 900 } });
      assert.deepEqual(
        spent.flips.map(({ amount, would }: Loose) => [amount, would.reasonCodes[0]]),
        [
          [80, 'SPENDING_LIMIT_EXCEEDED'],
          [70, 'SPENDING_LIMIT_EXCEEDED'],
        ],
      );
      const anomaly = { min_history: 2, max_deviation: 1, action: 'deny' };
      const paid = await replay({ rules: { ...rules, risk: { anomaly } }, before: { paid: [10, 11, 10] } });
      assert.deepEqual(
        paid.flips.map(({ amount }: Loose) => amount),
        [80, 70, 60],
      );
      const context = { presence: 'optional', presence_new_merchant: true };
      const known = { rules: { ...rules, risk: {}, context }, before: { newMerchant: false } };
      assert.equal((await replay(known)).wouldNeedPresence, 0);
      assert.equal((await replay({ rules: known.rules })).wouldNeedPresence, 4);
    });

    test('what is wrong is refused by name, and no caller without the permission read replays', async () => {
      for (const [body, path] of [
        [{ rules: { version: '2.0', spend: { cap: 1 } } }, 'rules.spend.cap'],
        [{ since: '2026-02-01T00:00:00Z', at: '2026-01-01T00:00:00Z' }, 'since'],
        [{ since: '2999-01-01T00:00:00Z' }, 'since'],
        [{ limit: 201 }, 'limit'],
        [{ at: 'yesterday' }, 'at'],
      ] as const) {
        const wrong = await world.rest('POST', PATH, body, reader);
        assert.deepEqual([wrong.status, wrong.body.error.details?.[0].path], [400, path], wrong.text);
      }
      const half = await world.rest('POST', PATH, { before: { spent: 1.001 } }, reader);
      assert.equal(half.status, 400, half.text);
      const { key } = await world.client.createApiKey({ name: 'writer', permissions: ['write'] });
      const bound = await world.client.createApiKey({
        name: 'bound',
        permissions: ['read'],
        agents: [world.agent.did],
      });
      for (const refused of [key, bound.key]) {
        const reply = await world.rest('POST', PATH, {}, { Authorization: `Bearer ${refused}` });
        assert.equal(reply.status, 403, reply.text);
      }
      const proof = makeDidProof(world.agent, { baseUrl: world.node.baseUrl, method: 'POST', path: PATH, body: '{}' });
      assert.equal((await world.rest('POST', PATH, {}, { 'X-DID-Proof': proof })).status, 403);
    });

    test('no more of a long chain is read than a replay may, and the answer says so', async () => {
      const { store } = world.node.deps;
      const tenant = (await world.rest('GET', '/ap2/evidence/verify')).body.tenantId;
      const { seq } = (await world.rest('GET', '/ap2/evidence/search?limit=1')).body.data[0];
      const now = Date.now() + world.clock.aheadMs;
      // Other events of the chain, of which the replay reads nothing but their places.
      for (let from = 1; from <= MOST_EVENTS; from += 500) {
        const rows = Array.from({ length: 500 }, (_, at) => ({
          tenant_id: tenant,
          seq: seq + from + at,
          id: `evt_filled${from + at}`,
          event_type: 'CART_VALIDATED',
          actor_did: world.agent.did,
          data: '{}',
          hash_prev: '',
          hash_curr: `filled ${from + at}`,
          created_at: now,
          transaction_id: null,
          context_id: null,
        }));
        await store.write(tenant, () => insertAll('evidence', rows));
      }
      try {
        const { requests, complete, since } = await replay({ rules: DRAFT });
        assert.deepEqual([requests, complete, Date.parse(since)], [0, false, now]);
        assert.equal((await replay({ rules: DRAFT, at: middle })).requests, 2, 'an earlier end reads an earlier part');
      } finally {
        await store.write(tenant, () => run('DELETE FROM evidence WHERE tenant_id = ? AND seq > ?', tenant, seq));
      }
    });
  });
}

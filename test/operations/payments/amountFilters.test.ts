/** Payments and intents are filtered by amount, and intents by merchant and time too, over REST: as a plain look finds them. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { firstIdAt } from '../../../protocol/wire/id.ts';
import { intents } from '../../../src/store/statements/purchases/intents.ts';
import { payments } from '../../../src/store/statements/purchases/payments.ts';
import { dice } from '../../support/dice.ts';
import { everyEngine } from '../../support/engines.ts';
import { addRows } from '../../support/oldRows.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const START = Date.now() - 20 * 24 * 3600 * 1000;
/** More than one look takes. */
const ROWS = 2300;
const MERCHANTS = ['shop.example', 'rare.example'];
const SORTS = ['newest', 'oldest', 'largest', 'smallest'] as const;
const STATUSES = { payments: ['CAPTURED', 'REFUNDED', 'FAILED'], intents: ['USED', 'EXPIRED', 'ACTIVE'] };

interface Row {
  readonly id: string;
  readonly at: number;
  readonly agentDid: string;
  readonly merchant: string;
  readonly status: string;
  readonly currency: string;
  readonly minor: number;
}

/** As a plain look sorts them; the rows are the oldest first. */
function idsBy(rows: readonly Row[], sort = 'newest'): string[] {
  const byAmount = (one: Row, other: Row) => one.minor - other.minor || (one.id < other.id ? -1 : 1);
  const sorted = sort === 'largest' || sort === 'smallest' ? rows.toSorted(byAmount) : [...rows];
  const ids = sorted.map(({ id }) => id);
  return sort === 'newest' || sort === 'largest' ? ids.reverse() : ids;
}

for (const engine of everyEngine()) {
  describe(`lists by amount on ${engine.name}`, () => {
    let world: World;
    const { below } = dice(`lists by amount on ${engine.name}`);
    const pick = <Item>(items: readonly Item[]): Item => items[below(items.length)] as Item;
    const rows: Record<'payments' | 'intents', Row[]> = { payments: [], intents: [] };

    before(async () => {
      world = await makeWorld(engine);
      const agents = [world.agent.did, (await world.newAgent()).did];
      const { store } = world.node.deps;
      const { tenantId } = world.node;
      for (const kind of ['payments', 'intents'] as const) {
        const made = Array.from({ length: ROWS }, (_, number): Row => {
          const at = START + number * 60_000;
          const id = firstIdAt(kind === 'payments' ? 'pm_' : 'intent_', at);
          const common = { agentDid: pick(agents), merchant: below(400) === 0 ? 'rare.example' : 'shop.example' };
          const money = { currency: pick(['USD', 'USD', 'JPY']), minor: 1 + below(below(3) === 0 ? 5000 : 20) };
          return { id, at, ...common, ...money, status: pick(STATUSES[kind]) };
        });
        rows[kind] = made;
        const cells = (number: number) => {
          const { id, at, agentDid, merchant, status, currency, minor } = made[number] as Row;
          const each = { mandate_id: id, agent_did: agentDid, status, currency, created_at: at };
          return kind === 'payments'
            ? { ...each, merchant, amount_minor: minor, captured_minor: 0, refunded_minor: 0 }
            : { ...each, merchant_domain: merchant, max_minor: minor, expires_at: Date.now() + 3_600_000 };
        };
        const table = kind === 'payments' ? payments : intents;
        await addRows(store, table, { tenantId, time: START, count: ROWS, cells });
      }
    });
    after(() => world.close());

    async function idsOf(path: string, filter: Record<string, string>): Promise<string[]> {
      const ids: string[] = [];
      let cursor: string | null = '';
      for (let pages = 0; cursor !== null; pages += 1) {
        assert.ok(pages < 200, 'the list ends');
        const query: string = new URLSearchParams({
          ...filter,
          limit: '100',
          ...(cursor === '' ? {} : { cursor }),
        }).toString();
        const reply = await world.rest('GET', `${path}?${query}`);
        assert.equal(reply.status, 200, reply.text);
        const page: Loose = reply.body;
        assert.equal(page.hasMore, page.cursor !== null);
        ids.push(...page.data.map((item: Loose) => item.mandateId));
        cursor = page.cursor;
      }
      return ids;
    }

    test('give what a plain look gives, page by page, with each combination of filters', async () => {
      for (let round = 0; round < 40; round += 1) {
        const kind = pick(['payments', 'intents'] as const);
        const sample = pick(rows[kind]);
        const decimals = sample.currency === 'JPY' ? 1 : 100;
        const filter: Record<string, string> = { currency: sample.currency };
        const isExact = below(3) === 0;
        const min = isExact || below(2) === 0 ? sample.minor : undefined;
        const max = isExact ? sample.minor : below(2) === 0 ? sample.minor + below(2000) : undefined;
        if (min !== undefined) filter.min = String(min / decimals);
        if (max !== undefined) filter.max = String(max / decimals);
        if (below(3) === 0) filter.merchant = pick(MERCHANTS);
        if (below(3) === 0) filter.status = sample.status;
        if (below(3) === 0) filter.agentDid = sample.agentDid;
        if (below(3) === 0) filter.from = new Date(sample.at - 3_600_000).toISOString();
        const expected = rows[kind].filter(
          (row) =>
            row.currency === filter.currency &&
            row.minor >= (min ?? 0) &&
            row.minor <= (max ?? Infinity) &&
            (filter.merchant ?? row.merchant) === row.merchant &&
            (filter.status ?? row.status) === row.status &&
            (filter.agentDid ?? row.agentDid) === row.agentDid &&
            (filter.from === undefined || row.at >= Date.parse(filter.from)),
        );
        if (kind === 'payments') filter.sort = pick(SORTS);
        const found = await idsOf(`/ap2/${kind}`, filter);
        assert.deepEqual(found, idsBy(expected, filter.sort), `${kind} ${JSON.stringify(filter)}`);
      }
    });

    test('stand by amount or from the oldest on, page by page, also for a key of two agents, and by amount in one currency alone', async () => {
      const agents = [...new Set(rows.payments.map(({ agentDid }) => agentDid))];
      const bound = { name: 'two', permissions: ['read'], agents };
      const { body } = await world.rest('POST', '/ap2/admin/api-keys', bound);
      const headers = { Authorization: `Bearer ${body.key}` };
      for (const sort of SORTS) {
        const expected = rows.payments.filter(({ currency }) => currency === 'USD');
        assert.deepEqual(await idsOf('/ap2/payments', { sort, currency: 'USD' }), idsBy(expected, sort), sort);
        const first = await world.rest('GET', `/ap2/payments?sort=${sort}&currency=USD&limit=20`, undefined, headers);
        const next = `/ap2/payments?sort=${sort}&currency=USD&limit=20&cursor=${first.body.cursor}`;
        const found = [...first.body.data, ...(await world.rest('GET', next, undefined, headers)).body.data];
        assert.deepEqual(
          found.map(({ mandateId }: Loose) => mandateId),
          idsBy(expected, sort).slice(0, 40),
          `${sort}, of two agents`,
        );
      }
      const mixed = await world.rest('GET', '/ap2/payments?sort=largest');
      assert.equal(mixed.status, 400);
      assert.match(mixed.text, /is needed where payments are sorted by amount/);
      const page = await world.rest('GET', '/ap2/payments?sort=largest&currency=USD&limit=5');
      const other = await world.rest('GET', `/ap2/payments?sort=oldest&limit=5&cursor=${page.body.cursor}`);
      assert.ok(other.status === 200 || other.status === 400, 'a cursor of another order breaks nothing');
    });

    test('find intents by merchant without an amount', async () => {
      const expected = rows.intents.filter(({ merchant }) => merchant === 'rare.example').map(({ id }) => id);
      assert.deepEqual(await idsOf('/ap2/intents', { merchant: 'rare.example' }), expected.reverse());
    });

    test('take an amount without a currency as units of each one’s own', async () => {
      const units = ({ currency, minor }: Row) => (currency === 'JPY' ? minor : minor / 100);
      for (const [min, max] of [
        [0.05, undefined],
        [undefined, 0.125],
        [1.5, 12],
        [2, 2],
      ] as const) {
        for (const kind of ['payments', 'intents'] as const) {
          const expected = rows[kind].filter((row) => units(row) >= (min ?? 0) && units(row) <= (max ?? Infinity));
          const filter = {
            ...(min === undefined ? {} : { min: String(min) }),
            ...(max === undefined ? {} : { max: String(max) }),
          };
          const found = await idsOf(`/ap2/${kind}`, filter);
          assert.deepEqual(found, expected.map(({ id }) => id).reverse(), `${kind} ${min} ${max}`);
        }
      }
    });

    test('take of a currency an amount that it has', async () => {
      for (const kind of ['payments', 'intents']) {
        for (const query of [
          'min=-1',
          'max=x',
          'min=1.5&currency=JPY',
          'min=-1&currency=USD',
          'currency=usd',
          'min=x&currency=USD',
        ])
          assert.equal((await world.rest('GET', `/ap2/${kind}?${query}`)).status, 400, `${kind} ${query}`);
      }
    });

    test('show a key that is bound to agents nothing but theirs, and all of it', async () => {
      const permissions = ['read'];
      const agents = [...new Set(rows.payments.map(({ agentDid }) => agentDid))];
      const bound = await world.rest('POST', '/ap2/admin/api-keys', { name: 'bound', permissions, agents });
      assert.equal(bound.status, 201, bound.text);
      const [first] = agents;
      const one = await world.rest('POST', '/ap2/admin/api-keys', { name: 'one', permissions, agents: [first] });
      const filter = { currency: 'USD', min: '20' };
      const expected = rows.payments.filter(({ currency, minor }) => currency === 'USD' && minor >= 2000).reverse();
      for (const [key, dids] of [
        [bound.body.key, agents],
        [one.body.key, [first]],
      ] as const) {
        const ids: string[] = [];
        for (let cursor: string | null = ''; cursor !== null; ) {
          const query: string = new URLSearchParams({
            ...filter,
            limit: '50',
            ...(cursor === '' ? {} : { cursor }),
          }).toString();
          const headers = { Authorization: `Bearer ${key}` };
          const page: Loose = await (await fetch(`${world.node.address}/ap2/payments?${query}`, { headers })).json();
          ids.push(...page.data.map((item: Loose) => item.mandateId));
          cursor = page.cursor;
        }
        assert.deepEqual(
          ids,
          expected.filter(({ agentDid }) => dids.includes(agentDid)).map(({ id }) => id),
        );
      }
    });
  });
}

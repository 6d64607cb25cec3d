/** What was spent, over REST, as purchases go through their states. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`what was spent on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const spend = async (query = ''): Promise<Loose> => {
      const reply = await world.rest('GET', `/ap2/admin/spend${query}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body;
    };
    const act = async (id: string, operation: string, body: object = {}) => {
      const reply = await world.rest('POST', `/ap2/payments/${id}/${operation}`, body);
      assert.equal(reply.status, 200, reply.text);
    };
    /** [payments, paid, refunded, net, held, disputed] */
    const total = async (): Promise<unknown[]> => {
      const { totals } = await spend();
      assert.ok(totals.length <= 1);
      const [sums] = totals;
      if (sums === undefined) return [];
      const texts = ['paid', 'refunded', 'net', 'held', 'disputed'].map((name) => sums[name].text);
      return [sums.payments, ...texts];
    };

    test('follows a payment from its hold to a capture, a refund and a dispute', async () => {
      assert.deepEqual(await total(), []);
      const id = mandateIdOf(await purchase(world, 12));
      assert.deepEqual(await total(), [1, '0.00', '0.00', '0.00', '12.00', '0.00']);
      await act(id, 'capture', { amount: 10 });
      assert.deepEqual(await total(), [1, '10.00', '0.00', '10.00', '0.00', '0.00']);
      await act(id, 'refund', { amount: 4.5 });
      assert.deepEqual(await total(), [1, '10.00', '4.50', '5.50', '0.00', '0.00']);
      await world.rest('POST', '/ap2/demo/dispute', { mandateId: id });
      assert.deepEqual(await total(), [1, '10.00', '4.50', '5.50', '0.00', '5.50']);
      await world.rest('POST', '/ap2/demo/refund-failure', { mandateId: id });
      assert.deepEqual(await total(), [1, '10.00', '0.00', '10.00', '0.00', '5.50']);
    });

    test('does not count what was canceled', async () => {
      const before = await total();
      const id = mandateIdOf(await purchase(world, 7));
      assert.notDeepEqual(await total(), before);
      await act(id, 'cancel');
      assert.deepEqual(await total(), before);
    });

    test('is divided by agent, merchant and day', async () => {
      const today = new Date().toISOString().slice(0, 10);
      const { totals } = await spend();
      const named = { agent: { agentDid: world.agent.did }, merchant: { merchant: SHOP } };
      for (const [by, name] of Object.entries(named)) {
        const { entries, hasMore } = await spend(`?by=${by}&from=${today}&currency=USD`);
        assert.deepEqual([entries, hasMore], [[{ ...name, ...totals[0] }], false]);
      }
      const { entries } = await spend('?by=day&from=2026-01-01');
      assert.equal(
        entries.reduce((sum: number, each: Loose) => sum + each.payments, 0),
        totals[0].payments,
      );
      assert.ok(entries.every((each: Loose) => /^\d{4}-\d\d-\d\d$/.test(each.day)));
      assert.deepEqual((await spend('?to=2026-01-01')).totals, []);
      assert.deepEqual((await spend('?currency=EUR&by=agent')).entries, []);
    });

    test('is divided by whose money and by category, in words where there are some', async () => {
      const { totals } = await spend();
      const principalDid = world.principal.did;
      const { entries } = await spend('?by=principal');
      assert.deepEqual(entries, [{ principalDid, ...totals[0] }]);
      assert.deepEqual((await spend('?by=category')).entries, [totals[0]]);
      const today = new Date().toISOString().slice(0, 10);
      // The codes of two categories, and one that is in none.
      const ids: string[] = [];
      for (const [amount, mcc] of [
        [5, '5411'],
        [6, '5499'],
        [3, '0001'],
      ] as const) {
        const id = mandateIdOf(await purchase(world, amount));
        ids.push(id);
        const sql = 'UPDATE payments SET mcc = ? WHERE mandate_id = ?';
        await world.node.deps.store.write(world.node.tenantId, () => run(sql, mcc, id));
      }
      const named = (await spend(`?by=category&from=${today}`)).entries.map((entry: Loose) => [
        entry.category,
        entry.payments,
      ]);
      assert.deepEqual(
        new Map(named),
        new Map<unknown, number>([
          ['groceries', 2],
          ['0001', 1],
          [undefined, totals[0].payments],
        ]),
      );
      assert.deepEqual(
        (await spend('?by=principal')).entries,
        (await spend('?by=principal&timezone=Asia/Kathmandu')).entries,
      );
      const csv = await world.rest('GET', '/ap2/admin/spend?by=principal', undefined, {
        Authorization: `Bearer ${ADMIN_KEY}`,
        Accept: 'text/csv',
      });
      const [header = '', line = ''] = csv.text.split('\r\n');
      assert.match(header, /,month,agent,principalDid,principal,category$/);
      assert.ok(line.includes(`,${principalDid},${principalDid},`), line);
      for (const id of ids) await act(id, 'cancel');
    });

    test('is of days that begin at midnight where the question says', async () => {
      for (const timezone of ['Pacific/Kiritimati', 'Pacific/Niue', 'Asia/Kathmandu']) {
        const today = new Intl.DateTimeFormat('sv-SE', { timeZone: timezone }).format();
        const { totals, entries } = await spend(`?by=day&from=${today}&to=${today}&timezone=${timezone}`);
        assert.deepEqual(entries, [{ day: today, ...totals[0] }]);
        const agents = await spend(`?by=agent&from=${today}&to=${today}&timezone=${timezone}`);
        assert.deepEqual(agents.entries, [{ agentDid: world.agent.did, ...totals[0] }]);
        const tomorrow = new Date(Date.parse(today) + 24 * 3600 * 1000).toISOString().slice(0, 10);
        assert.deepEqual((await spend(`?from=${tomorrow}&timezone=${timezone}`)).totals, []);
      }
      assert.deepEqual((await spend('?by=day&from=1900-01-01&to=1971-01-01&timezone=Africa/Monrovia')).entries, []);
    });

    test('says what is wrong with a question', async () => {
      for (const query of [
        '?from=2026-02-30',
        '?from=2026-01-01T00:00:00Z',
        '?by=shop',
        '?currency=usd',
        '?timezone=Mars/Olympus',
        '?timezone=%2B01:00',
        '?from=2026-02-02&to=2026-02-01',
      ])
        assert.equal((await world.rest('GET', `/ap2/admin/spend${query}`)).status, 400, query);
    });

    test('is nothing once the test data is reset', async () => {
      assert.equal((await world.rest('POST', '/ap2/admin/reset-test-data', {})).status, 204);
      assert.deepEqual(await total(), []);
    });

    test('by month has the latest first, each with what its days come to', async () => {
      await purchase(world, 5);
      const [first] = (await spend('?by=month')).entries;
      const { totals } = await spend();
      assert.deepEqual(first, { month: first.month, ...totals[0] });
      // As if all of it had been 40 days ago.
      const sql = "UPDATE spend_sums SET stretch = stretch - 40 * 96 WHERE scope = 'all' AND quarters = 1";
      await world.node.deps.store.write(world.node.tenantId, () => run(sql));
      await purchase(world, 3);
      const { entries } = await spend('?by=month');
      assert.deepEqual(
        entries.map((entry: Loose) => [entry.payments, entry.held.text]),
        [
          [1, '3.00'],
          [first.payments, first.held.text],
        ],
      );
      assert.ok(entries[0].month > entries[1].month);
    });
  });
}

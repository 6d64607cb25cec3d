/** A draft is compared with the current policy over REST: what changes, and whether anything becomes looser. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const PATH = '/ap2/policies/compare';

for (const engine of everyEngine()) {
  describe(`a comparison over REST on ${engine.name}`, () => {
    let world: World;
    let rules: Loose;
    before(async () => {
      world = await makeWorld(engine);
      rules = (await world.rest('GET', '/ap2/policies/current')).body.rules;
    });
    after(() => world.close());

    test('is with the current policy unless it is with another draft', async () => {
      const same = await world.rest('POST', PATH, { next: rules });
      const { limits, ...rest } = same.body;
      assert.deepEqual(rest, { looser: false, changes: [], warnings: [] });
      assert.deepEqual(
        limits.map(({ name, isChanged, usedUp }: Loose) => [name, isChanged, usedUp]),
        [['velocity_limit', false, 0]],
      );
      const next = { ...rules, spend: { ...rules.spend, amount_cap: rules.spend.amount_cap + 50 } };
      const { looser, changes } = (await world.rest('POST', PATH, { next })).body;
      assert.deepEqual([looser, changes.length, changes[0].sentence], [true, 1, 'cap 100 → 150 USD']);
      const back = (await world.rest('POST', PATH, { former: next, next: rules })).body;
      assert.deepEqual([back.looser, back.changes[0].direction], [false, 'tighter']);
    });

    test('tells where a draft contradicts itself, as do creating, updating and explaining it, and takes it all the same', async () => {
      const odd = { version: '2.0', spend: { amount_cap: 60, currency: 'USD' }, context: { presence_threshold: 100 } };
      const paths = ({ warnings }: Loose) => warnings.map(({ path }: Loose) => path);
      assert.deepEqual(paths((await world.rest('POST', PATH, { next: odd })).body), ['context.presence_threshold']);
      const created = await world.rest('POST', '/ap2/admin/policies', { name: 'odd', rules: odd });
      assert.deepEqual([created.status, paths(created.body)], [201, ['context.presence_threshold']]);
      const explained = await world.rest('POST', '/ap2/policies/explain', {});
      assert.deepEqual([explained.status, paths(explained.body)], [200, ['context.presence_threshold']]);
      const updated = await world.rest('PUT', `/ap2/admin/policies/${created.body.id}`, { rules });
      assert.deepEqual([updated.status, paths(updated.body)], [200, []]);
    });

    test('says of a limit for each agent whether all agents were looked through', async () => {
      const next = {
        ...rules,
        risk: {
          limits: [
            { name: 'each', max_amount: 5, window: 'day', scope: 'agent' },
            { name: 'all', max_amount: 5, window: 'day', scope: 'policy' },
          ],
        },
      };
      const lookedThrough = async () => {
        const { limits } = (await world.rest('POST', PATH, { next })).body;
        return Object.fromEntries(limits.map(({ name, isAll }: Loose) => [name, isAll]));
      };
      for (let number = 1; number < 200; number += 1) await world.newAgent(`Agent ${number}`);
      assert.deepEqual(await lookedThrough(), { each: true, all: true });
      await world.newAgent('One more');
      assert.deepEqual(await lookedThrough(), { each: false, all: true });
    });

    test('names an amount that no request may have, in each of the currency’s minor units, and still reads what is stored', async () => {
      for (const [path, draft] of [
        ['spend.amount_cap', { spend: { amount_cap: 1e13, currency: 'USD' } }],
        ['spend.presence_cap', { spend: { presence_cap: 1e12, currency: 'KWD' } }],
        ['context.presence_threshold', { spend: { currency: 'JPY' }, context: { presence_threshold: 1e15 } }],
        ['risk.velocity_limit.max_amount', { risk: { velocity_limit: { max_amount: 1e15, time_window: '1h' } } }],
      ] as const) {
        const { status, body } = await world.rest('POST', PATH, { next: { version: '2.0', ...draft } });
        assert.deepEqual([status, body.error?.details[0].path], [400, `next.${path}`], JSON.stringify(body));
        const created = await world.rest('POST', '/ap2/admin/policies', {
          name: 'x',
          rules: { version: '2.0', ...draft },
        });
        assert.deepEqual([created.status, created.body.error?.details[0].path], [400, `rules.${path}`]);
      }
      const most = { version: '2.0', spend: { amount_cap: 9_999_999_999_999.99, currency: 'USD' } };
      assert.equal((await world.rest('POST', PATH, { next: most })).status, 200);
      const { deps, tenantId } = world.node;
      const before = { version: '2.0', spend: { amount_cap: 1e13, currency: 'USD' } };
      await deps.store.write(tenantId, () =>
        run(
          'UPDATE policies SET rules = ?, hash = ? WHERE tenant_id = ? AND is_active = 1',
          JSON.stringify(before),
          'before',
          tenantId,
        ),
      );
      const kept = await world.rest('POST', PATH, { next: most });
      assert.deepEqual([kept.status, kept.body.looser], [200, false], 'of a policy from before');
    });

    test('names what is wrong with a draft, and takes the permission read', async () => {
      const wrong = await world.rest('POST', PATH, { next: { version: '2.0', spend: { cap: 1 } } });
      assert.deepEqual([wrong.status, wrong.body.error.details[0].path], [400, 'next.spend.cap']);
      const { key } = await world.client.createApiKey({ name: 'writer', permissions: ['write'] });
      const refused = await world.rest('POST', PATH, { next: rules }, { Authorization: `Bearer ${key}` });
      assert.equal(refused.status, 403);
    });
  });
}

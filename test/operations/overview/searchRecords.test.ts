/** Searching over REST: by ids and their beginnings, names, domains and amounts, and never in another tenant. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { insertAgent } from '../../../src/store/statements/registry/agents.ts';
import { run } from '../../../src/store/store.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePeer } from '../../support/peer.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`searching on ${engine.name}`, () => {
    let world: World;
    let payment: string;
    let hook: string;
    const principal = makePeer().did;
    before(async () => {
      world = await makeWorld(engine);
      payment = mandateIdOf(await purchase(world, 12.5));
      await world.rest('POST', '/ap2/admin/principals', { did: principal, name: 'Ada 100% Lovelace_' });
      const made = await world.rest('POST', '/ap2/admin/webhooks', {
        url: 'https://Hooks.example/in',
        events: ['policy.updated'],
      });
      hook = made.body.id;
    });
    after(() => world.close());

    const found = async (q: string, limit = 5): Promise<string[]> => {
      const reply = await world.rest('GET', `/ap2/admin/search?${new URLSearchParams({ q, limit: String(limit) })}`);
      assert.equal(reply.status, 200, reply.text);
      return reply.body.hits.map(({ kind, id }: Loose) => `${kind} ${id}`);
    };

    test('finds each by its id and by the beginning of it', async () => {
      const { transactionId, intentId } = (await world.rest('GET', `/ap2/payments/${payment}`)).body;
      for (const [kind, id, by] of [
        ['agent', world.agent.did, world.agent.did],
        ['payment', payment, payment],
        ['payment', payment, transactionId],
        ['intent', intentId, intentId],
        ['principal', principal, principal],
        ['webhook', hook, hook],
      ]) {
        assert.deepEqual(await found(by), [`${kind} ${id}`]);
        assert.ok((await found(by.slice(0, -3))).includes(`${kind} ${id}`));
      }
      const { hits } = (await world.rest('GET', `/ap2/admin/search?q=${intentId}`)).body;
      assert.equal(hits[0].transactionId, transactionId);
    });

    test('shows a reader what readers list, and no endpoint or principal', async () => {
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'reads', permissions: ['read'] });
      const headers = { Authorization: `Bearer ${made.body.key}` };
      const kinds = async (q: string) => {
        const { body } = await world.rest('GET', `/ap2/admin/search?${new URLSearchParams({ q })}`, undefined, headers);
        return body.hits.map(({ kind }: Loose) => kind);
      };
      assert.deepEqual(await kinds(payment), ['payment']);
      for (const q of [principal, 'Lovelace', hook, 'hooks.example']) assert.deepEqual(await kinds(q), [], q);
    });

    test('finds amounts, with their currency or without', async () => {
      for (const q of ['12.5', '12.50', '12.50 USD', '12.5usd', ' 12.50 usd '])
        assert.deepEqual(await found(q), [`payment ${payment}`]);
      for (const q of ['12.51', '12.50 EUR', '12.50 XYZ', '12.5.0', '-12.50']) assert.deepEqual(await found(q), []);
      assert.ok((await found(SHOP.slice(0, 3))).includes(`merchant ${SHOP}`));
    });

    test('finds names in any case, and takes no character for another', async () => {
      assert.deepEqual(await found('ada 100% love'), [`principal ${principal}`]);
      assert.deepEqual(await found('HOOKS.example'), [`webhook ${hook}`]);
      for (const q of ['%', '_']) assert.deepEqual(await found(q), [`principal ${principal}`], q);
      for (const q of ['pm%', 'p_', '*', "' OR 1=1 --", '\\']) assert.deepEqual(await found(q), [], q);
    });

    test('finds an agent by the beginning of its name however many are newer, and so many of each kind at most', async () => {
      const { deps, tenantId } = world.node;
      const row = (number: number, name: string, tenant = tenantId) => ({
        did: `did:key:test${tenant}${number}`,
        tenant_id: tenant,
        status: 'ACTIVE' as const,
        display_name: name,
        description: '',
        capabilities: '[]',
        created_at: number,
        place: `agt_${number}`,
        owner_user_id: null,
      });
      await deps.store.write(tenantId, function* () {
        yield* run('INSERT INTO tenants (id, name, created_at) VALUES (?, ?, ?)', 'other', 'other', 1);
        yield* insertAgent(row(1, 'Needle of old'));
        yield* insertAgent(row(2, 'Needle of others', 'other'));
        for (let number = 10; number < 1100; number += 1) yield* insertAgent(row(number, `Hay ${number}`));
      });
      assert.deepEqual(await found('Needle'), [`agent did:key:test${tenantId}1`]);
      assert.equal((await found('hay', 7)).length, 7);
    });

    test('says what is wrong with a question', async () => {
      for (const query of ['', '?q=', '?q=%20', `?q=${'x'.repeat(201)}`, '?q=x&limit=21'])
        assert.equal((await world.rest('GET', `/ap2/admin/search${query}`)).status, 400, query);
    });
  });
}

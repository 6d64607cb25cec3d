/** Principals that decide about their money: what is theirs is found by them, and their enrollment link promises what is true. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makePeer, type Peer } from '../support/peer.ts';
import { NO_CREDENTIAL } from '../support/person.ts';
import { mandateIdOf, purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`principals on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const govern = async (agents: readonly Peer[]): Promise<Peer> => {
      const principal = makePeer();
      const body = { did: principal.did, name: 'A household', agents: agents.map(({ did }) => did) };
      assert.equal((await world.rest('POST', '/ap2/admin/principals', body)).status, 201);
      return principal;
    };

    test('what was spent of one principal’s money is summed apart, by currency, agent and day', async () => {
      const [ada, bob] = [await world.newAgent('Ada'), await world.newAgent('Bob')];
      const principal = await govern([ada, bob]);
      for (const [agent, amount] of [
        [ada, 10],
        [ada, 20],
        [bob, 5],
      ] as const) {
        const mandateId = mandateIdOf(await purchase(world, amount, { agent, principal }));
        assert.equal((await world.rest('POST', `/ap2/payments/${mandateId}/capture`, {})).status, 200);
      }
      await purchase(world, 40);
      const sums = async (query = '') => {
        const path = `/ap2/admin/spend?principalDid=${encodeURIComponent(principal.did)}${query}`;
        const { status, body, text } = await world.rest('GET', path);
        assert.equal(status, 200, text);
        const of = ({ payments, net }: Loose) => `${payments}: ${net.text}`;
        return [...body.totals.map(of), ...body.entries.map((entry: Loose) => `${entry.agentDid ?? ''}${of(entry)}`)];
      };
      assert.deepEqual(await sums(), ['3: 35.00']);
      assert.deepEqual(await sums('&by=agent'), ['3: 35.00', `${ada.did}2: 30.00`, `${bob.did}1: 5.00`]);
      const today = new Date(world.node.deps.clock()).toISOString().slice(0, 10);
      assert.deepEqual(await sums(`&by=day&from=${today}`), ['3: 35.00', '3: 35.00']);
      assert.deepEqual(await sums('&to=2026-01-01'), []);
      assert.deepEqual(await sums('&currency=EUR'), []);
    });

    test('the payment methods of one holder are listed alone', async () => {
      const ada = await world.newAgent();
      const one = await govern([ada]);
      const dids = async (path: string) => {
        const { status, body, text } = await world.rest('GET', path);
        assert.equal(status, 200, text);
        return body.data.map((each: Loose) => each.paymentMethod);
      };
      const named = (did: string) => encodeURIComponent(did);
      for (const [holder, paymentMethod] of [
        [{ principalDid: one.did }, 'pm_principal'],
        [{ agentDid: ada.did }, 'pm_agent'],
      ] as const) {
        const added = await world.rest('POST', '/ap2/admin/instruments', { ...holder, paymentMethod });
        assert.equal(added.status, 201, added.text);
      }
      const instruments = '/ap2/admin/instruments';
      assert.deepEqual(await dids(`${instruments}?principalDid=${named(one.did)}`), ['pm_principal']);
      assert.deepEqual(await dids(`${instruments}?agentDid=${named(ada.did)}`), ['pm_agent']);
      assert.deepEqual(await dids(`${instruments}?agentDid=${named(one.did)}`), [], 'a DID of the other kind');
      const two = await world.rest('GET', `${instruments}?agentDid=${named(ada.did)}&principalDid=${named(one.did)}`);
      assert.equal(two.status, 400);
    });

    test('an enrollment link says whether what it enrolls approves anything of a registered principal', async () => {
      const agent = await world.newAgent();
      const delegated = async (holder: object) => {
        const link = await world.rest('POST', '/ap2/admin/enrollments', holder);
        return (await world.rest('GET', `${new URL(link.body.url).pathname}/link`, undefined, NO_CREDENTIAL)).body
          .delegated;
      };
      const stranger = makePeer();
      assert.equal(await delegated({ agentDid: agent.did }), false);
      assert.equal(await delegated({ principalDid: stranger.did }), false, 'it is not registered yet');
      assert.equal(await delegated({ principalDid: (await govern([])).did }), false, 'no agent may spend its money');
      assert.equal(await delegated({ principalDid: (await govern([agent])).did }), true);
      assert.equal(await delegated({ agentDid: agent.did }), true);
    });
  });
}

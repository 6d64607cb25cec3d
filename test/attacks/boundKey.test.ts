/** Who is bound to agents, by its own key or by the one it was given, acts for these and sees theirs alone. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, type Peer } from '../support/peer.ts';
import { purchase } from '../support/purchase.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const LISTS = ['/ap2/intents', '/ap2/payments', '/ap2/approvals', '/a2a/sessions', '/ap2/hp/passkeys', '/ap2/agents'];
const MORE = ['/ap2/policies', '/ap2/evidence/export', '/ap2/evidence/search', '/ap2/evidence/checkpoints'];

for (const engine of everyEngine()) {
  describe(`a caller that is bound to agents on ${engine.name}`, () => {
    let world: World;
    let other: Peer;
    let third: Peer;
    const owners: ((path: string) => Record<string, string>)[] = [];
    let key: string;
    before(async () => {
      world = await makeWorld(engine);
      [other, third] = [await world.newAgent('other'), await world.newAgent('third')];
      for (const agent of [world.agent, other, third]) {
        await purchase(world, 5, { agent });
        const session = { contextId: `of ${agent.did}`, agentDid: agent.did, userDid: world.principal.did };
        assert.equal((await world.rest('POST', '/a2a/sessions', session)).status, 201);
      }
      const given = { name: 'for two', permissions: ['read', 'write'], agents: [world.agent.did, third.did] };
      const made = await world.rest('POST', '/ap2/admin/api-keys', given);
      assert.deepEqual(made.body.agents, given.agents, made.text);
      key = made.body.key;
      const { baseUrl } = world.node;
      const proof = (path: string) => makeDidProof(world.agent, { baseUrl, method: 'GET', path, body: '' });
      owners.push(
        () => ({ Authorization: `Bearer ${key}` }),
        (path) => ({ 'X-DID-Proof': proof(path.split('?')[0] as string) }),
      );
    });
    after(() => world.close());

    test('finds its own in every list, page by page, and no other agent’s', async () => {
      for (const [at, headers] of owners.entries()) {
        const own = at === 0 ? [world.agent.did, third.did] : [world.agent.did];
        for (const list of LISTS) {
          const seen: Loose[] = [];
          let cursor = '';
          do {
            const path = `${list}?limit=1${cursor}`;
            const page = await world.rest('GET', path, undefined, headers(path));
            assert.equal(page.status, 200, page.text);
            seen.push(...page.body.data);
            cursor = page.body.cursor === null ? '' : `&cursor=${page.body.cursor}`;
          } while (cursor !== '');
          const agents = seen.map(({ agentDid, did }) => agentDid ?? did);
          if (list === '/ap2/approvals' || list === '/ap2/hp/passkeys') assert.deepEqual(agents, []);
          else assert.deepEqual(agents, [...own].reverse(), list);
        }
        assert.equal(
          (await world.rest('GET', '/ap2/policies/current', undefined, headers('/ap2/policies/current'))).status,
          200,
        );
      }
    });

    test('is refused what is another agent’s, and what shows more than one agent’s', async () => {
      const { data } = (await world.rest('GET', `/ap2/payments?agentDid=${encodeURIComponent(other.did)}`)).body;
      const { mandateId, intentId, transactionId } = data[0];
      for (const headers of owners) {
        const read = async (path: string) => (await world.rest('GET', path, undefined, headers(path))).status;
        const theirs = [
          `/ap2/payments/${mandateId}`,
          `/ap2/intents/${intentId}`,
          `/ap2/evidence/bundle/${transactionId}`,
        ];
        for (const path of [...theirs, `/ap2/agents/${other.did}`]) assert.equal(await read(path), 404, path);
        for (const path of MORE) assert.equal(await read(path), 403, path);
        assert.equal(await read(`/ap2/intents?agentDid=${encodeURIComponent(other.did)}`), 403);
      }
      const headers = { Authorization: `Bearer ${key}` };
      const buys = (agent: Peer) => world.rest('POST', '/ap2/intents', world.intentBody(1, { agent }), headers);
      assert.equal((await buys(third)).body.allowed, true);
      const refused = await buys(other);
      assert.equal(refused.status, 403);
      assert.match(refused.body.error.message, /This key cannot act for/);
      const refund = await world.rest('POST', `/ap2/payments/${mandateId}/cancel`, {}, headers);
      assert.equal(refund.status, 404, refund.text);
    });

    test('is not made with the permission to administer, or for an agent that is not there', async () => {
      const body = { name: 'x', permissions: ['admin'], agents: [third.did] };
      assert.equal((await world.rest('POST', '/ap2/admin/api-keys', body)).status, 400);
      const unknown = { name: 'x', permissions: ['read'], agents: [world.principal.did] };
      assert.equal((await world.rest('POST', '/ap2/admin/api-keys', unknown)).status, 404);
    });
  });
}

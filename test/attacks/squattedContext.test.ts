/** An agent that takes the contextId of another one's session beforehand does not keep it from that agent, and sees nothing of it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, type Peer } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a contextId on ${engine.name}`, () => {
    let world: World;
    let squatter: Peer;
    const contextId = 'order-4711';
    before(async () => {
      world = await makeWorld(engine);
      squatter = await world.newAgent('squatter');
    });
    after(() => world.close());

    const open = (peer: Peer) =>
      world.rest('POST', '/a2a/sessions', { contextId, agentDid: peer.did, userDid: world.principal.did });
    const path = `/a2a/sessions/${contextId}`;
    const asAgent = (peer: Peer) => {
      const request = { baseUrl: world.node.baseUrl, method: 'GET', path, body: '' };
      return world.rest('GET', path, undefined, { 'X-DID-Proof': makeDidProof(peer, request) });
    };

    test('is each agent’s own: taken by one, it is there for the others', async () => {
      assert.equal((await open(squatter)).status, 201);
      const refused = await world.say('IntentMandate', world.intentBody(5), { contextId });
      assert.equal(refused.error.code, -32004, 'the session of another agent is not joined');
      assert.equal((await open(world.agent)).status, 201);
      assert.equal((await open(world.agent)).status, 409);
      const intent = await world.say('IntentMandate', world.intentBody(5), { contextId });
      assert.ok(intent.result, JSON.stringify(intent));
      const own = await asAgent(world.agent);
      assert.equal(own.body.messageCount, 1, own.text);
      assert.match(own.body.intentMandateId, /^intent_/);
      const theirs = await asAgent(squatter);
      assert.deepEqual([theirs.body.messageCount, theirs.body.intentMandateId], [0, null]);
    });

    test('that several agents use is asked for by agent, with a key that may see both', async () => {
      const unnamed = await world.rest('GET', path);
      assert.equal(unnamed.status, 400, unnamed.text);
      assert.equal(unnamed.body.error.details[0].path, 'agentDid');
      const named = await world.rest('GET', `${path}?agentDid=${encodeURIComponent(world.agent.did)}`);
      assert.equal(named.body.messageCount, 1, named.text);
      const stranger = await world.rest('GET', `${path}?agentDid=${encodeURIComponent(world.principal.did)}`);
      assert.equal(stranger.status, 404);
    });

    test('is looked up among the agents that a key is bound to', async () => {
      const read = async (agents: Peer[], query = '') => {
        const input = { name: 'bound', permissions: ['read'], agents: agents.map(({ did }) => did) };
        const { key } = (await world.rest('POST', '/ap2/admin/api-keys', input)).body;
        return world.rest('GET', path + query, undefined, { Authorization: `Bearer ${key}` });
      };
      const third = await world.newAgent('third');
      assert.equal((await read([third, world.agent])).body.messageCount, 1);
      assert.equal((await read([third])).status, 404);
      assert.equal((await read([third], `?agentDid=${encodeURIComponent(world.agent.did)}`)).status, 404);
      assert.equal((await read([squatter, world.agent])).status, 400);
    });
  });
}

/** A signed body means what it says: a query, which no proof covers, adds nothing to it and changes nothing of it. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a query on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    test('is refused beside a signed body, and names the parameter', async () => {
      const path = '/ap2/intents';
      const body = JSON.stringify(world.intentBody(1));
      const proof = makeDidProof(world.agent, { method: 'POST', path, baseUrl: world.node.baseUrl, body });
      const headers = { 'Content-Type': 'application/json', 'X-DID-Proof': proof };
      const query = 'principalDid=did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
      const reply = await fetch(`${world.node.address}${path}?${query}`, { method: 'POST', headers, body });
      assert.equal(reply.status, 400);
      const { error } = (await reply.json()) as { error: { message: string } };
      assert.match(error.message, /principalDid is not read here/);
      assert.deepEqual((await world.client.listIntents({})).data, []);
    });

    test('does not carry a token or an amount into a request of an API key either', async () => {
      for (const path of ['/ap2/payments/mandate?approvalToken=apt_x', '/ap2/payments/pm_x/capture?amount=1']) {
        const reply = await world.rest('POST', path, {});
        assert.equal(reply.status, 400);
        assert.match(reply.body.error.message, /is not read here; send it as a member of the JSON body/);
      }
    });

    test('with an unknown parameter is refused, and the known ones are named', async () => {
      const reply = await world.rest('GET', '/ap2/intents?agentDID=x');
      assert.equal(reply.status, 400);
      assert.match(reply.body.error.message, /agentDID is not known; there are limit, cursor, status, agentDid/);
    });

    test('with a parameter that stands twice is refused where one is taken, and the parameter is named', async () => {
      for (const [path, name] of [
        ['/ap2/admin/spend?by=month&by=day', 'by'],
        ['/ap2/admin/journal?month=2026-11&month=2026-10', 'month'],
      ]) {
        const { status, body } = await world.rest('GET', String(path));
        assert.equal(status, 400);
        assert.equal(body.error.message, `The query parameter ${name} is given more than once; give it once.`);
      }
      const [one, two] = [world.agent.did, (await world.newAgent('Another')).did].map(encodeURIComponent);
      assert.equal((await world.rest('GET', `/ap2/agents/limits?agents=${one}&agents=${two}`)).status, 200);
    });

    test('is judged after the caller: who may not ask learns nothing of what could be asked', async () => {
      assert.equal((await world.rest('GET', '/ap2/intents?agentDID=x', undefined, {})).status, 401);
    });
  });
}

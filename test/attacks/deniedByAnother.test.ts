/** An agent that withdraws its own question about a cart keeps no other agent from asking the person about that cart. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { saidBy, sendTo } from '../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a question that its agent withdraws on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    /** Two agents that buy for one person, each with a key of its own. */
    const twoAgents = async () => {
      const made = [await world.newAgent('buys'), await world.newAgent('is in the way')];
      const of = async (agent: Peer) => {
        const given = { name: 'bound', permissions: ['read', 'write'], agents: [agent.did] };
        const { key } = (await world.rest('POST', '/ap2/admin/api-keys', given)).body;
        return { agent, by: { Authorization: `Bearer ${key}` } };
      };
      return Promise.all(made.map(of));
    };
    type Buyer = Awaited<ReturnType<typeof twoAgents>>[number];

    const ask = async ({ agent, by }: Buyer, cartVc: object): Promise<Loose> => {
      const intent = await world.rest('POST', '/ap2/intents', world.intentBody(180, { agent }), by);
      return world.rest('POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc }, by);
    };

    test('over REST leaves another agent’s question about the same cart open, and is its own last word', async () => {
      const [buyer, other] = (await twoAgents()) as [Buyer, Buyer];
      const cartVc = world.cart(150);
      const { approval } = (await ask(other, cartVc)).body;
      assert.equal((await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {}, other.by)).status, 200);
      const asked = await ask(buyer, cartVc);
      assert.deepEqual(asked.body.reasonCodes, ['HP_REQUIRED'], asked.text);
      assert.match(String(asked.body.approval?.url), /\/approve\/apr_/, asked.text);
      assert.equal((await ask(other, cartVc)).body.approval, undefined);
    });

    test('as a task does so too', async () => {
      const [buyer, other] = (await twoAgents()) as [Buyer, Buyer];
      const cartVc = world.cart(150);
      const { agent, by } = other;
      const begun = await sendTo(
        world,
        { 'countersign.purchase': { intent: world.intentBody(180, { agent }) } },
        {},
        by,
      );
      const task = await sendTo(world, { 'countersign.purchase': { cartVc } }, { taskId: begun.id }, by);
      assert.ok(saidBy(task)['countersign.approval'], JSON.stringify(task.status));
      assert.equal((await world.rest('POST', `/ap2/tasks/${task.id}/cancel`, {}, by)).status, 200);
      const asked = await ask(buyer, cartVc);
      assert.match(String(asked.body.approval?.url), /\/approve\/apr_/, asked.text);
    });

    test('is another matter where the owner says no: then the cart is asked about no more', async () => {
      const [buyer, other] = (await twoAgents()) as [Buyer, Buyer];
      const cartVc = world.cart(150);
      const { approval } = (await ask(other, cartVc)).body;
      assert.equal((await world.rest('POST', `/ap2/approvals/${approval.id}/deny`, {})).status, 200);
      const asked = await ask(buyer, cartVc);
      assert.deepEqual([asked.body.reasonCodes, asked.body.approval], [['HP_REQUIRED'], undefined], asked.text);
    });
  });
}

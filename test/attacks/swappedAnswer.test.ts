/** Who sits between an agent and its node gives it genuine answers to other messages, or another node. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Agent, agentOf, connect, makeAgent } from '../../client/index.ts';
import { everyEngine } from '../support/engines.ts';
import { type Loose, makeWorld, SHOP, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`the answers between agent and node on ${engine.name}`, () => {
    let world: World;
    let agent: Agent;
    before(async () => {
      world = await makeWorld(engine);
      agent = await newAgent();
    });
    after(() => world.close());

    async function newAgent(): Promise<Agent> {
      const made = makeAgent();
      await world.client.registerAgent({ name: 'one of two', publicKey: made.publicKey });
      return agentOf(made.seed);
    }
    const ask = (who: Agent, maxAmount: number) => ({
      type: 'IntentMandate' as const,
      body: {
        agentDid: who.did,
        principalDid: world.principal.did,
        request: { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } },
      },
    });

    /** A network that keeps the answers of the node, and may give another in place of the one that came. */
    function between(swap: (answers: readonly Loose[], sent: Loose) => Loose) {
      const answers: Loose[] = [];
      return (async (url: string, init: RequestInit) => {
        const response = await fetch(url, init);
        if (init.method !== 'POST') return response;
        answers.push(await response.json());
        return Response.json(swap(answers, JSON.parse(String(init.body))));
      }) as typeof fetch;
    }
    const first = between(([answer], { id }) => ({ ...answer, id }));
    const refusedAs = (message: RegExp) => ({ code: 'INVALID_ANSWER', message });

    test('an answer to another message of the agent is not taken', async () => {
      const node = await connect(world.node.address, agent, { fetch: first });
      assert.ok((await node.send(ask(agent, 5))).allowed);
      await assert.rejects(node.send(ask(agent, 50)), refusedAs(/is to another message: "inReplyTo" is /));
    });

    test('an answer to another agent, of another kind or of another session is not taken', async () => {
      const other = await newAgent();
      const swapped = between((answers, { id }) => ({ ...answers[0], id }));
      const node = await connect(world.node.address, agent, { fetch: swapped });
      const beside = await connect(world.node.address, other, { fetch: swapped });
      const sent = { ...ask(agent, 5), id: 'one' };
      assert.ok((await node.send(sent)).allowed);
      await assert.rejects(
        beside.send({ ...ask(other, 5), id: 'one' }),
        refusedAs(/"to" is did:key:\w+, not did:key:/),
      );
      const cart = { type: 'CartMandate' as const, body: { intentVc: {}, cartVc: {} } };
      await assert.rejects(node.send({ ...cart, id: 'one' }), refusedAs(/"type" is IntentResult, not CartResult/));
      await assert.rejects(node.send({ ...sent, contextId: 'trip' }), refusedAs(/"contextId" is undefined, not trip/));
    });

    test('an answer to another call, or none at all, is not taken', async () => {
      const swapped = between((answers) => answers[0]);
      const node = await connect(world.node.address, agent, { fetch: swapped });
      assert.ok((await node.send(ask(agent, 5))).allowed);
      await assert.rejects(node.send(ask(agent, 6)), refusedAs(/to another request/));
      for (const result of [null, {}, { message: null }, { allowed: false }]) {
        const empty = between((_answers, { id }) => ({ jsonrpc: '2.0', id, result }));
        const deceived = await connect(world.node.address, agent, { fetch: empty });
        await assert.rejects(deceived.send(ask(agent, 5)), refusedAs(/is not signed by/));
        await assert.rejects(deceived.getSession('trip'), refusedAs(/about another session/));
      }
    });

    test('a node with a key of its own is not taken for the one that was named', async () => {
      const stranger = await makeWorld(engine);
      try {
        const nodeDid = world.node.deps.issuer.did;
        const seen: string[] = [];
        const elsewhere = ((url: string, init: RequestInit) => {
          seen.push(String(init.method));
          return fetch(url.replace(world.node.address, stranger.node.address), init);
        }) as typeof fetch;
        await assert.rejects(connect(world.node.address, agent, { fetch: elsewhere, nodeDid }), { code: 'WRONG_NODE' });
        assert.deepEqual(seen, ['GET'], 'nothing was sent to it');
      } finally {
        await stranger.close();
      }
    });
  });
}

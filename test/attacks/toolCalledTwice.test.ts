/** A tool that is called again, many times at once, buys once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { approve } from '../support/purchase.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../support/world.ts';

const COPIES = 20;

for (const engine of everyEngine()) {
  describe(`a tool that is called again on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const call = async (name: string, input: object, key = ADMIN_KEY): Promise<Loose> => {
      const params = { name, arguments: input };
      const response = await fetch(`${world.node.address}/mcp`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${key}`,
          'Content-Type': 'application/json',
          Accept: 'application/json, text/event-stream',
          'MCP-Protocol-Version': '2025-11-25',
        },
        body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params }),
      });
      const text = await response.text();
      assert.equal(response.status, 200, text);
      return JSON.parse(text.startsWith('{') ? text : (/^data: (\{.*\})$/m.exec(text)?.[1] as string)).result;
    };
    const atOnce = (name: string, input: object) =>
      Promise.all(Array.from({ length: COPIES }, () => call(name, input)));
    const listOf = async (what: 'intents' | 'payments', agent: Peer): Promise<Loose[]> => {
      const path = `/ap2/${what}?limit=200&agentDid=${encodeURIComponent(agent.did)}`;
      return (await world.rest('GET', path)).body.data;
    };
    const saysCode = ({ content }: Loose) => /^[A-Z_]+(?=:)/.exec(content[0].text)?.[0];

    test('with one idempotency key asks for one intent, and for no other under that key', async () => {
      const agent = await world.newAgent();
      const input = { maxAmount: 5, currency: 'USD', agentDid: agent.did, idempotencyKey: `intent of ${agent.did}` };
      const results = await atOnce('request_intent', input);
      assert.equal(new Set(results.map(({ structuredContent }) => structuredContent.intentId)).size, 1);
      const other = await call('request_intent', { ...input, maxAmount: 6 });
      assert.deepEqual([other.isError, saysCode(other)], [true, 'CONFLICT']);
      assert.equal((await listOf('intents', agent)).length, 1);
    });

    test('with one approval token pays once, with an idempotency key and without', async () => {
      for (const more of [{}, { idempotencyKey: 'pay once' }]) {
        const agent = await world.newAgent();
        const approvalToken = await approve(world, 12, { agent });
        const results = await atOnce('pay', { approvalToken, ...more });
        const paid = results.filter(({ isError }) => isError !== true);
        const refused = results.filter(({ isError }) => isError === true).map(saysCode);
        assert.ok(paid.length >= 1);
        assert.equal(new Set(paid.map(({ structuredContent }) => structuredContent.mandateId)).size, 1);
        assert.ok(
          refused.every((code) => code === 'CONFLICT'),
          refused.join(),
        );
        const again = await call('pay', { approvalToken, ...more });
        if ('idempotencyKey' in more) assert.deepEqual(again.structuredContent, paid[0].structuredContent);
        else assert.equal(saysCode(again), 'CONFLICT');
        assert.equal((await listOf('payments', agent)).length, 1);
      }
    });

    test('under another’s idempotency key gets nothing of the other’s answer', async () => {
      const agent = await world.newAgent();
      const input = { maxAmount: 5, currency: 'USD', agentDid: agent.did, idempotencyKey: 'a shared name' };
      const own = await call('request_intent', input);
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'other', permissions: ['write'] });
      const other = await call('request_intent', input, made.body.key);
      assert.notEqual(other.structuredContent.intentId, own.structuredContent.intentId);
    });
  });
}

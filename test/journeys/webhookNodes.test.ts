/** Several nodes and one outbox: shared without doubles, taken over from the dead, drained by those that leave. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { insertWebhookEvent } from '../../src/store/statements/webhooks/webhookEvents.ts';
import { everyEngine } from '../support/engines.ts';
import { attempts, HOOKS, passMarker, subscribe } from '../support/hooks.ts';
import { makePeer } from '../support/peer.ts';
import { startReceiver } from '../support/receiver.ts';
import { ADMIN_KEY, makeWorld } from '../support/world.ts';

const RETRY = { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' };

for (const engine of everyEngine()) {
  describe(`deliveries of several nodes on ${engine.name}`, () => {
    test('are shared without one being posted twice, and a subscription made at one holds at the other', async () => {
      const world = await makeWorld(engine, RETRY);
      const receiver = await startReceiver();
      const second = await world.another();
      try {
        const webhook = await subscribe(world, receiver.url, ['agent.created']);
        const agents = 60;
        for (let index = 0; index < agents; index++) {
          const at = index % 2 === 0 ? world.node : second;
          const response = await fetch(`${at.address}/ap2/agents`, {
            method: 'POST',
            headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
            body: JSON.stringify({ name: 'agent', publicKey: makePeer().publicKey }),
          });
          assert.equal(response.status, 201);
        }
        await receiver.wait(agents);
        await passMarker(world, receiver);
        const posts = () => receiver.received.filter(({ path }) => path === '/');
        assert.equal(posts().length, agents);
        assert.equal(new Set(posts().map(({ event }) => event.id)).size, agents);
        assert.equal((await attempts(world, webhook.id, agents)).length, agents);
        const deleted = await fetch(`${second.address}${HOOKS}/${webhook.id}`, {
          method: 'DELETE',
          headers: { Authorization: `Bearer ${ADMIN_KEY}` },
        });
        assert.equal(deleted.status, 204);
        await world.newAgent();
        await passMarker(world, receiver);
        assert.equal(posts().length, agents, 'deleted at one node, silent at the other');
      } finally {
        await second.stop();
        await receiver.close();
        await world.close();
      }
    });

    test('are taken over when the node that held them is gone', async () => {
      const world = await makeWorld(engine, RETRY);
      const receiver = await startReceiver();
      try {
        await subscribe(world, receiver.url, ['agent.created']);
        const { deps, tenantId } = world.node;
        // As a node leaves it behind that was killed: leased to an unknown node.
        await deps.store.write(tenantId, function* () {
          const [row] = (yield { sql: 'SELECT id FROM webhooks', args: [] }).rows as { id: string }[];
          yield* insertWebhookEvent({ id: 'evt_left', tenant_id: tenantId, body: '{"id":"evt_left"}', trace: null });
          yield {
            sql: `INSERT INTO webhook_deliveries (id, tenant_id, webhook_id, event_id, event_type, state, attempts,
                    max_attempts, next_at, leased_by, created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
            args: [
              deps.newId('whd_'),
              tenantId,
              row?.id ?? '',
              'evt_left',
              'agent.created',
              'LEASED',
              2,
              6,
              Date.now() + 40_000,
              'node_gone',
              Date.now(),
            ],
          };
        });
        const [received] = await receiver.wait(1, undefined, 5000);
        assert.equal(received?.event.id, 'evt_left');
        const [log] = await attempts(world, (await world.rest('GET', HOOKS)).body.data[0].id, 1);
        assert.deepEqual([log?.attempt, log?.outcome], [3, 'delivered'], 'the attempts before it count');
      } finally {
        await receiver.close();
        await world.close();
      }
    });

    test('are finished by a node that stops, and what it had not begun is left to the next', async () => {
      const world = await makeWorld(engine, RETRY);
      const receiver = await startReceiver();
      receiver.answer = (response) => void setTimeout(() => response.end(), 400);
      const other = await world.another();
      try {
        const webhook = await subscribe(world, receiver.url, ['agent.created']);
        for (let index = 0; index < 40; index++) await world.newAgent();
        await receiver.wait(1);
        const started = Date.now();
        await other.stop();
        assert.ok(Date.now() - started < 15_000);
        await receiver.wait(40);
        const logs = await attempts(world, webhook.id, 40);
        assert.deepEqual([...new Set(logs.map(({ outcome }) => outcome))], ['delivered']);
        assert.equal(new Set(logs.map(({ eventId }) => eventId)).size, 40);
        assert.equal(receiver.received.length, 40, 'nothing was broken off and posted again');
      } finally {
        await receiver.close();
        await world.close();
      }
    });
  });
}

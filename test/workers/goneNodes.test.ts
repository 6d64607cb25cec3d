/** What a node that is gone has left, as the others find it; and that no node takes itself for gone. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { listDueAttempts } from '../../src/store/statements/purchases/railAttempts.ts';
import { hasLostLeases } from '../../src/store/statements/webhooks/deliveries.ts';
import { run, type Script } from '../../src/store/store.ts';
import { memoryNode } from '../support/memoryNode.ts';

const HOUR_MS = 3_600_000;

test('a node whose clock was set ahead keeps what it has begun, which others take over', async () => {
  const node = await memoryNode();
  const { deps, owner } = node;
  const { store } = deps;
  await node.run('createWebhook', { url: 'https://backend.example.com/hook', events: ['intent.issued'] });
  await node.pay((await node.agent()).did);
  await store.write(owner.tenantId, function* (now): Script<void> {
    yield* run("UPDATE rail_attempts SET state = 'OPEN', node_id = 'one', next_at = ?", now + HOUR_MS);
    yield* run("UPDATE webhook_deliveries SET state = 'LEASED', leased_by = 'one', next_at = ?", now + HOUR_MS);
    yield* run("INSERT INTO nodes (node_id, seen_at) VALUES ('one', ?)", now);
  });
  const left = (asking: string, aheadMs: number) =>
    store.read(function* (at): Script<readonly [boolean, number]> {
      const now = at + aheadMs;
      const attempts = yield* listDueAttempts(asking, now, now - 6000, 10);
      return [yield* hasLostLeases(asking, now, now - 6000), attempts.length];
    });
  assert.deepEqual(await left('other', 0), [false, 0]);
  assert.deepEqual(await left('other', 8000), [true, 1]);
  assert.deepEqual(await left('one', 8000), [false, 0]);
  assert.deepEqual(await left('one', HOUR_MS), [true, 1], 'a lease that has ended is over for its own node as well');
});

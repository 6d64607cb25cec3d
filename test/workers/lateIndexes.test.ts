/** The index of searches: it follows the chain in batches, and wholly once the chain rests. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findUnmerged, MERGE_STEPS, nextBatch } from '../../src/store/statements/evidence/search.ts';
import { fillLateIndexes } from '../../src/workers/lateIndexes.ts';
import { patience } from '../../src/workers/patience.ts';
import { memoryNode } from '../support/memoryNode.ts';

test('new events wait until the chain rests for a second, and are all in the index then', async () => {
  const node = await memoryNode();
  const { store } = node.deps;
  const { tenantId } = node.owner;
  const waiting = patience(node.deps, 'test');
  const unmerged = async () => (await store.read(() => findUnmerged(tenantId))).count;
  const { did } = await node.agent();
  await node.pay(did);
  const count = await unmerged();
  assert.ok(count >= 4, String(count));
  await fillLateIndexes(node.deps, waiting);
  assert.equal(await unmerged(), count);
  node.clock.now += 1000;
  await fillLateIndexes(node.deps, waiting);
  assert.equal(await unmerged(), 0);
  const [event] = (await node.run('searchEvidence', { actorDid: did, limit: 1 })).data;
  assert.equal(event.actorDid, did);
});

test('a chain of a clock that was ahead counts as resting, and a batch has no more than it is told', async () => {
  const node = await memoryNode();
  const { store } = node.deps;
  const { tenantId } = node.owner;
  const { did } = await node.agent();
  for (let payment = 0; payment < 3; payment++) await node.pay(did);
  const before = (await store.read(() => findUnmerged(tenantId))).count;
  const batch = await store.read(() => nextBatch(tenantId, 5));
  assert.ok(batch);
  for (const merge of MERGE_STEPS) await store.write(tenantId, () => merge(tenantId, batch));
  assert.equal((await store.read(() => findUnmerged(tenantId))).count, before - 5);
  node.clock.now -= 3_600_000;
  await fillLateIndexes(node.deps, patience(node.deps, 'test'));
  assert.equal((await store.read(() => findUnmerged(tenantId))).count, 0);
});

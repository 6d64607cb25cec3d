/** A limit that is changed holds from the next intent on, with all that was counted before; a window that stays is not counted anew. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { all } from '../../../src/store/store.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

async function limited(node: MemoryNode, limit: object): Promise<void> {
  const velocity_limit = { max_amount: 1e6, ...limit };
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, risk: { velocity_limit } };
  await node.run('createPolicy', { name: 'Limited', rules });
}

const ask = (node: MemoryNode, agentDid: string): Promise<Loose> =>
  node.run('issueIntent', { agentDid, principalDid: agentDid, request: { maxAmount: 1, currency: 'USD' } });

const windows = (node: MemoryNode): Promise<Loose[]> =>
  node.deps.store.read(() => all<Loose>('SELECT scope, window_ms, transactions FROM velocity_windows ORDER BY scope'));

test('a window that a change of the policy leaves alone is kept', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  await limited(node, { max_transactions: 5, time_window: '1h' });
  await ask(node, did);
  await ask(node, did);
  const before = await windows(node);
  assert.deepEqual(before, [{ scope: did, window_ms: 3_600_000, transactions: 2 }]);
  await limited(node, { max_transactions: 2, time_window: '1h' });
  assert.deepEqual(await windows(node), before);
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
  await limited(node, { max_transactions: 2, time_window: '2h' });
  assert.deepEqual(await windows(node), []);
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
});

test('a window that returns knows what was bought while another one held', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  for (const [window, scope] of [
    ['1h', 'agent'],
    ['2h', 'agent'],
    ['1h', 'policy'],
    ['1h', 'agent'],
  ]) {
    await limited(node, { max_transactions: 4, time_window: window, scope });
    node.clock.now += 60_000;
    assert.equal((await ask(node, did)).allowed, true);
  }
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
});

test('so it is with a limit of an agent’s own', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  await limited(node, { max_transactions: 5, time_window: '1h' });
  await ask(node, did);
  const own = (maxTransactions: number, timeWindow: string) =>
    node.run('setAgentVelocity', { did, maxTransactions, timeWindow });
  await own(3, '1h');
  assert.equal((await windows(node)).length, 1, 'the same window');
  await ask(node, did);
  await own(3, '30m');
  assert.equal((await windows(node)).length, 0);
  assert.equal((await ask(node, did)).allowed, true);
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
  await limited(node, { max_transactions: 1, time_window: '1h' });
  assert.deepEqual(await windows(node), [{ scope: did, window_ms: 1_800_000, transactions: 3 }], 'its own holds on');
  await own(4, '1h');
  assert.equal((await ask(node, did)).allowed, true);
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
});

/** A limit that is changed holds from the next intent on, with all that was counted before. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

async function limited(node: MemoryNode, limit: object): Promise<void> {
  const velocity_limit = { max_amount: 1e6, ...limit };
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, risk: { velocity_limit } };
  await node.run('createPolicy', { name: 'Limited', rules });
}

const ask = (node: MemoryNode, agentDid: string): Promise<Loose> =>
  node.run('issueIntent', { agentDid, principalDid: agentDid, request: { maxAmount: 1, currency: 'USD' } });

test('a limit that is lowered, or given another window, counts what was asked before', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  await limited(node, { max_transactions: 5, time_window: '1h' });
  await ask(node, did);
  await ask(node, did);
  await limited(node, { max_transactions: 2, time_window: '1h' });
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
  await limited(node, { max_transactions: 2, time_window: '2h' });
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
  await ask(node, did);
  await own(3, '30m');
  assert.equal((await ask(node, did)).allowed, true);
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
  await limited(node, { max_transactions: 1, time_window: '1h' });
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED'], 'its own holds on');
  await own(4, '1h');
  assert.equal((await ask(node, did)).allowed, true);
  assert.deepEqual((await ask(node, did)).reasonCodes, ['VELOCITY_EXCEEDED']);
});

/** A replay does not take a person that the agent itself asked for as one that a policy asks for. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';

test('an intent whose agent wanted a person flips under no policy that allows it', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  const request = { maxAmount: 10, currency: 'USD', shopping: { confirmCart: true } };
  const issued = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  assert.equal(issued.hpRequired, true);
  const replayed = await node.run('replayPolicy', { rules: { version: '2.0', context: { presence: 'never' } } });
  assert.deepEqual([replayed.flipped, replayed.wouldNeedPresence], [0, 1]);
});

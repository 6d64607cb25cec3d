/** Lists are newest first among what was made in one millisecond, and after the clock was set back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../support/memoryNode.ts';
import type { Loose } from '../support/world.ts';

test('agents, sessions and intents are listed newest first within a millisecond and after the clock was set back', async () => {
  const node = await memoryNode();
  const made = { agents: [] as string[], sessions: [] as string[], intents: [] as string[] };
  for (let number = 0; number < 6; number++) {
    if (number === 3) node.clock.now -= 60_000;
    const { did } = await node.agent();
    made.agents.unshift(did);
    const contextId = `session-${[4, 1, 5, 0, 3, 2][number]}`;
    await node.run('createSession', { agentDid: did, userDid: did, contextId });
    made.sessions.unshift(contextId);
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    made.intents.unshift(intentVc.credentialSubject.mandateId);
  }
  const listed = async (name: 'listAgents' | 'listSessions' | 'listIntents', member: string) => {
    const found: string[] = [];
    let cursor: string | undefined;
    do {
      const page: Loose = await node.run(name, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      found.push(...page.data.map((each: Loose) => each[member]));
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    return found;
  };
  assert.deepEqual(await listed('listAgents', 'did'), made.agents);
  assert.deepEqual(await listed('listSessions', 'contextId'), made.sessions);
  assert.deepEqual(await listed('listIntents', 'mandateId'), made.intents);
});

test('policies are listed newest first: a new version of an old policy comes before what was made meanwhile', async () => {
  const node = await memoryNode();
  const rules = { version: '2.0' };
  const [old, other] = [
    await node.run('createPolicy', { name: 'old', rules }),
    await node.run('createPolicy', { name: 'other', rules }),
  ];
  await node.run('updatePolicy', { id: old.id, name: 'old, changed' });
  node.clock.now -= 60_000;
  await node.run('updatePolicy', { id: other.id, name: 'other, changed' });
  const names: string[] = [];
  let cursor: string | undefined;
  do {
    const page: Loose = await node.run('listPolicies', { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    names.push(...page.data.map(({ name }: Loose) => name));
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  assert.deepEqual(names.slice(0, 4), ['other, changed', 'old, changed', 'other', 'old']);
  assert.equal(names.length, 5, 'with the policy that the node began with');
});

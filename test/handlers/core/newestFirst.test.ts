/** Lists are newest first among what was made in one millisecond, and after the clock was set back. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

test('agents, sessions and intents are listed newest first within a millisecond and after the clock was set back', async () => {
  const node = await memoryNode();
  const made: { agents: string[]; sessions: string[]; intents: string[] } = { agents: [], sessions: [], intents: [] };
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

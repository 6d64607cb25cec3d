/** Challenges for closed mandates: an agent's own, short-lived, and not without end. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { MOST_MANDATE_CHALLENGES } from '../../../protocol/ap2/mandateChallenge.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

describe('mandate challenges', () => {
  let node: MemoryNode;
  before(async () => {
    node = await memoryNode();
  });

  test('name the node and last five minutes, each with a nonce of its own', async () => {
    const { did, caller } = await node.agent();
    const [one, two] = [
      await node.run('createMandateChallenge', { agentDid: did }, caller),
      await node.run('createMandateChallenge', { agentDid: did }, caller),
    ];
    assert.match(one.nonce, /^mnc_[\w-]{43}$/);
    assert.notEqual(one.nonce, two.nonce);
    assert.equal(one.aud, 'http://localhost');
    assert.equal(Date.parse(one.expiresAt), node.clock.now + 300_000);
  });

  test('are given for the agent that asks, and for one that is registered', async () => {
    const [one, other] = [await node.agent(), await node.agent()];
    await assert.rejects(
      node.run('createMandateChallenge', { agentDid: other.did }, { ...one.caller, agents: new Set([one.did]) }),
      /cannot act for/,
    );
    const stranger = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';
    await assert.rejects(node.run('createMandateChallenge', { agentDid: stranger }), /No agent .* is registered here/);
  });

  test('are as many as an agent may have open, until some of them end', async () => {
    const { did, caller } = await node.agent();
    const ask = () => node.run('createMandateChallenge', { agentDid: did }, caller);
    for (let count = 0; count < MOST_MANDATE_CHALLENGES; count += 1) await ask();
    await assert.rejects(ask(), /has 100 open challenges/);
    node.clock.now += 300_000;
    await ask();
  });
});

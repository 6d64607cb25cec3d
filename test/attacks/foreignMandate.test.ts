/** A chain of mandates in other hands: another agent's, or for another person's money than that of the person who signed it. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { makeAgent } from '../../client/index.ts';
import type { Caller } from '../../src/access/caller.ts';
import { budget, MandateParties } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import type { Loose } from '../support/world.ts';

const { did: ALICE } = makeAgent();
const { did: BOB } = makeAgent();

describe('a chain in other hands', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  let thief: string;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    thief = (await node.agent()).did;
  });
  const trust = (more: object = {}) =>
    node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk: parties.provider.jwk, ...more });
  const present = (body: Loose, more: object = {}): Promise<Loose> =>
    node.run('issuePaymentCredential', { agentDid, ...body, ...more });
  const nameKey = (did: string) => node.run('changeAgent', { did, mandateKeys: [parties.agent.jwk] });
  const ofOneAgent = (did: string): Caller => ({ ...node.owner, id: `key of ${did}`, agents: new Set([did]) });
  const bound = async () => {
    const { data } = await node.run('searchEvidence', { eventType: 'MANDATE_KEY_BOUND' });
    return data.map((event: Loose) => event.data.agentDid);
  };

  test('of Alice’s credential spends no money of Bob’s, and is not used up by the try', async () => {
    for (const did of [ALICE, BOB]) await node.run('registerPrincipal', { did, name: did, agents: [agentDid] });
    await trust({ principalDid: ALICE });
    const body = parties.close(parties.open());
    for (const principalDid of [BOB, agentDid]) {
      const { reasonCodes, details } = await present(body, { principalDid });
      assert.deepEqual(reasonCodes, ['MANDATE_INVALID']);
      assert.match(details.MANDATE_INVALID.message, new RegExp(ALICE));
    }
    const { approvalToken } = await present(body);
    const { pmVc } = await node.run('mandatePayment', { approvalToken });
    assert.equal(pmVc.credentialSubject.principalDid, ALICE);
  });

  test('is refused to another agent than the one whose key closes it, and is not used up by that', async () => {
    await trust();
    await nameKey(agentDid);
    const body = parties.close(parties.open());
    const { reasonCodes, details } = await present(body, { agentDid: thief });
    assert.deepEqual(reasonCodes, ['MANDATE_INVALID']);
    assert.match(details.MANDATE_INVALID.message, /another agent/);
    assert.equal((await present(body)).allowed, true);
    assert.deepEqual(await bound(), []);
  });

  test('whose key is no agent’s yet is the first one’s that brings it', async () => {
    await trust();
    const open = parties.open(budget(900, 'USD'));
    assert.equal((await present(parties.close(open))).allowed, true);
    assert.equal((await present(parties.close(open))).allowed, true);
    assert.deepEqual(await bound(), [agentDid]);
    assert.deepEqual((await present(parties.close(open), { agentDid: thief })).reasonCodes, ['MANDATE_INVALID']);
    assert.deepEqual((await node.run('getAgent', { did: agentDid })).mandateKeys, [parties.agent.jwk]);
  });

  test('that does not hold binds its key to no agent', async () => {
    await trust();
    const body = parties.close(parties.open());
    await present({ ...body, nonce: 'another nonce' }, { agentDid: thief });
    await present(parties.close(parties.open([{ type: 'payment.unknown' }])), { agentDid: thief });
    assert.deepEqual(await bound(), []);
    assert.equal((await present(body)).allowed, true);
  });

  test('by two agents at once becomes one agent’s', async () => {
    await trust();
    const open = parties.open(budget(900, 'USD'));
    const all = await Promise.all(
      [agentDid, thief, agentDid, thief].map((did) => present(parties.close(open), { agentDid: did })),
    );
    assert.equal((await bound()).length, 1);
    assert.equal(all.filter(({ allowed }) => allowed).length, 2);
  });

  test('needs the node’s own nonce where the policy says so, and the one of its agent', async () => {
    await trust();
    const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, mandates: { require_nonce: true } };
    await node.run('createPolicy', { name: 'P', rules, activate: true });
    const open = parties.open(budget(900, 'USD'));
    const { reasonCodes, details } = await present(parties.close(open));
    assert.deepEqual(reasonCodes, ['MANDATE_INVALID']);
    assert.match(details.MANDATE_INVALID.message, /POST \/ap2\/mandate-challenges/);
    const { nonce } = await node.run('createMandateChallenge', { agentDid });
    const body = parties.close(open, { nonce });
    assert.deepEqual((await present(body, { agentDid: thief })).reasonCodes, ['MANDATE_INVALID']);
    assert.equal((await present(body)).allowed, true);
  });

  test('that is only open is registered for no other agent than its key’s', async () => {
    await trust();
    const token = parties.open(budget(900, 'USD'));
    const register = (did: string, caller: Caller): Promise<Loose> =>
      node.run('registerDelegation', { token, agentDid: did }, caller);
    const unshown = await register(thief, ofOneAgent(thief));
    assert.deepEqual(unshown.reasonCodes, ['MANDATE_INVALID']);
    assert.match(unshown.details.MANDATE_INVALID.message, /mandateKeys/);
    await nameKey(agentDid);
    for (const caller of [ofOneAgent(thief), node.owner]) {
      assert.deepEqual((await register(thief, caller)).reasonCodes, ['MANDATE_INVALID']);
    }
    assert.equal((await register(agentDid, ofOneAgent(agentDid))).status, 'ACTIVE');
  });

  test('has a key that is one agent’s, until it is taken from that', async () => {
    await nameKey(agentDid);
    await assert.rejects(nameKey(thief), /is that of the agent/);
    await node.run('changeAgent', { did: agentDid, mandateKeys: [] });
    await nameKey(thief);
  });
});

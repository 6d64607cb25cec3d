/** What surrounds a use case that writes: stored answers, sessions, and answers as text. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { get } from '../../src/store/store.ts';
import type { Call } from '../../src/usecase/call.ts';
import { type RequestKey, storedAnswer } from '../../src/usecase/idempotency.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';

describe('a use case that writes', () => {
  let node: MemoryNode;
  let agent: Awaited<ReturnType<MemoryNode['agent']>>;
  before(async () => {
    node = await memoryNode();
    agent = await node.agent();
  });

  const intent = (maxAmount: number) => ({
    agentDid: agent.did,
    principalDid: agent.did,
    request: { maxAmount, currency: 'USD' },
  });
  const key = (name: string, hash = 'h'): RequestKey => ({
    tenantId: node.owner.tenantId,
    scope: 'test',
    key: name,
    hash,
    reused: { code: 'CONFLICT', message: 'This key was used for another request.' },
    secret: false,
  });
  /** The parts of a call that came in a message. */
  const inMessage = (id: string, contextId?: string): Partial<Call> => {
    const reply = { type: 'IntentMandate', to: agent.did, inReplyTo: id, contextId } as const;
    const message: RequestKey = { ...key(id, id), scope: `a2a ${agent.did}`, reply };
    return { caller: agent.caller, reply: { kind: 'message', ...reply }, message, contextId };
  };
  const mandateIdIn = (text: string) => /"mandateId":"(intent_\w+)"/.exec(text)?.[1];

  test('answers the same request with the same text and runs once', async () => {
    const first = await node.runCall('issueIntent', intent(1), { idempotency: key('one') });
    const before = (await node.events()).length;
    assert.equal(await node.runCall('issueIntent', intent(1), { idempotency: key('one') }), first);
    assert.equal((await node.events()).length, before);
  });

  test('keeps an answer as it was sent, and gives it again byte for byte', async () => {
    const first = await node.runCall('issueIntent', intent(1), inMessage('whole'));
    const sql = "SELECT answer FROM requests WHERE request_key = 'whole'";
    assert.equal((await node.deps.store.read(() => get<{ answer: string }>(sql)))?.answer, first);
    assert.equal(await node.runCall('issueIntent', intent(1), inMessage('whole')), first);
  });

  test('looks for a message once where the gate has, and finds one that was answered meanwhile', async () => {
    const { store } = node.deps;
    const atGate = ({ message }: Partial<Call>) =>
      store.read((now) => storedAnswer(node.deps, message as RequestKey, undefined, now));
    const statements = async (more: Partial<Call>) => {
      const before = store.stats().statements;
      await node.runCall('issueIntent', intent(1), more);
      return store.stats().statements - before;
    };
    const unseen = await statements(inMessage('unseen'));
    await atGate(inMessage('seen'));
    // Others that are kept meanwhile change nothing for it.
    await node.runCall('issueIntent', intent(1), inMessage('another'));
    assert.equal(await statements(inMessage('seen')), unseen - 1);

    await Promise.all([atGate(inMessage('twice')), atGate(inMessage('twice'))]);
    const both = [1, 2].map(() => node.runCall('issueIntent', intent(1), inMessage('twice')));
    const [one, two] = await Promise.all(both);
    assert.equal(two, one);
  });

  test('refuses another request under the same key', async () => {
    await node.runCall('issueIntent', intent(1), { idempotency: key('two') });
    const other = node.runCall('issueIntent', intent(2), { idempotency: key('two', 'other') });
    await assert.rejects(other, /another request/);
  });

  test('forgets a key after a day', async () => {
    const first = await node.runCall('issueIntent', intent(1), { idempotency: key('three') });
    node.clock.now += 25 * 3600 * 1000;
    assert.notEqual(await node.runCall('issueIntent', intent(1), { idempotency: key('three') }), first);
  });

  test('gives two messages with one idempotency key one result, each in an answer of its own', async () => {
    const idempotency = key('four');
    const one = await node.runCall('issueIntent', intent(1), { ...inMessage('m1'), idempotency });
    const two = await node.runCall('issueIntent', intent(1), { ...inMessage('m2'), idempotency });
    assert.ok(mandateIdIn(one));
    assert.equal(mandateIdIn(two), mandateIdIn(one));
    assert.equal(JSON.parse(one).message.inReplyTo, 'm1');
    assert.equal(JSON.parse(two).message.inReplyTo, 'm2');
    assert.equal(await node.runCall('issueIntent', intent(1), { ...inMessage('m2'), idempotency }), two);
  });

  test('counts each executed message of a session, also those that run side by side, and no replay', async () => {
    await node.run('createSession', { contextId: 'ctx-1', agentDid: agent.did, userDid: agent.did });
    const ids = ['s1', 's2', 's3', 's4', 's5'];
    await Promise.all(ids.map((id) => node.runCall('issueIntent', intent(1), inMessage(id, 'ctx-1'))));
    await node.runCall('issueIntent', intent(1), inMessage('s1', 'ctx-1'));
    const session = await node.run('getSession', { contextId: 'ctx-1' });
    assert.equal(session.messageCount, 5);
    assert.match(session.intentMandateId, /^intent_/);
  });

  test('refuses a session of another agent, and one that idled too long', async () => {
    const stranger = await node.agent();
    await node.run('createSession', { contextId: 'ctx-2', agentDid: stranger.did, userDid: agent.did });
    await assert.rejects(node.runCall('issueIntent', intent(1), inMessage('x1', 'ctx-2')), /There is no session/);
    await node.run('createSession', { contextId: 'ctx-3', agentDid: agent.did, userDid: agent.did });
    node.clock.now += 31 * 60_000;
    await assert.rejects(node.runCall('issueIntent', intent(1), inMessage('x2', 'ctx-3')), /has expired/);
  });
});

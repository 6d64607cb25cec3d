/** A caller that follows a task by a stream learns nothing more of it once its key, or its agent, is revoked. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof, type Peer } from '../support/peer.ts';
import { makePerson, type Person } from '../support/person.ts';
import { signInUser } from '../support/signInUser.ts';
import { callStandard, resultOf, type Streamed, saidBy, sendTo, streamFrom } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`a stream on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
      await person.enroll();
    });
    after(() => world.close());

    const keyOf = async (permissions: readonly string[]): Promise<Loose> => {
      const made = await world.rest('POST', '/ap2/admin/api-keys', { name: 'follower', permissions });
      return { id: made.body.id, headers: { Authorization: `Bearer ${made.body.key}` } };
    };
    const waiting = async (agent: Peer = world.agent) => {
      const begun = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(180, { agent }) } });
      return sendTo(world, { 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: begun.id });
    };
    const subscribed = (id: string, headers: Record<string, string>) =>
      streamFrom(world.node.address, 'SubscribeToTask', { id }, headers);
    const completes = (id: string) =>
      until('the purchase', async () => {
        const task = await resultOf(world, 'GetTask', { id });
        return task.status.state === 'TASK_STATE_COMPLETED';
      });
    const provenBy = (agent: Peer, method: string, params: object) => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method, params });
      const carried = { baseUrl: world.node.baseUrl, method: 'POST', path: '/a2a/v1', body };
      return { 'X-DID-Proof': makeDidProof(agent, carried) };
    };
    const last = ({ events }: Streamed) => (events.at(-1)?.statusUpdate ?? events.at(-1)?.task)?.status.state;

    test('by a key that may only read tells of everything until the end', async () => {
      const task = await waiting();
      const stream = await subscribed(task.id, (await keyOf(['read'])).headers);
      await person.decide(saidBy(task)['countersign.approval'].id);
      await stream.ended;
      assert.equal(last(stream), 'TASK_STATE_COMPLETED');
    });

    test('by an agent that proves itself tells of everything until the end, and its proof opens no second one', async () => {
      const task = await waiting();
      const headers = provenBy(world.agent, 'SubscribeToTask', { id: task.id });
      const stream = await subscribed(task.id, headers);
      const again = await callStandard(world, 'SubscribeToTask', { id: task.id }, headers);
      assert.deepEqual([again.status, again.body.error.code], [401, -32090]);
      await person.decide(saidBy(task)['countersign.approval'].id);
      await stream.ended;
      assert.equal(last(stream), 'TASK_STATE_COMPLETED');
    });

    test('tells nothing more after its key was revoked, and ends', async () => {
      const task = await waiting();
      const key = await keyOf(['read', 'write']);
      const stream = await subscribed(task.id, key.headers);
      await stream.find((event) => 'task' in event);
      assert.equal((await world.rest('DELETE', `/ap2/admin/api-keys/${key.id}`)).status, 204);
      await person.decide(saidBy(task)['countersign.approval'].id);
      await completes(task.id);
      await stream.ended;
      assert.equal(stream.events.length, 1, JSON.stringify(stream.events.slice(1)));
      const again = await callStandard(world, 'SubscribeToTask', { id: task.id }, key.headers);
      assert.deepEqual([again.status, again.body.error.code], [401, -32090]);
    });

    test('tells nothing more after the login of the person who follows has ended', async () => {
      const { headers } = await signInUser(world, 'MEMBER');
      const task = await waiting();
      const stream = await subscribed(task.id, headers);
      await stream.find((event) => 'task' in event);
      assert.equal((await world.rest('POST', '/ap2/auth/logout', undefined, headers)).status, 204);
      await person.decide(saidBy(task)['countersign.approval'].id);
      await completes(task.id);
      await stream.ended;
      assert.equal(stream.events.length, 1, JSON.stringify(stream.events.slice(1)));
    });

    test('as a wait for an approval, tells nothing of the decision, nor the proof, after its key was revoked', async () => {
      const task = await waiting();
      const { id } = saidBy(task)['countersign.approval'];
      const key = await keyOf(['read', 'write']);
      const heard = world.rest('GET', `/ap2/approvals/${id}?wait=20`, undefined, key.headers);
      await until('the wait', async () => world.node.deps.access.keyUse.lastUsedAt(key.id) !== undefined);
      assert.equal((await world.rest('DELETE', `/ap2/admin/api-keys/${key.id}`)).status, 204);
      await person.decide(id);
      const { status, text } = await heard;
      assert.equal(status, 401, text);
      await completes(task.id);
    });

    test('tells an agent that is revoked not even that its task was rejected', async () => {
      const agent = await world.newAgent();
      const begun = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(20, { agent }) } });
      const stream = await subscribed(begun.id, provenBy(agent, 'SubscribeToTask', { id: begun.id }));
      await stream.find((event) => 'task' in event);
      const revoked = await world.rest('POST', `/ap2/admin/agents/${agent.did}/revoke`, { reason: 'stolen' });
      assert.equal(revoked.status, 200);
      await stream.ended;
      assert.equal(stream.events.length, 1, JSON.stringify(stream.events.slice(1)));
    });
  });
}

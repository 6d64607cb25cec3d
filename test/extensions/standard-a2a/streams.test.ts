/** Streams of standard A2A: the task, then each change in its order, on whichever node it is written. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import {
  artifactOf,
  BY_KEY,
  callStandard,
  resultOf,
  type Streamed,
  saidBy,
  sendTo,
  streamFrom,
  taskMessage,
} from '../../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

/** What an event is, in a word or two. */
function named(event: Loose): string {
  if (event.task !== undefined) return `task ${event.task.status.state}`;
  if (event.statusUpdate !== undefined) return event.statusUpdate.status.state;
  return event.artifactUpdate === undefined ? 'message' : `artifact ${event.artifactUpdate.artifact.name}`;
}

const isEnd = (event: Loose) => event.statusUpdate?.status.state === 'TASK_STATE_COMPLETED';

for (const engine of everyEngine()) {
  describe(`streams of tasks, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const stream = (data: object, more: object = {}) =>
      streamFrom(world.node.address, 'SendStreamingMessage', { message: taskMessage(data, more) });

    test('a message’s stream begins with its task and closes with the end of it', async () => {
      const streamed = await stream({ 'countersign.intent': world.intentBody(20) });
      await streamed.ended;
      assert.deepEqual(streamed.events.map(named), [
        'task TASK_STATE_SUBMITTED',
        'artifact intentResult',
        'TASK_STATE_COMPLETED',
      ]);
    });

    test('a message’s stream closes when it is the caller’s turn, a subscription does not', async () => {
      const begun = await stream({ 'countersign.purchase': { intent: world.intentBody(30) } });
      await begun.ended;
      assert.equal(named(begun.events.at(-1)), 'TASK_STATE_INPUT_REQUIRED');
      const { id } = begun.events[0].task;
      const subscribed = await streamFrom(world.node.address, 'SubscribeToTask', { id });
      const paid = await stream({ 'countersign.purchase': { cartVc: world.cart(22) } }, { taskId: id });
      await Promise.all([paid.ended, subscribed.ended]);
      assert.equal(named(subscribed.events[0]), 'task TASK_STATE_INPUT_REQUIRED');
      assert.deepEqual(subscribed.events.slice(1), paid.events.slice(1));
      assert.deepEqual(paid.events.map(named), [
        'task TASK_STATE_INPUT_REQUIRED',
        'artifact cartResult',
        'TASK_STATE_WORKING',
        'TASK_STATE_WORKING',
        'artifact paymentResult',
        'TASK_STATE_COMPLETED',
      ]);
    });

    test('a stream stays open while the person is asked, and ends with what came of it', async () => {
      const person = makePerson(world);
      await person.enroll();
      const intent = await sendTo(world, { 'countersign.intent': world.intentBody(180) });
      const { intentVc } = artifactOf(intent, 'intentResult');
      const streamed = await stream({ 'countersign.cart': { intentVc, cartVc: world.cart(150) } });
      const asks = await streamed.find(({ statusUpdate }) => statusUpdate?.status.state === 'TASK_STATE_AUTH_REQUIRED');
      await person.decide(saidBy(asks.statusUpdate)['countersign.approval'].id);
      await streamed.ended;
      assert.deepEqual(streamed.events.map(named).slice(1), [
        'TASK_STATE_AUTH_REQUIRED',
        'TASK_STATE_WORKING',
        'artifact cartResult',
        'TASK_STATE_COMPLETED',
      ]);
    });

    test('protocol 0.3 gets the same events in its own words, the last of them marked', async () => {
      const parts = [{ kind: 'data', data: { 'countersign.intent': world.intentBody(20) } }];
      const message = { kind: 'message', messageId: `former-${engine.name}`, role: 'user', parts };
      const streamed = await streamFrom(world.node.address, 'message/stream', { message });
      await streamed.ended;
      assert.deepEqual(
        streamed.events.map(({ kind, status, final }) => [kind, status?.state, final]),
        [
          ['task', 'submitted', undefined],
          ['artifact-update', undefined, undefined],
          ['status-update', 'completed', true],
        ],
      );
    });

    test('a subscription to a task that has ended is an error in plain JSON', async () => {
      const { id } = await sendTo(world, { 'countersign.intent': world.intentBody(20) });
      const { body } = await callStandard(world, 'SubscribeToTask', { id });
      assert.equal(body.error.code, -32004);
      assert.equal(body.error.data[0].reason, 'UNSUPPORTED_OPERATION');
    });

    test('a message that came before streams the task that it led to', async () => {
      const message = taskMessage({ 'countersign.intent': world.intentBody(21) });
      const { task } = await resultOf(world, 'SendMessage', { message });
      const streamed = await streamFrom(world.node.address, 'SendStreamingMessage', { message });
      await streamed.ended;
      assert.equal(streamed.events[0].task.id, task.id);
      assert.equal(named(streamed.events.at(-1)), 'TASK_STATE_COMPLETED');
    });

    test('a node that is asked to stop ends each stream with an error, after which the task is subscribed to again', async () => {
      const own = await makeWorld(engine);
      const asked = await sendTo(own, { 'countersign.purchase': { intent: own.intentBody(30) } });
      const streamed = await streamFrom(own.node.address, 'SubscribeToTask', { id: asked.id });
      await streamed.find(({ task }) => task !== undefined);
      const stopped = own.close();
      await streamed.ended;
      await stopped;
      assert.deepEqual(streamed.events.map(named), ['task TASK_STATE_INPUT_REQUIRED']);
      assert.equal(streamed.error.code, -32603);
      assert.match(streamed.error.message, /^The node stops; the task goes on, so subscribe to it again/);
      assert.equal(streamed.error.data[0].reason, 'UNAVAILABLE');
    });

    test('a follower whose key is revoked is told so as the last event', async () => {
      const { key, id } = (
        await world.rest('POST', '/ap2/admin/api-keys', { name: 'streams', permissions: ['read', 'write'] })
      ).body;
      const mine = { Authorization: `Bearer ${key}` };
      const asked = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(30) } }, {}, mine);
      const streamed = await streamFrom(world.node.address, 'SubscribeToTask', { id: asked.id }, mine);
      await streamed.find(({ task }) => task !== undefined);
      await world.rest('DELETE', `/ap2/admin/api-keys/${id}`);
      // It is looked at again with the next event.
      await sendTo(world, { 'countersign.purchase': { cartVc: world.cart(22) } }, { taskId: asked.id });
      await streamed.ended;
      assert.equal(streamed.error.code, -32090, JSON.stringify(streamed.events));
    });

    if (engine.name !== 'postgres') return;
    test('two nodes of one database tell the same events in the same order, whichever of them wrote them', async (context) => {
      const other = await world.another();
      context.after(() => other.stop());
      const person = makePerson(world);
      await person.enroll();
      const asked = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(180) } });
      const { id } = asked;
      const [here, there] = (await Promise.all(
        [world.node.address, other.address].map((address) => streamFrom(address, 'SubscribeToTask', { id })),
      )) as [Streamed, Streamed];
      // The cart goes to the other node, and the touch to this one.
      const cart = taskMessage({ 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: id });
      const { task } = await resultOf({ node: other }, 'SendMessage', { message: cart }, BY_KEY);
      assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED');
      await person.decide(saidBy(task)['countersign.approval'].id);
      await Promise.all([here.find(isEnd), there.find(isEnd)]);
      await Promise.all([here.ended, there.ended]);
      assert.deepEqual(here.events, there.events);
      assert.deepEqual(here.events.map(named), [
        'task TASK_STATE_INPUT_REQUIRED',
        'TASK_STATE_AUTH_REQUIRED',
        'TASK_STATE_WORKING',
        'artifact cartResult',
        'TASK_STATE_WORKING',
        'TASK_STATE_WORKING',
        'artifact paymentResult',
        'TASK_STATE_COMPLETED',
      ]);
    });
  });
}

/** Streams of tasks are so many for each caller and gate, and an unread one ends all the same. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { makeDidProof } from '../support/peer.ts';
import { makePerson } from '../support/person.ts';
import { callStandard, type Streamed, sendTo, streamFrom, taskMessage } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { makeWorld, type World } from '../support/world.ts';

const MOST = 20;

for (const engine of everyEngine()) {
  describe(`streams that are held open on ${engine.name}`, () => {
    let world: World;
    let id: string;
    const open: Streamed[] = [];
    before(async () => {
      world = await makeWorld(engine);
      id = (await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(30) } })).id;
    });
    after(() => world.close());

    const subscribe = () => callStandard(world, 'SubscribeToTask', { id });

    test('are twenty for one caller; a further subscription is told 429, and no stream begins', async () => {
      for (let i = 0; i < MOST; i++) open.push(await streamFrom(world.node.address, 'SubscribeToTask', { id }));
      const { status, body } = await subscribe();
      assert.deepEqual([status, body.error.code], [429, -32092], JSON.stringify(body));
      assert.match(body.error.message, /20 streams/);
    });

    test('keep no message from being carried out: its stream tells how the task stands, and ends', async () => {
      const message = taskMessage({ 'countersign.intent': world.intentBody(5) });
      const streamed = await streamFrom(world.node.address, 'SendStreamingMessage', { message });
      await streamed.ended;
      assert.deepEqual(
        streamed.events.map(({ task }) => task?.status.state),
        ['TASK_STATE_COMPLETED'],
      );
    });

    test('leave the stream of a message whose task goes on with an error, so that no client takes it for the end', async () => {
      const person = makePerson(world);
      await person.enroll();
      const purchase = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(180) } });
      const message = taskMessage({ 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: purchase.id });
      const streamed = await streamFrom(world.node.address, 'SendStreamingMessage', { message });
      await streamed.ended;
      const states = streamed.events.map(({ task }) => task?.status.state);
      assert.deepEqual([states, streamed.error?.code], [['TASK_STATE_AUTH_REQUIRED'], -32092]);
    });

    test('take nothing from another caller', async () => {
      const body = JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'SubscribeToTask', params: { id } });
      const carried = { baseUrl: world.node.baseUrl, method: 'POST', path: '/a2a/v1', body };
      const proof = { 'X-DID-Proof': makeDidProof(world.agent, carried) };
      const streamed = await streamFrom(world.node.address, 'SubscribeToTask', { id }, proof);
      assert.ok(await streamed.find(({ task }) => task !== undefined));
      streamed.close();
    });

    test('make room once one of them is closed', async () => {
      open.pop()?.close();
      await until('room for one more', async () => {
        const stop = new AbortController();
        const response = await fetch(`${world.node.address}/a2a/v1`, {
          method: 'POST',
          headers: { 'Content-Type': 'application/json', Authorization: `Bearer ak_test_${'A'.repeat(32)}` },
          body: JSON.stringify({ jsonrpc: '2.0', id: 7, method: 'SubscribeToTask', params: { id } }),
          signal: stop.signal,
        });
        stop.abort();
        return response.status === 200;
      });
    });
  });
}

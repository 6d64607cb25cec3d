/** A message of standard A2A does its work once, however often, in whichever hands and in however many copies it comes. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { findRequest } from '../../src/store/statements/callers/requests.ts';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { artifactOf, callStandard, resultOf, sendTo, signedMessage, taskMessage } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const COPIES = 20;

for (const engine of everyEngine()) {
  describe(`a message sent again on ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const listOf = async (what: 'intents' | 'payments', agent: Peer): Promise<Loose[]> => {
      const path = `/ap2/${what}?limit=200&agentDid=${encodeURIComponent(agent.did)}`;
      return (await world.rest('GET', path)).body.data;
    };
    const copies = <Result>(send: (at: number) => Promise<Result>): Promise<Result[]> =>
      Promise.all(Array.from({ length: COPIES }, (_, at) => send(at)));
    const tokenFor = async (agent: Peer): Promise<string> => {
      const intent = await sendTo(world, { 'countersign.intent': world.intentBody(40, { agent }) });
      const { intentVc } = artifactOf(intent, 'intentResult');
      const cart = await sendTo(world, { 'countersign.cart': { intentVc, cartVc: world.cart(12) } });
      return artifactOf(cart, 'cartResult').approvalToken;
    };
    const stateOf = async (id: string) => (await resultOf(world, 'GetTask', { id })).status.state;

    test('twenty times at once is one task and one intent', async () => {
      const agent = await world.newAgent();
      const message = taskMessage({ 'countersign.intent': world.intentBody(11, { agent }) });
      const answers = await copies(() => resultOf(world, 'SendMessage', { message }));
      assert.equal(new Set(answers.map(({ task }) => task.id)).size, 1);
      assert.equal((await listOf('intents', agent)).length, 1);
    });

    for (const returnImmediately of [false, true]) {
      test(`twenty times at once pays once (${returnImmediately ? 'its caller does not wait' : 'its caller waits'})`, async () => {
        const agent = await world.newAgent();
        const message = taskMessage({ 'countersign.payment': { approvalToken: await tokenFor(agent) } });
        const params = { message, configuration: { returnImmediately } };
        const answers = await copies(() => resultOf(world, 'SendMessage', params));
        const [id, ...others] = new Set(answers.map(({ task }) => task.id));
        assert.deepEqual(others, []);
        await until('the payment', async () => (await stateOf(id)) === 'TASK_STATE_COMPLETED');
        assert.equal((await listOf('payments', agent)).length, 1);
      });
    }

    test('as twenty messages with one approval token pays once, and the others say why not', async () => {
      for (const returnImmediately of [false, true]) {
        const agent = await world.newAgent();
        const data = { 'countersign.payment': { approvalToken: await tokenFor(agent) } };
        const answers = await copies(() =>
          callStandard(world, 'SendMessage', { message: taskMessage(data), configuration: { returnImmediately } }),
        );
        const tasks = answers.flatMap(({ body }) => (body.result === undefined ? [] : [body.result.task.id]));
        const refused = answers.flatMap(({ body }) => (body.error === undefined ? [] : [body.error.code]));
        assert.deepEqual([...new Set(refused)], returnImmediately ? [] : [-32094]);
        await until('every task', async () => {
          const states = await Promise.all(tasks.map(stateOf));
          return states.every((state) => ['TASK_STATE_COMPLETED', 'TASK_STATE_FAILED'].includes(state));
        });
        const states = await Promise.all(tasks.map(stateOf));
        assert.equal(states.filter((state) => state === 'TASK_STATE_COMPLETED').length, 1, states.join());
        assert.equal((await listOf('payments', agent)).length, 1);
      }
    });

    test('as twenty carts at once for one purchase goes on once', async () => {
      const agent = await world.newAgent();
      const begun = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(40, { agent }) } });
      const answers = await copies((at) => {
        const data = { 'countersign.purchase': { cartVc: world.cart(10 + at) } };
        return callStandard(world, 'SendMessage', { message: taskMessage(data, { taskId: begun.id }) });
      });
      await until('the purchase', async () => (await stateOf(begun.id)) === 'TASK_STATE_COMPLETED');
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal((await listOf('payments', agent)).length, 1);
      const { artifacts } = await resultOf(world, 'GetTask', { id: begun.id });
      assert.deepEqual(
        artifacts.map(({ name }: Loose) => name),
        ['intentResult', 'cartResult', 'paymentResult'],
      );
    });

    test('with other content under its id is refused, and does nothing', async () => {
      const agent = await world.newAgent();
      const message = taskMessage({ 'countersign.intent': world.intentBody(11, { agent }) });
      await resultOf(world, 'SendMessage', { message });
      for (const parts of [
        [{ data: { 'countersign.intent': world.intentBody(12, { agent }) } }],
        [...message.parts, { text: 'and once more' }],
        [{ data: { 'countersign.intent': 'nothing like it' } }],
      ]) {
        const { status, body } = await callStandard(world, 'SendMessage', { message: { ...message, parts } });
        assert.deepEqual([status, body.error.code], [200, -32093], JSON.stringify(body));
      }
      assert.equal((await listOf('intents', agent)).length, 1);
    });

    test('in other words with the same idempotency key is the same intent, in a task of its own', async () => {
      const agent = await world.newAgent();
      const intent = world.intentBody(11, { agent, idempotencyKey: 'the one intent' });
      const tasks = await copies(() => sendTo(world, { 'countersign.intent': intent }));
      const mandates = tasks.map((task) => artifactOf(task, 'intentResult').intentVc.credentialSubject.mandateId);
      assert.equal(new Set(mandates).size, 1);
      assert.equal(new Set(tasks.map(({ id }) => id)).size, COPIES);
      assert.equal((await listOf('intents', agent)).length, 1);
    });

    test('that its agent signed is the same one by itself and with a key', async () => {
      const agent = await world.newAgent();
      const message = signedMessage(
        world,
        agent,
        taskMessage({ 'countersign.intent': { request: world.intentBody(11).request } }),
      );
      const first = await resultOf(world, 'SendMessage', { message });
      for (const headers of [{}, undefined]) {
        const again = await resultOf(world, 'SendMessage', { message }, headers);
        assert.equal(again.task.id, first.task.id);
      }
      // A library that writes what is empty sends the same message; signed anew it is the same one too.
      const padded = { ...message, contextId: '', extensions: [] };
      assert.equal((await resultOf(world, 'SendMessage', { message: padded }, {})).task.id, first.task.id);
      const { metadata: _, ...bare } = message;
      const anew = signedMessage(world, agent, bare, new Date(Date.now() + 1000));
      assert.equal((await resultOf(world, 'SendMessage', { message: anew }, {})).task.id, first.task.id);
      assert.equal((await listOf('intents', agent)).length, 1);
    });

    test('of a payment whose answer a worker finishes after a crash is answered from what the worker wrote', async () => {
      const agent = await world.newAgent();
      const payment = { approvalToken: await tokenFor(agent), idempotencyKey: 'pay once' };
      const paid = await sendTo(world, { 'countersign.payment': payment });
      const { store } = world.node.deps;
      const key = (await world.rest('GET', '/ap2/admin/api-keys')).body.data[0];
      const scope = `task ${key.id} mandatePayment`;
      const row = await store.read(() => findRequest(world.node.tenantId, scope, 'pay once'));
      assert.match(String(row?.answer), /^v1\./, 'sealed, as a worker writes it too: it may have mandates');
      const again = await sendTo(world, { 'countersign.payment': payment });
      assert.deepEqual(artifactOf(again, 'paymentResult'), artifactOf(paid, 'paymentResult'));
      assert.equal((await listOf('payments', agent)).length, 1);
    });
  });
}

/** A task goes on by itself: after the touch, after a crash at each step, when the rail answers late, and only once. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Exchange } from '../../../protocol/a2a/exchangePart.ts';
import { isEnd, type Task } from '../../../protocol/a2a/task.ts';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { advanceTask } from '../../../src/extensions/standard-a2a/tasks/advanceTask.ts';
import { advanceTasks } from '../../../src/extensions/standard-a2a/tasks/advanceTasks.ts';
import { sendTask } from '../../../src/extensions/standard-a2a/tasks/sendTask.ts';
import { beginDecision, completeDecision } from '../../../src/operations/approvals/decideApproval.ts';
import {
  AT_ONCE,
  findTask,
  insertTask,
  type TaskRow,
  taskContext,
} from '../../../src/store/statements/purchases/tasks.ts';
import { expireApprovals } from '../../../src/workers/expireApprovals.ts';
import { sendHeartbeat } from '../../../src/workers/heartbeat.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

/** A node with an agent that has a person with a passkey, and a policy that asks them above 100. */
async function staged() {
  const node = await memoryNode();
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
  await node.run('createPolicy', { name: 'asks', rules: { ...rules, context: { presence_threshold: 100 } } });
  const { did: agentDid, caller } = await node.agent();
  const phone = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));
  const { publicKey } = await node.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
  await node.run('completePasskeyRegistration', { agentDid, credential: phone.create(publicKey) });
  let sent = 0;
  const send = async (exchange: Exchange, more: object = {}): Promise<Task> => {
    sent += 1;
    const reused = { code: 'MESSAGE_REUSED', message: 'reused' } as const;
    const key = {
      tenantId: node.owner.tenantId,
      scope: 'task owner',
      key: `m-${sent}`,
      hash: `m-${sent}`,
      reused,
      secret: false,
    };
    const message = { messageId: `m-${sent}`, role: 'ROLE_USER', parts: [] };
    const given = { message, exchange, returnImmediately: false, attached: undefined, ...more };
    const { taskId } = await sendTask(node.deps, caller, key, given);
    return look(taskId);
  };
  const look = async (id: string): Promise<Task> => (await node.run('getTask', { id })).task;
  const cartOf = async (amount: number): Promise<Loose> =>
    (await node.run('demoCart', { payerDid: agentDid, domain: 'shop.example', amount, currency: 'USD' })).cartVc;
  const request = (maxAmount: number) => ({
    agentDid,
    principalDid: agentDid,
    request: { maxAmount, currency: 'USD' },
  });
  /** A purchase that waits for the person. */
  const waiting = async (amount = 150) => {
    const asked = await send({ kind: 'purchase', input: request(amount) });
    const input = { cartVc: await cartOf(amount) };
    const task = await send({ kind: 'cartOfPurchase', input }, { taskId: asked.id });
    assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED');
    return { id: task.id, approvalId: dataOf(task)['countersign.approval'].id as string };
  };
  const decide = async (approvalId: string, decision: 'approve' | 'deny' = 'approve') => {
    const options = await beginDecision.run(node.deps, { id: approvalId, decision });
    const answer = phone.get(options.publicKey as never);
    await completeDecision.run(node.deps, {
      id: approvalId,
      challengeId: options.challengeId,
      credential: answer as never,
    });
  };
  const payments = async () => (await node.run('listPayments', { limit: 200 })).data as Loose[];
  return { node, agentDid, send, look, cartOf, request, waiting, decide, payments };
}

const statesOf = (task: Task) => task.status.state;
const dataOf = (task: Task) => task.status.message?.parts[0]?.data as Loose;

describe('a task after the touch', () => {
  test('is completed by a worker where the node died right after the decision', async () => {
    const { node, look, waiting, decide, payments } = await staged();
    const { id, approvalId } = await waiting();
    await decide(approvalId);
    // No worker runs on this node: nothing has happened since the commit of the decision.
    assert.equal(statesOf(await look(id)), 'TASK_STATE_WORKING');
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_COMPLETED');
    assert.equal((await payments()).length, 1);
  });

  test('tells which of several people have approved, and goes on once the last one has', async () => {
    const { node, look, waiting, decide, payments, agentDid } = await staged();
    const asking = (people: number) => {
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
      return node.run('createPolicy', { name: 'several', rules: { ...rules, context: { approval: { people } } } });
    };
    await asking(2);
    const { id, approvalId } = await waiting();
    assert.match(String((await look(id)).status.message?.parts[1]?.text), /0 of 2 people have approved\./);
    await decide(approvalId);
    const told = await look(id);
    assert.equal(statesOf(told), 'TASK_STATE_AUTH_REQUIRED');
    const { people, url } = dataOf(told)['countersign.approval'];
    assert.deepEqual([people.needed, people.approved.map(({ by }: Loose) => by)], [2, [agentDid]]);
    assert.match(url, /\/approve\/apr_/);
    assert.match(String(told.status.message?.parts[1]?.text), /^1 of 2 people have approved/);
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_AUTH_REQUIRED', 'nothing goes on with one of two');
    await assert.rejects(decide(approvalId), /counts once.*1 of 2/);
    // One person is enough by now, and ends it by another touch.
    await asking(1);
    await decide(approvalId);
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_COMPLETED');
    assert.equal((await payments()).length, 1);
  });

  test('is taken over where the node died in the middle of a step, once its lease or its life is over', async () => {
    const { node, look, waiting, decide, payments } = await staged();
    const { id, approvalId } = await waiting();
    await decide(approvalId);
    const { store } = node.deps;
    const dying = { ...node.deps, settings: { ...node.deps.settings, nodeId: 'node_dying' } };
    await sendHeartbeat(dying);
    // It leases the task, and gets no further.
    const stuck = {
      ...store,
      engine: store.engine,
      write: store.write.bind(store),
      read: () => Promise.reject(new Error('killed')),
    };
    await assert.rejects(advanceTask({ ...dying, store: stuck as never }, node.owner.tenantId, id));
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_WORKING');
    node.clock.now += 61_000;
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_COMPLETED');
    assert.equal((await payments()).length, 1);
  });

  test('is done once by two that go on with it at the same time', async () => {
    const { node, look, waiting, decide, payments } = await staged();
    const { id, approvalId } = await waiting();
    await decide(approvalId);
    const { tenantId } = node.owner;
    await Promise.all([1, 2, 3, 4].map(() => advanceTask(node.deps, tenantId, id)));
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_COMPLETED');
    assert.equal((await payments()).length, 1);
  });

  test('is refused where its agent was suspended after the touch', async () => {
    const { node, agentDid, look, waiting, decide, payments } = await staged();
    const { id, approvalId } = await waiting();
    await decide(approvalId);
    await node.run('suspendAgent', { did: agentDid });
    await advanceTasks(node.deps);
    assert.equal(statesOf(await look(id)), 'TASK_STATE_REJECTED');
    assert.equal((await payments()).length, 0);
  });

  test('is due by the clock of whichever node or database looks', async () => {
    const { node, waiting, decide } = await staged();
    const { id, approvalId } = await waiting();
    await decide(approvalId);
    const { deps, owner } = node;
    assert.equal((await deps.store.read(() => findTask(owner.tenantId, id)))?.due_at, AT_ONCE);
  });

  test('ends with every other that waited for it, however many these are', async () => {
    const { node, look, waiting, decide } = await staged();
    const { id, approvalId } = await waiting();
    const ids = Array.from({ length: 30 }, (_, at) => `${id}-${at}`);
    const { deps, owner } = node;
    await deps.store.write(owner.tenantId, function* () {
      const row = (yield* findTask(owner.tenantId, id)) as TaskRow;
      const content = deps.sealer.open(row.content, taskContext(id));
      for (const each of ids)
        yield* insertTask({ ...row, id: each, content: deps.sealer.seal(content, taskContext(each)) });
    });
    await decide(approvalId, 'deny');
    await advanceTasks(deps);
    for (const each of [id, ...ids]) assert.equal(statesOf(await look(each)), 'TASK_STATE_REJECTED');
  });

  test('is rejected when no passkey was touched in time', async () => {
    const { node, look, waiting } = await staged();
    const { id } = await waiting();
    node.clock.now += 16 * 60_000;
    await expireApprovals(node.deps);
    const task = await look(id);
    assert.equal(statesOf(task), 'TASK_STATE_REJECTED');
    assert.match(String(task.status.message?.parts[1]?.text), /in time/);
  });

  test('ends once where it is withdrawn and touched at the same time', async () => {
    for (const first of ['cancel', 'touch'] as const) {
      const { node, look, waiting, decide, payments } = await staged();
      const { id, approvalId } = await waiting();
      const cancel = () => node.run('cancelTask', { id });
      const steps = first === 'cancel' ? [cancel, () => decide(approvalId)] : [() => decide(approvalId), cancel];
      await Promise.allSettled(steps.map((step) => step()));
      await advanceTasks(node.deps);
      const state = statesOf(await look(id));
      assert.ok(isEnd(state), state);
      assert.equal((await payments()).length, state === 'TASK_STATE_COMPLETED' ? 1 : 0);
    }
  });
});

describe('a task whose rail does not answer', () => {
  test('works on until the rail does, and then completes by itself', async () => {
    const { node, send, request, cartOf, look, payments } = await staged();
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'timeout' }));
    const asked = await send({ kind: 'purchase', input: request(40) });
    const task = await send({ kind: 'cartOfPurchase', input: { cartVc: await cartOf(40) } }, { taskId: asked.id });
    assert.equal(statesOf(task), 'TASK_STATE_WORKING');
    assert.match(String(task.status.message?.parts[0]?.text), /has not answered/);
    // A look at a payment that is still open notifies no caller.
    node.clock.now += 61_000;
    await advanceTasks(node.deps);
    assert.deepEqual(await look(task.id), task);
    node.railAnswers(undefined);
    await reconcile(node.deps);
    assert.equal(statesOf(await look(task.id)), 'TASK_STATE_COMPLETED');
    assert.equal((await payments()).length, 1);
  });

  test('cannot be withdrawn meanwhile', async () => {
    const { node, send, request, cartOf } = await staged();
    node.railAnswers(async () => ({ kind: 'unknown', reason: 'timeout' }));
    const asked = await send({ kind: 'purchase', input: request(40) });
    const { id } = await send({ kind: 'cartOfPurchase', input: { cartVc: await cartOf(40) } }, { taskId: asked.id });
    await assert.rejects(node.run('cancelTask', { id }), { code: 'TASK_NOT_CANCELABLE' });
  });
});

describe('a purchase that gets no cart', () => {
  test('is rejected when its intent ends', async () => {
    const { node, send, request, look } = await staged();
    const { id } = await send({ kind: 'purchase', input: request(40) });
    node.clock.now += 3_601_000;
    await advanceTasks(node.deps);
    const task = await look(id);
    assert.equal(statesOf(task), 'TASK_STATE_REJECTED');
    assert.deepEqual(dataOf(task)['countersign.refusal'].reasonCodes, ['INTENT_EXPIRED']);
  });

  test('gives the intent’s amount back when it is withdrawn', async () => {
    const { node, send, request } = await staged();
    const { id } = await send({ kind: 'purchase', input: request(40) });
    const { task } = await node.run('cancelTask', { id });
    assert.equal(task.status.state, 'TASK_STATE_CANCELED');
    const { data } = await node.run('listIntents', {});
    assert.equal(data[0].status, 'EXPIRED');
  });
});

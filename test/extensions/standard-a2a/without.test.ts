/** A node without standard A2A: nothing of it at its addresses, purchases as ever, and tasks that wait until it is there again. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../../src/node/config/config.ts';
import { startNode } from '../../../src/node/startNode.ts';
import { findTask } from '../../../src/store/statements/purchases/tasks.ts';
import { listTaskPushes } from '../../../src/store/statements/webhooks/subscriptions.ts';
import { leaseDeliveries } from '../../../src/webhooks/leaseDeliveries.ts';
import { runHere } from '../../cli/runHere.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { type Receiver, startReceiver } from '../../support/receiver.ts';
import { BY_KEY, resultOf, saidBy, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, GATES, type Loose, makeWorld, type World } from '../../support/world.ts';

const WITHOUT = { EXTENSIONS: 'sandbox-rail,mcp' };
const ALL = { EXTENSIONS: '' };
const CARD_PATH = '/.well-known/agent-card.json';

for (const engine of everyEngine()) {
  test(`its addresses, documents and commands are gone on ${engine.name}, and purchases are as ever`, async () => {
    const world = await makeWorld(engine, WITHOUT);
    try {
      await requireAbsent(world);
      await requireOwnCard(world);
      await buyOverRest(world);
      await buyOverOwnDialect(world);
    } finally {
      await world.close();
    }
  });

  test(`tasks wait while it is off, and are gone on with when it is on again, on ${engine.name}`, async () => {
    const world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,60,60,60,60,60', WEBHOOK_ALLOW_PRIVATE: 'true' });
    const receiver = await startReceiver();
    try {
      const task = await begunWithUpdate(world, receiver);
      await world.restart(WITHOUT);
      world.clock.aheadMs += 61_000;
      await requireNothingLeased(world, task.id);
      await requireStored(world, task.id);
      await world.restart(ALL);
      assert.deepEqual((await resultOf(world, 'GetTask', { id: task.id })).status, task.status);
      const [late] = await receiver.wait(1, ({ event }) => isAsked(event) && receiver.received.length > 1);
      assert.equal(late?.event.statusUpdate.taskId, task.id);
      const cart = { 'countersign.purchase': { cartVc: world.cart(12) } };
      const paid = await sendTo(world, cart, { taskId: task.id });
      assert.equal(paid.status.state, 'TASK_STATE_COMPLETED');
    } finally {
      await receiver.close();
      await world.close();
    }
  });

  test(`what a person decided while it was off is found once it is on again, on ${engine.name}`, async () => {
    const world = await makeWorld(engine);
    try {
      const context = { presence: 'optional', presence_threshold: 100 };
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context };
      await world.rest('POST', '/ap2/admin/policies', { name: 'asks', rules });
      const person = makePerson(world);
      await person.enroll();
      const asked = [await asking(world), await asking(world)] as const;
      await world.restart(WITHOUT);
      assert.equal((await person.decide(asked[0].approvalId, 'approve')).status, 200);
      assert.equal((await person.decide(asked[1].approvalId, 'deny')).status, 200);
      await world.restart(ALL);
      const states = await Promise.all(asked.map(({ id }) => endOf(world, id)));
      assert.deepEqual(states, ['TASK_STATE_COMPLETED', 'TASK_STATE_REJECTED']);
    } finally {
      await world.close();
    }
  });
}

describe('a backup with tasks', () => {
  test('is made and restored without it, and has them once it is on again', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-off-'));
    const [sqlite] = everyEngine();
    if (sqlite?.name !== 'sqlite') return;
    let dataDir = '';
    const prepare = (made: string) => {
      dataDir = made;
      return sqlite.prepare(made);
    };
    const world = await makeWorld({ name: 'sqlite', prepare });
    try {
      const task = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(40) } });
      await world.restart(WITHOUT);
      const [backup, elsewhere] = [join(folder, 'backup.tar'), join(folder, 'elsewhere')];
      const made = await runHere(['backup', backup, '--json'], { DATA_DIR: dataDir, ...WITHOUT });
      assert.equal(made.code, 0, made.stderr);
      assert.equal(made.json().rows.tasks, 1);
      const restored = await runHere(['restore', backup, '--data-dir', elsewhere, '--json'], WITHOUT);
      assert.equal(restored.code, 0, restored.stderr);
      assert.deepEqual(restored.json().rows, made.json().rows);
      const node = await startNode(readConfig({ DATA_DIR: elsewhere, PORT: '0', LOG_LEVEL: 'error', GATES }));
      try {
        assert.deepEqual(await resultOf({ node }, 'GetTask', { id: task.id }), task);
      } finally {
        await node.stop();
      }
    } finally {
      await world.close();
      await rm(folder, { recursive: true, force: true });
    }
  });
});

test('a purchase enters none of its files where the node runs without it', () => {
  const words = ['--import', 'tsx', 'bench/trips.ts', '--extensions', 'sandbox-rail'];
  const { status, stderr } = spawnSync(process.execPath, words, { encoding: 'utf8' });
  assert.equal(status, 0, stderr);
});

async function requireAbsent(world: World): Promise<void> {
  const absent = [
    ['POST', '/a2a/v1'],
    ['POST', '/a2a/v1/'],
    ['GET', `/a2a/v1${CARD_PATH}`],
    ['GET', '/ap2/tasks'],
    ['GET', '/ap2/tasks/task_1'],
    ['POST', '/ap2/tasks/task_1/cancel'],
  ] as const;
  for (const [method, path] of absent) {
    const body = method === 'POST' ? { body: '{}' } : {};
    const answer = await fetch(world.node.address + path, { method, headers: BY_KEY, ...body });
    assert.equal(answer.status, 404, path);
    assert.match(await answer.text(), /This node runs without standard-a2a\./);
  }
  for (const path of ['/openapi.json', '/llms.txt', '/', '/openrpc.json']) {
    const text = await (await fetch(world.node.address + path)).text();
    assert.doesNotMatch(text, /\/a2a\/v1|\/ap2\/tasks/, path);
  }
  const call = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} };
  const tools = await fetch(`${world.node.address}/mcp`, {
    method: 'POST',
    headers: { ...BY_KEY, 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
    body: JSON.stringify(call),
  });
  const listed = await tools.text();
  assert.match(listed, /check_status/);
  assert.doesNotMatch(listed, /task_|a task/);
  const command = await runHere(['task', 'list', '--url', world.node.address, '--key', ADMIN_KEY], WITHOUT);
  assert.equal(command.code, 2);
  assert.match(command.stderr, /This node runs without standard-a2a/);
}

async function requireOwnCard(world: World): Promise<void> {
  for (const version of ['', '1.0', '0.3']) {
    const headers = version === '' ? {} : { 'A2A-Version': version };
    const answer = await fetch(world.node.address + CARD_PATH, { headers });
    assert.equal(answer.status, 200);
    const card = (await answer.json()) as Loose;
    assert.equal(card.did, world.node.deps.issuer.did);
    assert.equal(card.endpoints.a2a, `${world.node.baseUrl}/a2a/gateway`);
    for (const member of ['supportedInterfaces', 'additionalInterfaces', 'protocolVersion', 'signatures', 'skills']) {
      assert.ok(!(member in card), member);
    }
  }
}

async function buyOverRest(world: World): Promise<void> {
  const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(20))).body;
  const { approvalToken } = (await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(10) }))
    .body;
  const paid = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
  assert.ok(paid.pmVc, JSON.stringify(paid));
}

async function buyOverOwnDialect(world: World): Promise<void> {
  const bodyOf = async (...message: Parameters<World['say']>) => (await world.say(...message)).result.message.body;
  const { intentVc } = await bodyOf('IntentMandate', world.intentBody(20));
  const { approvalToken } = await bodyOf('CartMandate', { intentVc, cartVc: world.cart(11) });
  const paid = await bodyOf('PaymentMandate', { approvalToken });
  assert.ok(paid.pmVc, JSON.stringify(paid));
}

/** A purchase that waits for its cart, with an update that its receiver has not taken. */
async function begunWithUpdate(world: World, receiver: Receiver): Promise<Loose> {
  receiver.answer = (response) => void response.writeHead(503).end();
  const message = taskMessage({ 'countersign.purchase': { intent: world.intentBody(40) } });
  const configuration = { taskPushNotificationConfig: { url: `${receiver.url}/push` } };
  const { task } = await resultOf(world, 'SendMessage', { message, configuration });
  await receiver.wait(1);
  receiver.answer = (response) => void response.writeHead(200).end();
  return task;
}

/** A purchase that waits for the person. */
async function asking(world: World): Promise<{ readonly id: string; readonly approvalId: string }> {
  const { id } = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(180) } });
  const task = await sendTo(world, { 'countersign.purchase': { cartVc: world.cart(150) } }, { taskId: id });
  assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(task.status));
  return { id, approvalId: saidBy(task)['countersign.approval'].id };
}

async function endOf(world: World, id: string): Promise<string> {
  let state = '';
  await until('the end of the task', async () => {
    const task = await resultOf(world, 'GetTask', { id });
    state = task.status.state;
    return task.status.state !== 'TASK_STATE_AUTH_REQUIRED' && task.status.state !== 'TASK_STATE_WORKING';
  });
  return state;
}

function isAsked(event: Loose): boolean {
  return event.statusUpdate?.status.state === 'TASK_STATE_INPUT_REQUIRED';
}

/** What is due to a place of a task is left where it is: it is no webhook, to be signed as one. */
async function requireNothingLeased(world: World, taskId: string): Promise<void> {
  const { deps } = world.node;
  const [place] = await deps.store.read(() => listTaskPushes(taskId));
  assert.ok(place);
  const asked = [{ webhookId: place.id, limit: 10 }];
  const leased = await deps.store.write('webhook outbox', (now) =>
    leaseDeliveries(deps, asked, performance.now(), now),
  );
  assert.deepEqual(leased, []);
}

async function requireStored(world: World, taskId: string): Promise<void> {
  const { deps } = world.node;
  const row = await deps.store.read(() => findTask(world.node.tenantId, taskId));
  assert.equal(row?.state, 'TASK_STATE_INPUT_REQUIRED');
}

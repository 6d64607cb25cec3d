/** Where a task's updates are posted: named at sending and later, in both dialects, kept sealed, and posted until they arrive. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { TABLES } from '../../../src/store/statements/tables.ts';
import { dropOrphans, insertDelivery } from '../../../src/store/statements/webhooks/deliveries.ts';
import { all } from '../../../src/store/store.ts';
import { runHere } from '../../cli/runHere.ts';
import { everyEngine } from '../../support/engines.ts';
import { type Lives, makeLives } from '../../support/lives.ts';
import { makeDidProof, makePeer, type Peer } from '../../support/peer.ts';
import { type Received, type Receiver, startReceiver } from '../../support/receiver.ts';
import { artifactOf, BY_KEY, callStandard, resultOf, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const SECRET = 'the-credentials-of-the-receiver';
const TOKEN = 'the-token-of-the-receiver';

for (const engine of everyEngine()) {
  describe(`updates that are posted on ${engine.name}`, () => {
    let world: World;
    let receiver: Receiver;
    before(async () => {
      world = await makeWorld(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      receiver = await startReceiver();
    });
    after(async () => {
      await receiver.close();
      await world.close();
    });

    let paths = 0;
    /** A place of its own for each test. */
    const place = () => {
      paths += 1;
      const path = `/push-${paths}`;
      const url = receiver.url + path;
      const arrived = (count: number, fits: (event: Loose) => boolean = () => true) =>
        receiver.wait(count, (received) => received.path === path && fits(received.event));
      return { url, path, arrived };
    };
    /** Of an agent of its own, since the policy limits how often one buys. */
    const begin = async (agent?: Peer) => {
      const intent = world.intentBody(40, { agent: agent ?? (await world.newAgent()) });
      return sendTo(world, { 'countersign.purchase': { intent } });
    };
    const pay = (taskId: string) => sendTo(world, { 'countersign.purchase': { cartVc: world.cart(12) } }, { taskId });
    const codeOf = async (...[method, params, headers]: [string, object, Record<string, string>?]) => {
      const { status, body } = await callStandard(world, method, params, headers);
      assert.equal(status, 200, JSON.stringify(body));
      return body.error?.code;
    };

    test('a place named with a message gets each status, and at the end the task, with what it is known by', async () => {
      const { url, arrived } = place();
      const authentication = { scheme: 'Bearer', credentials: SECRET };
      const message = taskMessage({ 'countersign.purchase': { intent: world.intentBody(40) } });
      const configuration = { taskPushNotificationConfig: { url, token: TOKEN, authentication } };
      const { task } = await resultOf(world, 'SendMessage', { message, configuration });
      const [asked] = (await arrived(1)) as [Received];
      assert.equal(asked.event.statusUpdate.status.state, 'TASK_STATE_INPUT_REQUIRED');
      assert.equal(asked.event.statusUpdate.taskId, task.id);
      const paid = await pay(task.id);
      const [last] = (await arrived(1, (event) => event.task !== undefined)) as [Received];
      assert.deepEqual(last.event.task, paid);
      for (const { headers, event } of await arrived(4)) {
        assert.equal(headers['content-type'], 'application/a2a+json');
        assert.equal(headers.authorization, `Bearer ${SECRET}`);
        assert.equal(headers['x-a2a-notification-token'], TOKEN);
        assert.equal(Object.keys(event).length, 1);
      }
    });

    test('a place named by 0.3 gets the task of 0.3 each time', async () => {
      const { url, arrived } = place();
      const data = { 'countersign.purchase': { intent: world.intentBody(40) } };
      const message = { messageId: `former ${url}`, role: 'user', parts: [{ kind: 'data', data }] };
      const authentication = { schemes: ['Basic', 'Bearer'], credentials: 'YTpi' };
      const configuration = { pushNotificationConfig: { url, authentication } };
      const task = await resultOf(world, 'message/send', { message, configuration });
      await pay(task.id);
      const [first] = await arrived(1, (event) => event.status.state === 'input-required');
      assert.equal(first?.headers.authorization, 'Basic YTpi');
      const [last] = await arrived(1, (event) => event.status.state === 'completed');
      assert.deepEqual(last?.event, await resultOf(world, 'tasks/get', { id: task.id }));
    });

    test('a place named later gets what comes after, also where it is named with a message to the task', async () => {
      for (const named of ['apart', 'with the cart', 'with words']) {
        const { url, arrived } = place();
        const { id: taskId } = await begin();
        const configuration = { taskPushNotificationConfig: { url } };
        if (named === 'apart') await resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, url });
        if (named === 'with words') {
          const message = taskMessage({ note: 'by the way' }, { taskId });
          await resultOf(world, 'SendMessage', { message, configuration });
        }
        const cart = { 'countersign.purchase': { cartVc: world.cart(12) } };
        await resultOf(world, 'SendMessage', {
          message: taskMessage(cart, { taskId }),
          ...(named === 'with the cart' ? { configuration } : {}),
        });
        const [last] = await arrived(1, (event) => event.task !== undefined);
        assert.equal(last?.event.task.status.state, 'TASK_STATE_COMPLETED', named);
      }
    });

    test('places are named, shown, listed and removed in both dialects, also of a task that has ended', async () => {
      const { id: taskId } = await sendTo(world, { 'countersign.intent': world.intentBody(20) });
      const { url } = place();
      const authentication = { scheme: 'Bearer', credentials: SECRET };
      const config = { taskId, id: 'mine', url, token: TOKEN, authentication };
      assert.deepEqual(await resultOf(world, 'CreateTaskPushNotificationConfig', config), config);
      assert.deepEqual(await resultOf(world, 'GetTaskPushNotificationConfig', { taskId, id: 'mine' }), config);
      const former = {
        taskId,
        pushNotificationConfig: {
          id: 'mine',
          url,
          token: TOKEN,
          authentication: { schemes: ['Bearer'], credentials: SECRET },
        },
      };
      const named = { id: taskId, pushNotificationConfigId: 'mine' };
      assert.deepEqual(await resultOf(world, 'tasks/pushNotificationConfig/get', named), former);
      assert.deepEqual(await resultOf(world, 'tasks/pushNotificationConfig/get', { id: taskId }), former);
      const second = { taskId, pushNotificationConfig: { id: 'second', url } };
      assert.deepEqual(await resultOf(world, 'tasks/pushNotificationConfig/set', second), second);
      assert.deepEqual(await resultOf(world, 'tasks/pushNotificationConfig/list', { id: taskId }), [former, second]);
      const { configs, nextPageToken } = await resultOf(world, 'ListTaskPushNotificationConfigs', { taskId });
      assert.deepEqual([configs, nextPageToken], [[config, { taskId, id: 'second', url }], '']);
      // The same id again takes the place of the first.
      const moved = { taskId, id: 'mine', url: `${url}/moved` };
      assert.deepEqual(await resultOf(world, 'CreateTaskPushNotificationConfig', moved), moved);
      for (let times = 0; times < 2; times += 1) {
        assert.deepEqual(await resultOf(world, 'DeleteTaskPushNotificationConfig', { taskId, id: 'mine' }), {});
        const gone = { id: taskId, pushNotificationConfigId: 'second' };
        assert.equal(await resultOf(world, 'tasks/pushNotificationConfig/delete', gone), null);
      }
      assert.equal(await codeOf('GetTaskPushNotificationConfig', { taskId, id: 'mine' }), -32001);
      assert.equal(await codeOf('tasks/pushNotificationConfig/get', named), -32001);
      assert.deepEqual((await resultOf(world, 'ListTaskPushNotificationConfigs', { taskId })).configs, []);
      for (const [method, params] of pushCalls('task_nothing', url)) assert.equal(await codeOf(method, params), -32001);
    });

    test('nothing is posted to a place that was removed, and there are no more than ten', async () => {
      const { url, path } = place();
      const { id: taskId } = await begin();
      for (let at = 0; at < 10; at += 1) {
        await resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, id: `at ${at}`, url });
      }
      assert.equal(await codeOf('CreateTaskPushNotificationConfig', { taskId, id: 'one more', url }), -32602);
      const witness = place();
      for (let at = 0; at < 10; at += 1) {
        await resultOf(world, 'DeleteTaskPushNotificationConfig', { taskId, id: `at ${at}` });
      }
      await resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, url: witness.url });
      await pay(taskId);
      await witness.arrived(1, (event) => event.task !== undefined);
      assert.deepEqual(
        receiver.received.filter((received) => received.path === path),
        [],
      );
    });

    test('what a receiver does not take is posted again until it does', async () => {
      const { url, path, arrived } = place();
      let failures = 2;
      receiver.answer = (response, received) => {
        const fails = received.path === path && received.event.task !== undefined && failures > 0;
        if (fails) failures -= 1;
        response.writeHead(fails ? 503 : 200).end();
      };
      const { id: taskId } = await begin();
      await resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, url });
      await pay(taskId);
      const ends = await arrived(3, (event) => event.task !== undefined);
      receiver.answer = (response) => void response.end('ok');
      assert.equal(new Set(ends.map(({ raw }) => raw)).size, 1);
    });

    test('a place is named while its task goes on, and neither forgets the other', async () => {
      for (let round = 0; round < 5; round += 1) {
        const { url } = place();
        const { id: taskId } = await begin();
        const message = taskMessage({ 'countersign.purchase': { cartVc: world.cart(12) } }, { taskId });
        await Promise.all([
          resultOf(world, 'SendMessage', { message }),
          ...[0, 1, 2].map((at) =>
            resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, id: `at ${at}`, url }),
          ),
        ]);
        const { configs } = await resultOf(world, 'ListTaskPushNotificationConfigs', { taskId });
        assert.equal(configs.length, 3);
        const rows = await world.node.deps.store.read(() => all<Loose>('SELECT * FROM tasks WHERE id = ?', taskId));
        assert.equal(rows[0].pushes, 3);
        assert.equal((await resultOf(world, 'GetTask', { id: taskId })).status.state, 'TASK_STATE_COMPLETED');
      }
    });

    test('a place that is stored with its first update gets it, whenever the node looks for what is to be posted', async () => {
      const { store } = world.node.deps;
      const { url, arrived } = place();
      const { id: taskId } = await begin();
      await resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, url: 'http://127.0.0.1:9/' });
      const [row] = await store.read(() => all<Loose>('SELECT id FROM webhooks WHERE task_id = ?', taskId));
      const at = Date.now() + 3_600_000;
      const kept = await store.write(world.node.tenantId, function* () {
        const update = { event_id: 'evt_none', event_type: 'task.updated', state: 'PENDING' as const, attempts: 0 };
        const due = { max_attempts: 6, next_at: at, leased_by: null, created_at: at };
        for (const webhook_id of [row.id, 'push_gone']) {
          const id = `whd_of_${webhook_id}`;
          yield* insertDelivery({ id, tenant_id: world.node.tenantId, webhook_id, ...update, ...due });
          yield* dropOrphans(webhook_id);
        }
        return yield* all<Loose>("SELECT webhook_id FROM webhook_deliveries WHERE id LIKE 'whd_of_%'");
      });
      assert.deepEqual(
        kept.map(({ webhook_id }) => webhook_id),
        [row.id],
      );
      await Promise.all(
        Array.from({ length: 30 }, async () => {
          const message = taskMessage({ 'countersign.purchase': { intent: world.intentBody(900) } });
          await resultOf(world, 'SendMessage', { message, configuration: { taskPushNotificationConfig: { url } } });
        }),
      );
      await arrived(30);
    });

    test('a place is for no other caller to name, to see or to remove', async () => {
      const agent = await world.newAgent();
      const { id: taskId } = await begin(agent);
      const url = `${receiver.url}/of-another`;
      await resultOf(world, 'CreateTaskPushNotificationConfig', { taskId, id: 'mine', url, token: TOKEN });
      const given = { name: 'of another', permissions: ['read', 'write'], agents: [world.agent.did] };
      const { key } = (await world.rest('POST', '/ap2/admin/api-keys', given)).body;
      for (const [method, params] of pushCalls(taskId, url)) {
        assert.equal(await codeOf(method, params, { Authorization: `Bearer ${key}` }), -32001, method);
        assert.equal(await codeOf(method, params, provenBy(world, world.agent, method, params)), -32001, method);
      }
      const own = { taskId, id: 'mine' };
      const headers = provenBy(world, agent, 'GetTaskPushNotificationConfig', own);
      assert.equal((await resultOf(world, 'GetTaskPushNotificationConfig', own, headers)).token, TOKEN);
      const hooks = await world.rest('GET', '/ap2/admin/webhooks');
      assert.deepEqual(hooks.body.webhooks ?? hooks.body.data, [], 'they are no webhooks of the tenant’s owner');
    });

    test('a place that cannot be posted to is refused with the member that is wrong', async () => {
      const { id: taskId } = await begin();
      for (const url of ['ftp://shop.example/', 'nothing', '', 'http://user:word@shop.example/']) {
        for (const [method, params] of [
          ['CreateTaskPushNotificationConfig', { taskId, url }],
          ['tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { url } }],
        ] as const) {
          assert.equal(await codeOf(method, params), -32602, `${method} ${url}`);
        }
      }
      const header = { scheme: 'Bearer', credentials: 'a\r\nX-Injected: b' };
      const config = { taskId, url: receiver.url, authentication: header };
      assert.equal(await codeOf('CreateTaskPushNotificationConfig', config), -32602);
      assert.equal(await codeOf('CreateTaskPushNotificationConfig', { ...config, token: 'a\nb' }), -32602);
    });
  });

  describe(`what is kept of places on ${engine.name}`, () => {
    let lives: Lives;
    let receiver: Receiver;
    const agent = makePeer();
    before(async () => {
      lives = await makeLives(engine, { WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0' });
      receiver = await startReceiver();
      const made = await lives.ask('POST', '/ap2/agents', { name: 'agent', publicKey: agent.publicKey });
      assert.equal(made.status, 201, made.text);
    });
    after(async () => {
      await receiver.close();
      await lives.close();
    });

    test('is sealed, as the tokens of tasks are, and stays readable when the root key is rotated', async () => {
      const request = { maxAmount: 40, currency: 'USD' };
      const intent = { agentDid: agent.did, principalDid: agent.did, request };
      const task = await sendTo({ node: lives.node() }, { 'countersign.intent': intent });
      const { intentVc } = artifactOf(task, 'intentResult');
      const offer = { payerDid: agent.did, domain: 'shop.example', amount: 12, currency: 'USD' };
      const { cartVc } = JSON.parse((await lives.ask('POST', '/ap2/demo/cart', offer)).text);
      const message = taskMessage({ 'countersign.cart': { intentVc, cartVc } });
      const place = { id: 'mine', url: `${receiver.url}/push`, token: TOKEN };
      const authentication = { scheme: 'Bearer', credentials: SECRET };
      const configuration = { taskPushNotificationConfig: { ...place, authentication } };
      const now = { node: lives.node() };
      const sent = (await resultOf(now, 'SendMessage', { message, configuration })).task;
      const { approvalToken } = artifactOf(sent, 'cartResult');
      assert.match(approvalToken, /^apt_/);
      const begun = await sendTo(now, { 'countersign.payment': { approvalToken, instrument: 'pm_card_visa' } });
      assert.equal(begun.status.state, 'TASK_STATE_COMPLETED');

      const secrets = [SECRET, TOKEN, approvalToken];
      const { store } = lives.node().deps;
      for (const { name } of TABLES) {
        const rows = JSON.stringify(await store.read(() => all(`SELECT * FROM ${name}`)));
        for (const secret of secrets) assert.ok(!rows.includes(secret), `${secret} is in ${name}`);
      }
      await lives.stop();
      for (const file of readdirSync(lives.folder)) {
        const bytes = readFileSync(join(lives.folder, file));
        for (const secret of secrets) assert.ok(!bytes.includes(secret), `${secret} is in ${file}`);
      }

      const rotated = await runHere(['key', 'rotate-root', '--json'], lives.env);
      assert.equal(rotated.code, 0, rotated.stderr);
      await lives.start();
      const then = { node: lives.node() };
      assert.deepEqual(await resultOf(then, 'GetTask', { id: sent.id }), sent);
      const kept = await resultOf(then, 'GetTaskPushNotificationConfig', { taskId: sent.id, id: 'mine' });
      assert.deepEqual(kept, { taskId: sent.id, ...place, authentication });
    });
  });
}

describe('places where private addresses are not allowed', () => {
  test('must be https and public, whenever and in whichever dialect they are named', async () => {
    const [engine] = everyEngine();
    assert.ok(engine);
    const world = await makeWorld(engine, { WEBHOOK_ALLOW_PRIVATE: 'false' });
    try {
      const { id: taskId } = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(40) } });
      for (const url of ['http://hooks.example/', 'https://127.0.0.1/', 'https://[::1]/', 'https://10.1.2.3/x']) {
        const data = { 'countersign.intent': world.intentBody(9) };
        const former = { messageId: url, role: 'user', parts: [{ kind: 'data', data }] };
        for (const [method, params] of [
          ['CreateTaskPushNotificationConfig', { taskId, url }],
          ['tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { url } }],
          ['SendMessage', { message: taskMessage(data), configuration: { taskPushNotificationConfig: { url } } }],
          ['message/send', { message: former, configuration: { pushNotificationConfig: { url } } }],
        ] as const) {
          const { body } = await callStandard(world, method, params, BY_KEY);
          assert.equal(body.error?.code, -32602, `${method} ${url} ${JSON.stringify(body)}`);
          assert.match(JSON.stringify(body.error.data), /"field":"[^"]*url"/);
        }
      }
      const { body } = await world.rest('GET', '/ap2/intents');
      assert.equal(body.data.length, 1, 'nothing else was done');
    } finally {
      await world.close();
    }
  });
});

/** Each call about a place, of a task. */
function pushCalls(taskId: string, url: string): (readonly [string, object])[] {
  const former = { id: taskId, pushNotificationConfigId: 'mine' };
  return [
    ['CreateTaskPushNotificationConfig', { taskId, id: 'mine', url }],
    ['GetTaskPushNotificationConfig', { taskId, id: 'mine' }],
    ['ListTaskPushNotificationConfigs', { taskId }],
    ['DeleteTaskPushNotificationConfig', { taskId, id: 'mine' }],
    ['tasks/pushNotificationConfig/set', { taskId, pushNotificationConfig: { id: 'mine', url } }],
    ['tasks/pushNotificationConfig/get', former],
    ['tasks/pushNotificationConfig/list', { id: taskId }],
    ['tasks/pushNotificationConfig/delete', former],
  ];
}

function provenBy(world: World, agent: Peer, method: string, params: object): Record<string, string> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 'call-1', method, params });
  return {
    'X-DID-Proof': makeDidProof(agent, { baseUrl: world.node.baseUrl, method: 'POST', path: '/a2a/v1', body }),
  };
}

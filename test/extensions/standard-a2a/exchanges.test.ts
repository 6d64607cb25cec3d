/** Exchanges over standard A2A are tasks: each outcome has its state, and carries what REST would have answered. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { artifactOf, callStandard, resultOf, saidBy, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { makeWorld, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`exchanges as tasks, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const intentOf = async (amount: number) => {
      const task = await sendTo(world, { 'countersign.intent': world.intentBody(amount) });
      return artifactOf(task, 'intentResult').intentVc;
    };
    const get = (id: string) => resultOf(world, 'GetTask', { id });
    const ended = async (id: string, state: string) => {
      await until(`the task becoming ${state}`, async () => (await get(id)).status.state === state);
      return get(id);
    };

    test('an intent that is allowed is a task that is completed, with the answer of REST', async () => {
      const task = await sendTo(world, { 'countersign.intent': world.intentBody(40) }, { contextId: 'trip-1' });
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED');
      assert.equal(task.contextId, 'trip-1');
      const { intentVc } = artifactOf(task, 'intentResult');
      const record = await world.rest('GET', `/ap2/intents/${intentVc.credentialSubject.mandateId}`);
      assert.deepEqual(record.body.intentVc, intentVc);
      assert.deepEqual(await get(task.id), task);
    });

    test('an intent that is refused is a task that is rejected, with the reasons', async () => {
      const task = await sendTo(world, { 'countersign.intent': world.intentBody(900) });
      assert.equal(task.status.state, 'TASK_STATE_REJECTED');
      assert.deepEqual(saidBy(task)['countersign.refusal'].reasonCodes, ['AMOUNT_OVER_CAP']);
      assert.match(task.status.message.parts[1].text, /cap/);
    });

    test('a cart and its payment are tasks of their own, and who may only read is shown nothing to pay with', async () => {
      const intentVc = await intentOf(40);
      const cart = await sendTo(world, { 'countersign.cart': { intentVc, cartVc: world.cart(12) } });
      assert.equal(cart.status.state, 'TASK_STATE_COMPLETED');
      const { approvalToken } = artifactOf(cart, 'cartResult');
      const key = await world.rest('POST', '/ap2/admin/api-keys', { name: 'looks', permissions: ['read'] });
      const reader = { Authorization: `Bearer ${key.body.key}` };
      const seen = [
        await resultOf(world, 'GetTask', { id: cart.id, historyLength: 10 }, reader),
        await resultOf(world, 'ListTasks', { includeArtifacts: true, historyLength: 10 }, reader),
        (await world.rest('GET', `/ap2/tasks/${cart.id}`, undefined, reader)).body,
      ];
      for (const each of seen) {
        assert.match(JSON.stringify(each), new RegExp(cart.id));
        assert.doesNotMatch(JSON.stringify(each), new RegExp(approvalToken));
      }
      assert.equal(artifactOf(await get(cart.id), 'cartResult').approvalToken, approvalToken);
      const paid = await sendTo(world, { 'countersign.payment': { approvalToken } });
      assert.equal(paid.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(paid.status));
      const { pmVc, railResponse } = artifactOf(paid, 'paymentResult');
      assert.equal(railResponse.status, 'requires_capture');
      assert.match(JSON.stringify(paid.artifacts), /"\d+\.\d\d USD for shop\.example is authorized\."/);
      const payment = await world.rest('GET', `/ap2/payments/${pmVc.credentialSubject.mandateId}`);
      assert.equal(payment.body.status, 'AUTHORIZED');
    });

    test('a payment whose caller does not wait is paid all the same', async () => {
      const cart = await sendTo(world, {
        'countersign.cart': { intentVc: await intentOf(40), cartVc: world.cart(13) },
      });
      const { approvalToken } = artifactOf(cart, 'cartResult');
      const message = taskMessage({ 'countersign.payment': { approvalToken } });
      const { task } = await resultOf(world, 'SendMessage', { message, configuration: { returnImmediately: true } });
      assert.equal(task.status.state, 'TASK_STATE_SUBMITTED');
      await ended(task.id, 'TASK_STATE_COMPLETED');
    });

    test('a payment that is not waited for, asked for again under its idempotency key, is the same payment', async () => {
      const cart = await sendTo(world, {
        'countersign.cart': { intentVc: await intentOf(40), cartVc: world.cart(15) },
      });
      const { approvalToken } = artifactOf(cart, 'cartResult');
      const pay = async () => {
        const data = { 'countersign.payment': { approvalToken, idempotencyKey: `pay-${engine.name}` } };
        const params = { message: taskMessage(data), configuration: { returnImmediately: true } };
        const { task } = await resultOf(world, 'SendMessage', params);
        const { pmVc } = artifactOf(await ended(task.id, 'TASK_STATE_COMPLETED'), 'paymentResult');
        return pmVc.credentialSubject.mandateId;
      };
      assert.equal(await pay(), await pay());
    });

    test('what is wrong with a message is told only to a caller with permission', async () => {
      const message = { role: 'ROLE_USER', parts: [] };
      const stranger = await callStandard(world, 'SendMessage', { message }, {});
      assert.deepEqual([stranger.status, stranger.body.error.code], [401, -32090]);
      const known = await callStandard(world, 'SendMessage', { message });
      assert.deepEqual([known.status, known.body.error.code], [200, -32602]);
      const fields = known.body.error.data[1].fieldViolations.map(({ field }: { field: string }) => field);
      assert.deepEqual(fields, ['message.messageId', 'message.parts']);
    });

    test('a payment that the rail declines is a task that failed, with what the rail said', async () => {
      const cart = await sendTo(world, {
        'countersign.cart': { intentVc: await intentOf(40), cartVc: world.cart(14) },
      });
      const { approvalToken } = artifactOf(cart, 'cartResult');
      const instrument = 'pm_card_visa_chargeDeclined';
      const task = await sendTo(world, { 'countersign.payment': { approvalToken, instrument } });
      assert.equal(task.status.state, 'TASK_STATE_FAILED');
      assert.equal(saidBy(task)['countersign.paymentResult'].railResponse.status, 'failed');
    });

    test('a purchase asks for the cart, and is paid in one task', async () => {
      const asked = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(40) } });
      assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
      const paid = await sendTo(world, { 'countersign.purchase': { cartVc: world.cart(21) } }, { taskId: asked.id });
      assert.equal(paid.id, asked.id);
      assert.equal(paid.contextId, asked.contextId);
      assert.equal(paid.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(paid.status));
      assert.ok(artifactOf(paid, 'cartResult'));
      assert.equal(artifactOf(paid, 'paymentResult').railResponse.status, 'requires_capture');
    });

    test('a purchase has the forms and the verdicts that its intent and its cart ask for', async () => {
      const agent = await world.newAgent('asks for forms');
      const intent = { ...world.intentBody(40, { agent, principal: agent }), credentialFormats: ['vc', 'verdict'] };
      const { id } = await sendTo(world, { 'countersign.purchase': { intent } });
      const offer = { cartVc: world.cart(21), credentialFormats: ['verdict'] };
      const task = await sendTo(world, { 'countersign.purchase': offer }, { taskId: id });
      const told = ['intentResult', 'cartResult', 'paymentResult'].map((name) => Object.keys(artifactOf(task, name)));
      assert.deepEqual(
        told.map((names) => ['credentials', 'verdict'].filter((name) => names.includes(name))),
        [['credentials', 'verdict'], ['verdict'], ['credentials']],
      );
    });

    test('a cart that lacks only the person waits for the touch, and then completes by itself', async () => {
      const person = makePerson(world);
      await person.enroll();
      const intentVc = await intentOf(180);
      const asked = await sendTo(world, { 'countersign.cart': { intentVc, cartVc: world.cart(150) } });
      assert.equal(asked.status.state, 'TASK_STATE_AUTH_REQUIRED');
      const approval = saidBy(asked)['countersign.approval'];
      assert.match(approval.url, /\/approve\/apr_/);
      const unchanged = await sendTo(world, { note: 'please hurry' }, { taskId: asked.id });
      assert.equal(unchanged.status.state, 'TASK_STATE_AUTH_REQUIRED');
      assert.equal((await person.decide(approval.id)).status, 200);
      const done = await ended(asked.id, 'TASK_STATE_COMPLETED');
      assert.equal(artifactOf(done, 'cartResult').allowed, true);
    });

    test('a purchase goes on by itself after the touch until it is paid', async () => {
      const person = makePerson(world);
      await person.enroll();
      const asked = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(180) } });
      const waits = await sendTo(world, { 'countersign.purchase': { cartVc: world.cart(151) } }, { taskId: asked.id });
      assert.equal(waits.status.state, 'TASK_STATE_AUTH_REQUIRED');
      await person.decide(saidBy(waits)['countersign.approval'].id);
      const paid = await ended(asked.id, 'TASK_STATE_COMPLETED');
      assert.equal(artifactOf(paid, 'paymentResult').railResponse.status, 'requires_capture');
    });

    test('what the person denies is rejected', async () => {
      const person = makePerson(world);
      await person.enroll();
      const intentVc = await intentOf(180);
      const asked = await sendTo(world, { 'countersign.cart': { intentVc, cartVc: world.cart(152) } });
      await person.decide(saidBy(asked)['countersign.approval'].id, 'deny');
      const task = await get(asked.id);
      assert.equal(task.status.state, 'TASK_STATE_REJECTED');
      assert.deepEqual(saidBy(task)['countersign.refusal'].reasonCodes, ['HP_REQUIRED']);
    });

    test('a task that waits is withdrawn by its caller, and its approval with it', async () => {
      const intentVc = await intentOf(180);
      const asked = await sendTo(world, { 'countersign.cart': { intentVc, cartVc: world.cart(153) } });
      const canceled = await resultOf(world, 'CancelTask', { id: asked.id });
      assert.equal(canceled.status.state, 'TASK_STATE_CANCELED');
      assert.deepEqual(await resultOf(world, 'CancelTask', { id: asked.id }), canceled);
      const { id } = saidBy(asked)['countersign.approval'];
      assert.equal((await world.rest('GET', `/ap2/approvals/${id}`)).body.status, 'denied');
    });

    test('a task of an agent that is revoked is rejected', async () => {
      const agent = await world.newAgent();
      const intent = world.intentBody(40, { agent });
      const asked = await sendTo(world, { 'countersign.purchase': { intent } });
      assert.equal(asked.status.state, 'TASK_STATE_INPUT_REQUIRED');
      const revoked = await world.rest('POST', `/ap2/admin/agents/${agent.did}/revoke`, { reason: 'stolen' });
      assert.equal(revoked.status, 200);
      const task = await ended(asked.id, 'TASK_STATE_REJECTED');
      assert.deepEqual(saidBy(task)['countersign.refusal'].reasonCodes, ['AGENT_REVOKED']);
    });

    test('the same message again is the same task, and other content under its id is refused', async () => {
      const message = taskMessage({ 'countersign.intent': world.intentBody(11) });
      const first = await resultOf(world, 'SendMessage', { message });
      const again = await resultOf(world, 'SendMessage', { message: { ...message, metadata: {} } });
      assert.deepEqual(again, first);
      const other = { ...message, parts: [{ data: { 'countersign.intent': world.intentBody(12) } }] };
      const { status, body } = await callStandard(world, 'SendMessage', { message: other });
      assert.equal(status, 200);
      assert.equal(body.error.code, -32093);
    });

    test('one message sent four times at once, as a library may that tries again, is one task and one purchase', async () => {
      const agent = await world.newAgent();
      const message = taskMessage({ 'countersign.intent': world.intentBody(11, { agent }) });
      const sent = await Promise.all(Array.from({ length: 4 }, () => resultOf(world, 'SendMessage', { message })));
      assert.equal(new Set(sent.map(({ task }) => task.id)).size, 1);
      const { body } = await world.rest('GET', `/ap2/intents?agentDid=${encodeURIComponent(agent.did)}`);
      assert.equal(body.data.length, 1);
    });

    test('members may have their names of the protocol buffers', async () => {
      const message = {
        message_id: `proto-${engine.name}`,
        role: 'ROLE_USER',
        context_id: 'trip-2',
        parts: [{ data: {} }],
      };
      Object.assign(message.parts[0] as object, { data: { 'countersign.intent': world.intentBody(20) } });
      const { task } = await resultOf(world, 'SendMessage', { message, configuration: { history_length: 0 } });
      assert.equal(task.contextId, 'trip-2');
      assert.equal(task.history, undefined);
      const { tasks } = await resultOf(world, 'ListTasks', { context_id: 'trip-2', page_size: 1 });
      assert.deepEqual(
        tasks.map(({ id }: { id: string }) => id),
        [task.id],
      );
    });

    test('words without an exchange get a message that lists the data parts', async () => {
      const message = { messageId: 'words', role: 'ROLE_USER', parts: [{ text: 'buy me socks' }] };
      const { message: said, task } = await resultOf(world, 'SendMessage', { message });
      assert.equal(task, undefined);
      assert.match(said.parts[0].text, /countersign\.purchase/);
    });
  });
}

/** A payment elsewhere as a task: reserved, by the touch where a person is asked, and told of by commit, release, CancelTask, or not at all. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { expireHolds, warnOfHolds } from '../../../src/workers/expireHolds.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { artifactOf, callStandard, resultOf, saidBy, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { makeWorld, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`payments elsewhere as tasks, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const get = (id: string) => resultOf(world, 'GetTask', { id });
    const asked = (amount: number, more: object = {}) => ({
      'countersign.external': {
        reserve: {
          ...{ agentDid: world.agent.did, merchant: 'tea.example', amount, currency: 'USD', channel: 'card' },
          ...more,
        },
      },
    });
    const commit = (evidence: object = { kind: 'none' }, more: object = {}) => ({
      'countersign.external': { commit: { evidence, ...more } },
    });
    const statusOf = async (mandateId: string) =>
      (await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status as string;
    const external = async (rules: object) => {
      const spend = { amount_cap: 100, presence_cap: 200, currency: 'USD' };
      const body = { version: '2.0', spend, rails: { allow: ['EXTERNAL_RAIL'] }, external: rules };
      assert.equal(
        (await world.rest('POST', '/ap2/admin/policies', { name: 'x', rules: body, activate: true })).status,
        201,
      );
    };

    test('it waits for what came of it, and is completed by a commit, whose message comes twice and counts once', async () => {
      const task = await sendTo(world, asked(5));
      assert.equal(task.status.state, 'TASK_STATE_INPUT_REQUIRED', JSON.stringify(task.status));
      const { mandateId } = artifactOf(task, 'externalResult');
      const message = taskMessage(commit({ kind: 'order', reference: 'o-1' }, { amount: 4 }), { taskId: task.id });
      const { task: done } = await resultOf(world, 'SendMessage', { message });
      assert.equal(done.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(done.status));
      assert.equal(artifactOf(done, 'externalPayment').captured, 4);
      assert.equal(await statusOf(mandateId), 'CAPTURED');
      assert.equal((await resultOf(world, 'SendMessage', { message })).task.status.state, 'TASK_STATE_COMPLETED');
      const { history } = await get(task.id);
      assert.equal(history.filter(({ messageId }: { messageId: string }) => messageId === message.messageId).length, 1);
    });

    test('it is completed by a commit that came over REST', async () => {
      const task = await sendTo(world, asked(5));
      const { mandateId } = artifactOf(task, 'externalResult');
      const path = `/ap2/external/reservations/${mandateId}/commit`;
      assert.equal((await world.rest('POST', path, { evidence: { kind: 'none' } })).status, 200);
      assert.equal((await get(task.id)).status.state, 'TASK_STATE_COMPLETED');
    });

    test('a release and CancelTask end it, and free the amount', async () => {
      const released = await sendTo(world, asked(5));
      const word = { 'countersign.external': { release: { reason: 'declined' } } };
      assert.equal((await sendTo(world, word, { taskId: released.id })).status.state, 'TASK_STATE_CANCELED');
      const canceled = await sendTo(world, asked(6));
      assert.equal((await resultOf(world, 'CancelTask', { id: canceled.id })).status.state, 'TASK_STATE_CANCELED');
      assert.equal(await statusOf(artifactOf(canceled, 'externalResult').mandateId), 'CANCELED');
    });

    test('more than was reserved is refused, and the task waits on', async () => {
      const task = await sendTo(world, asked(5));
      const message = taskMessage(commit({ kind: 'none' }, { amount: 6 }), { taskId: task.id });
      const { body } = await callStandard(world, 'SendMessage', { message });
      assert.match(JSON.stringify(body.error), /6\.00 USD was paid of the 5\.00 USD/);
      assert.equal((await get(task.id)).status.state, 'TASK_STATE_INPUT_REQUIRED');
    });

    test('what is over the cap is rejected, and what needs a person waits for the touch', async () => {
      assert.equal((await sendTo(world, asked(900))).status.state, 'TASK_STATE_REJECTED');
      const person = makePerson(world);
      await person.enroll();
      const task = await sendTo(world, asked(150, { idempotencyKey: 'by-touch' }));
      assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(task.status));
      await person.decide(saidBy(task)['countersign.approval'].id);
      await until('the reservation', async () => (await get(task.id)).status.state === 'TASK_STATE_INPUT_REQUIRED');
      const done = await sendTo(world, commit(), { taskId: task.id });
      assert.equal(done.status.state, 'TASK_STATE_COMPLETED');
    });

    test('where an owner alone releases, an agent’s CancelTask frees nothing, and the end leaves it held and waiting', async () => {
      await external({ release: 'owner', on_expiry: 'hold' });
      const key = await world.rest('POST', '/ap2/admin/api-keys', { name: 'agent', permissions: ['read', 'write'] });
      const agent = { Authorization: `Bearer ${key.body.key}` };
      const task = await sendTo(world, asked(5, { expiresIn: 60 }), {}, agent);
      const { mandateId } = artifactOf(task, 'externalResult');
      const { body } = await callStandard(world, 'CancelTask', { id: task.id }, agent);
      assert.match(JSON.stringify(body.error), /an owner alone releases/);
      assert.equal(await statusOf(mandateId), 'AUTHORIZED');
      const { clock } = world;
      clock.aheadMs += 61_000;
      await warnOfHolds(world.node.deps);
      await expireHolds(world.node.deps);
      clock.aheadMs -= 61_000;
      assert.equal(await statusOf(mandateId), 'UNKNOWN');
      assert.equal((await get(task.id)).status.state, 'TASK_STATE_WORKING');
      const done = await sendTo(world, commit(), { taskId: task.id }, agent);
      assert.equal(done.status.state, 'TASK_STATE_COMPLETED');
    });
  });
}

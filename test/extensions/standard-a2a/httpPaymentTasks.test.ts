/** What a server asks for by HTTP, as a task: paid, refused, and by the person's touch. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import { makePerson } from '../../support/person.ts';
import { artifactOf, resultOf, saidBy, sendTo } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { makeWorld, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`payments by HTTP as tasks, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const get = (id: string) => resultOf(world, 'GetTask', { id });
    const ended = async (id: string, state: string) => {
      await until(`the task becoming ${state}`, async () => (await get(id)).status.state === state);
      return get(id);
    };
    const httpPayment = (id: string, dollars: number) => ({
      'countersign.httpPayment': {
        agentDid: world.agent.did,
        url: `https://reports.example/${id}`,
        challenges: [mppChallenge({ id, amount: String(dollars * 100) })],
      },
    });

    test('what a server asks for by HTTP is a task with what to send, which only who may pay is shown', async () => {
      const task = await sendTo(world, httpPayment('c1', 5));
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task.status));
      const { protocol, mandateId, send } = artifactOf(task, 'httpPaymentResult');
      assert.equal(protocol, 'mpp');
      assert.match(send.header.value, /^Payment [\w-]+$/);
      assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'AUTHORIZED');
      const again = await sendTo(world, httpPayment('c1', 5));
      assert.deepEqual(artifactOf(again, 'httpPaymentResult').send, send);
      const key = await world.rest('POST', '/ap2/admin/api-keys', { name: 'looks too', permissions: ['read'] });
      const reader = { Authorization: `Bearer ${key.body.key}` };
      const seen = artifactOf(await resultOf(world, 'GetTask', { id: task.id }, reader), 'httpPaymentResult');
      assert.deepEqual([seen.mandateId, seen.send, seen.credential], [mandateId, undefined, undefined]);
    });

    test('what a server asks for over the cap is rejected', async () => {
      const task = await sendTo(world, httpPayment('c2', 900));
      assert.equal(task.status.state, 'TASK_STATE_REJECTED');
      assert.deepEqual(saidBy(task)['countersign.refusal'].reasonCodes, ['AMOUNT_OVER_CAP']);
    });

    test('what a server asks for waits for the person, and is paid by the touch', async () => {
      const person = makePerson(world);
      await person.enroll();
      const asked = await sendTo(world, httpPayment('c3', 150));
      assert.equal(asked.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(asked.status));
      await person.decide(saidBy(asked)['countersign.approval'].id);
      const done = await ended(asked.id, 'TASK_STATE_COMPLETED');
      assert.match(artifactOf(done, 'httpPaymentResult').send.header.value, /^Payment [\w-]+$/);
    });

    test('what a server asks for, and the person denies, is rejected', async () => {
      const person = makePerson(world);
      await person.enroll();
      const asked = await sendTo(world, httpPayment('c4', 151));
      await person.decide(saidBy(asked)['countersign.approval'].id, 'deny');
      assert.equal((await get(asked.id)).status.state, 'TASK_STATE_REJECTED');
    });
  });
}

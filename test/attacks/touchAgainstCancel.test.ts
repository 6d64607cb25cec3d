/** Touch and withdrawal, two touches, yes and no at the same moment: a task has one end, and money moves at most once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import type { Peer } from '../support/peer.ts';
import { makePerson, type Person } from '../support/person.ts';
import { rounds } from '../support/rounds.ts';
import { callStandard, resultOf, saidBy, sendTo, streamFrom, taskMessage } from '../support/standardPeer.ts';
import { until } from '../support/until.ts';
import { type Loose, makeWorld, type World } from '../support/world.ts';

const ENDS = ['TASK_STATE_COMPLETED', 'TASK_STATE_CANCELED', 'TASK_STATE_REJECTED', 'TASK_STATE_FAILED'];

for (const engine of everyEngine()) {
  describe(`a purchase that waits for the person on ${engine.name}`, () => {
    let world: World;
    let person: Person;
    before(async () => {
      world = await makeWorld(engine);
      person = makePerson(world);
    });
    after(() => world.close());

    interface Waiting {
      readonly agent: Peer;
      readonly id: string;
      readonly approvalId: string;
    }

    async function waiting(): Promise<Waiting> {
      const agent = await world.newAgent();
      await person.enroll(agent);
      const begun = await sendTo(world, { 'countersign.purchase': { intent: world.intentBody(180, { agent }) } });
      const cart = { 'countersign.purchase': { cartVc: world.cart(150) } };
      const task = await sendTo(world, cart, { taskId: begun.id });
      assert.equal(task.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(task.status));
      return { agent, id: task.id, approvalId: saidBy(task)['countersign.approval'].id };
    }

    const get = (id: string) => resultOf(world, 'GetTask', { id });
    const cancel = (id: string) => callStandard(world, 'CancelTask', { id });

    /** Waits for the end of a task, which every subscriber is told of once, and which nothing changes any more. */
    async function endOf({ agent, id }: Waiting, follower: Awaited<ReturnType<typeof streamFrom>>): Promise<string> {
      await until('an end', async () => ENDS.includes((await get(id)).status.state));
      await follower.ended;
      const told = follower.events
        .map((event) => event.statusUpdate?.status.state)
        .filter((state) => ENDS.includes(state));
      const { state } = (await get(id)).status;
      assert.deepEqual(told, [state]);
      const payments = await world.rest('GET', `/ap2/payments?agentDid=${encodeURIComponent(agent.did)}`);
      const paid = payments.body.data.map(({ status }: Loose) => status);
      assert.deepEqual(paid, state === 'TASK_STATE_COMPLETED' ? ['AUTHORIZED'] : [], state);
      const intents = await world.rest('GET', `/ap2/intents?agentDid=${encodeURIComponent(agent.did)}`);
      const expected = state === 'TASK_STATE_COMPLETED' ? 'USED' : 'EXPIRED';
      assert.deepEqual(
        intents.body.data.map(({ status }: Loose) => status),
        [expected],
        state,
      );
      const late = await cancel(id);
      if (state === 'TASK_STATE_CANCELED') assert.equal(late.body.result.status.state, state);
      else assert.equal(late.body.error.code, -32002);
      assert.equal((await get(id)).status.state, state);
      return state;
    }

    const followed = (id: string) => streamFrom(world.node.address, 'SubscribeToTask', { id });

    test('is paid or withdrawn, and never both, when touch and withdrawal come at once', async () => {
      const seen = new Set<string>();
      for (let round = 0; round < rounds(30, 6); round += 1) {
        const purchase = await waiting();
        const follower = await followed(purchase.id);
        const begun = await person.begin(purchase.approvalId);
        const touch = () => person.complete(purchase.approvalId, begun);
        const both = round % 2 === 0 ? [touch(), cancel(purchase.id)] : [cancel(purchase.id), touch()];
        await Promise.all(both);
        seen.add(await endOf(purchase, follower));
      }
      for (const state of seen) assert.ok(['TASK_STATE_COMPLETED', 'TASK_STATE_CANCELED'].includes(state), state);
    });

    test('is paid once by several touches at once', async () => {
      for (let round = 0; round < rounds(10, 2); round += 1) {
        const purchase = await waiting();
        const follower = await followed(purchase.id);
        const begun = await Promise.all([0, 1, 2, 3].map(() => person.begin(purchase.approvalId)));
        const touches = await Promise.all(begun.map((each) => person.complete(purchase.approvalId, each)));
        assert.ok(touches.every(({ status }) => status < 500));
        assert.equal(await endOf(purchase, follower), 'TASK_STATE_COMPLETED');
      }
    });

    test('is paid once when its agent sends the proof of presence itself, many times at once', async () => {
      for (let round = 0; round < rounds(10, 2); round += 1) {
        const purchase = await waiting();
        const follower = await followed(purchase.id);
        assert.equal((await person.decide(purchase.approvalId)).status, 200);
        const { hpProof } = (await world.rest('GET', `/ap2/approvals/${purchase.approvalId}`)).body;
        const sent = await Promise.all(
          Array.from({ length: 8 }, () => {
            const data = { 'countersign.cart': { hpProof } };
            return callStandard(world, 'SendMessage', { message: taskMessage(data, { taskId: purchase.id }) });
          }),
        );
        assert.ok(sent.every(({ status }) => status === 200));
        assert.equal(await endOf(purchase, follower), 'TASK_STATE_COMPLETED');
      }
    });

    test('has one end when yes and no come at once', async () => {
      for (let round = 0; round < rounds(20, 4); round += 1) {
        const purchase = await waiting();
        const follower = await followed(purchase.id);
        const yes = await person.begin(purchase.approvalId);
        const no = await person.begin(purchase.approvalId, 'deny');
        await Promise.all([person.complete(purchase.approvalId, yes), person.complete(purchase.approvalId, no)]);
        const state = await endOf(purchase, follower);
        assert.ok(['TASK_STATE_COMPLETED', 'TASK_STATE_REJECTED'].includes(state), state);
      }
    });

    test('is withdrawn once by many withdrawals at once', async () => {
      const purchase = await waiting();
      const follower = await followed(purchase.id);
      const answers = await Promise.all(Array.from({ length: 10 }, () => cancel(purchase.id)));
      assert.ok(answers.every(({ body }) => body.result?.status.state === 'TASK_STATE_CANCELED'));
      assert.equal(await endOf(purchase, follower), 'TASK_STATE_CANCELED');
    });
  });
}

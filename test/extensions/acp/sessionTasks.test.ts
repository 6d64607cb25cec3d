/** A checkout session of ACP as a task of standard A2A: paid, by an intent, refused, and by the person's touch. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { artifactOf, resultOf, saidBy, sendTo, signedMessage, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { makeWorld, type World } from '../../support/world.ts';
import { sessionOf } from './acpShop.ts';

const SHOP = 'tea.example';

for (const engine of everyEngine()) {
  describe(`a session of ACP as a task, ${engine.name}`, () => {
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
    });
    after(() => world.close());

    const part = (id: string, more: object = {}, session: object = {}) => ({
      'countersign.acpSession': {
        agentDid: world.agent.did,
        merchantDomain: SHOP,
        session: sessionOf(id, session),
        ...more,
      },
    });
    const totalOf = (amount: number) => ({ totals: [{ type: 'total', display_text: 'Total', amount }] });

    test('is completed with the token, which its payment has', async () => {
      const task = await sendTo(world, part('cs_1'));
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task.status));
      const { protocol, mandateId, paymentData } = artifactOf(task, 'httpPaymentResult');
      assert.deepEqual([protocol, paymentData.instrument.credential.type], ['acp', 'spt']);
      assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'AUTHORIZED');
      const again = await sendTo(world, part('cs_1'));
      assert.deepEqual(artifactOf(again, 'httpPaymentResult').paymentData, paymentData);
    });

    test('of a message that its agent signed names no agent, with an intent and without', async () => {
      const issued = await world.rest('POST', '/ap2/intents', world.intentBody(40, { domain: SHOP }));
      const { mandateId: intentId } = issued.body.intentVc.credentialSubject;
      for (const more of [{}, { intentId }]) {
        const body = { merchantDomain: SHOP, session: sessionOf(`cs_signed_${Object.keys(more).length}`), ...more };
        const message = signedMessage(world, world.agent, taskMessage({ 'countersign.acpSession': body }), new Date());
        const { task } = await resultOf(world, 'SendMessage', { message }, {});
        assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task.status));
      }
    });

    test('over the cap is rejected, and one that is no session is told at its place', async () => {
      const task = await sendTo(world, part('cs_2', {}, totalOf(90_000)));
      assert.equal(task.status.state, 'TASK_STATE_REJECTED', JSON.stringify(task.status));
      assert.deepEqual(saidBy(task)['countersign.refusal'].reasonCodes, ['AMOUNT_OVER_CAP']);
      await assert.rejects(sendTo(world, part('cs_3', { session: 7 })), /acpSession\.session/);
    });

    test('waits for the person, and is paid by the touch', async () => {
      const person = makePerson(world);
      await person.enroll();
      const asked = await sendTo(world, part('cs_4', {}, totalOf(15_000)));
      assert.equal(asked.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(asked.status));
      await person.decide(saidBy(asked)['countersign.approval'].id);
      const get = () => resultOf(world, 'GetTask', { id: asked.id });
      await until('the task being completed', async () => (await get()).status.state === 'TASK_STATE_COMPLETED');
      assert.equal(artifactOf(await get(), 'httpPaymentResult').paymentData.instrument.credential.type, 'spt');
    });
  });
}

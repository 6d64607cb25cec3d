/** Chains of mandates of AP2 v0.2 in data parts of A2A: exchanged for an approval token, paid with it, and asked of the person. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { IntentParties } from '../../support/intents.ts';
import { MandateParties, referenceOf } from '../../support/mandates.ts';
import { makePerson } from '../../support/person.ts';
import { artifactOf, callStandard, resultOf, saidBy, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const CHAIN = 'ap2.mandates.PaymentMandateSdJwt';

for (const engine of everyEngine()) {
  describe(`chains of mandates in data parts, ${engine.name}`, () => {
    const parties = new MandateParties(Date.now);
    const intents = new IntentParties(Date.now);
    let world: World;
    before(async () => {
      world = await makeWorld(engine);
      const { jwk } = parties.provider;
      await world.rest('POST', '/ap2/admin/mandate-issuers', { name: 'P', kind: 'agent-provider', jwk });
      await world.rest('POST', '/ap2/admin/mandate-issuers', intents.issuerKey);
      const rules = { version: '2.0', spend: { amount_cap: 100, presence_cap: 200, currency: 'USD' } };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', { name: 'ap2', rules })).status, 201);
    });
    after(() => world.close());

    const partsOf = ({ paymentMandate, ...about }: Loose) => ({
      [CHAIN]: paymentMandate,
      'countersign.about': { agentDid: world.agent.did, ...about },
    });

    test('a chain gives an approval token, and its payment a receipt', async () => {
      const body = parties.close(parties.open());
      const task = await sendTo(world, partsOf(body));
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task.status));
      const { approvalToken, reference } = artifactOf(task, 'cartResult');
      assert.equal(reference, referenceOf(body.paymentMandate));
      const paid = await sendTo(world, { 'countersign.payment': { approvalToken } });
      const { paymentReceipt } = artifactOf(paid, 'paymentResult');
      assert.equal(paymentReceipt.split('.').length, 3);
      const data = paid.artifacts[0].parts.flatMap((part: Loose) => part.data ?? []);
      assert.deepEqual(data.slice(1), [{ 'ap2.PaymentReceipt': paymentReceipt }]);
      const again = await sendTo(world, partsOf(body));
      assert.deepEqual(saidBy(again)['countersign.refusal'].reasonCodes, ['MANDATE_USED']);
    });

    const intentParts = ({ verifiableIntent, ...about }: Loose) => ({
      'countersign.verifiableIntent': verifiableIntent,
      'countersign.about': { agentDid: world.agent.did, ...about },
    });

    test('layers of Verifiable Intent give an approval token, once', async () => {
      const body = intents.close(intents.delegate());
      const task = await sendTo(world, intentParts(body));
      assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task.status));
      const { approvalToken, reference } = artifactOf(task, 'cartResult');
      assert.equal(reference, referenceOf(body.verifiableIntent.l3Payment));
      const paid = await sendTo(world, { 'countersign.payment': { approvalToken } });
      assert.equal(artifactOf(paid, 'paymentResult').paymentReceipt.split('.').length, 3);
      const again = await sendTo(world, intentParts(body));
      assert.deepEqual(saidBy(again)['countersign.refusal'].reasonCodes, ['MANDATE_USED']);
    });

    test('where only the person is missing, the node goes on by itself once they have touched', async () => {
      const person = makePerson(world);
      await person.enroll();
      const waiting = await sendTo(world, partsOf(parties.close(parties.open(), { amount: 15_000 })));
      assert.equal(waiting.status.state, 'TASK_STATE_AUTH_REQUIRED', JSON.stringify(waiting.status));
      const { id } = saidBy(waiting)['countersign.approval'];
      await person.decide(id);
      const state = async () => (await resultOf(world, 'GetTask', { id: waiting.id })).status.state;
      await until('the task to end', async () => (await state()) === 'TASK_STATE_COMPLETED');
    });

    test('a text that is no chain, a chain without a nonce, and a chain beside layers of Verifiable Intent begin no task', async () => {
      const both = { ...partsOf(parties.close(parties.open())), ...intentParts(intents.immediate()) };
      for (const data of [
        partsOf({ paymentMandate: 'x', nonce: 'n', checkoutJwtHash: 'h' }),
        { [CHAIN]: 'x' },
        { 'countersign.verifiableIntent': { l1: 'x' } },
        both,
      ]) {
        const { body } = await callStandard(world, 'SendMessage', { message: taskMessage(data) });
        assert.equal(body.error.code, -32602, JSON.stringify(body));
      }
    });
  });
}

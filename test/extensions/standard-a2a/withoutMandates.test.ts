/** Tasks of a node that mandates are switched off at: what is of them begins nothing, and what waits for them waits on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findTask } from '../../../src/store/statements/purchases/tasks.ts';
import { cartContents, intentMandate, makeAp2Merchant } from '../../support/ap2.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson } from '../../support/person.ts';
import { callStandard, resultOf, saidBy, sendTo, taskMessage } from '../../support/standardPeer.ts';
import { until } from '../../support/until.ts';
import { makeWorld, SHOP } from '../../support/world.ts';

const WITHOUT = { EXTENSIONS: 'sandbox-rail,standard-a2a' };
const ALL = { EXTENSIONS: '' };
const INTENT = 'ap2.mandates.IntentMandate';
const CART = 'ap2.mandates.CartMandate';

for (const engine of everyEngine()) {
  test(`a cart of AP2 that a person approves while mandates are off is approved once they are on again, on ${engine.name}`, async () => {
    const world = await makeWorld(engine);
    try {
      const shop = await makeAp2Merchant('ES256');
      assert.equal((await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk })).status, 201);
      const context = { presence: 'optional', presence_threshold: 10 };
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context };
      await world.rest('POST', '/ap2/admin/policies', { name: 'asks', rules });
      const person = makePerson(world);
      await person.enroll();
      const about = { 'countersign.about': { agentDid: world.agent.did, principalDid: world.principal.did } };
      const contextId = 'ap2-off';
      const alone = { user_cart_confirmation_required: false };
      const intent = { [INTENT]: intentMandate(alone), ...about };
      assert.equal((await sendTo(world, intent, { contextId })).status.state, 'TASK_STATE_COMPLETED');
      const cartMandate = await shop.sign(cartContents([['Shoes', 50]], 50));
      const waiting = await sendTo(world, { [CART]: cartMandate }, { contextId });
      const { approval } = saidBy(waiting)['countersign.approval'] ?? {};
      const approvalId =
        approval?.id ?? String((await world.rest('GET', '/ap2/approvals?status=pending')).body.data[0].id);

      await world.restart(WITHOUT);
      assert.equal((await person.decide(approvalId, 'approve')).status, 200);
      const stored = () => world.node.deps.store.read(() => findTask(world.node.tenantId, waiting.id));
      await until('the worker has looked at it', async () => Number((await stored())?.due_at) > Date.now());
      const state = (await resultOf(world, 'GetTask', { id: waiting.id })).status.state;
      assert.equal(state, 'TASK_STATE_WORKING', 'it waits for what would go on with it');
      const begun = await callStandard(world, 'SendMessage', { message: taskMessage(intent, { contextId }) });
      assert.match(begun.body.error.message, /of an extension that this node runs without/);
      const again = { message: taskMessage({ 'countersign.cart': { hpProof: {} } }, { taskId: waiting.id }) };
      const { status } = await callStandard(world, 'SendMessage', again);
      assert.ok(status < 500);

      await world.restart(ALL);
      world.clock.aheadMs += 61_000;
      await until('the cart is approved', async () => {
        const { status } = await resultOf(world, 'GetTask', { id: waiting.id });
        return status.state === 'TASK_STATE_COMPLETED';
      });
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
    } finally {
      await world.close();
    }
  });
}

/** Evidence of a dispute goes to Stripe: staged for a person to look at, and submitted by an owner alone, once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { makeWorld, type World } from '../../support/world.ts';

describe('evidence of a dispute at Stripe', () => {
  let world: World;
  let stripe: StripeDouble;
  before(async () => {
    stripe = await startStripe();
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], stripe.env());
    stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
  });
  after(async () => {
    await stripe.close();
    await world.close();
  });

  const disputed = async () => {
    const mandateId = mandateIdOf(await purchase(world, 20, { agent: await world.newAgent() }));
    await world.rest('POST', `/ap2/payments/${mandateId}/capture`);
    await stripe.webhooks.settled();
    const { railTransactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const { id: railDisputeId, update } = stripe.dispute(String(railTransactionId));
    await stripe.webhooks.settled();
    const { disputes } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    return { mandateId, railDisputeId, update, id: String(disputes[0].id) };
  };
  const answer = (id: string, body: object) => world.rest('POST', `/ap2/disputes/${id}/evidence`, body);

  test('is staged as often as one likes, and says what was bought, decided and done', async () => {
    const { id, mandateId, railDisputeId } = await disputed();
    for (const body of [{}, { submit: false }]) {
      const { status, text } = await answer(id, body);
      assert.equal(status, 200, text);
    }
    const { evidence, isSubmitted } = stripe.disputes.given.get(railDisputeId) as NonNullable<
      ReturnType<typeof stripe.disputes.given.get>
    >;
    assert.equal(isSubmitted, false);
    assert.match(String(evidence['product_description']), /20\.00 USD, at /);
    assert.match(String(evidence['access_activity_log']), /INTENT_ISSUED\n.*CART_VALIDATED\n/);
    assert.match(String(evidence['uncategorized_text']), /The policy asked no person\./);
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
    assert.ok(!events.some(({ eventType }: { eventType: string }) => eventType === 'PAYMENT_DISPUTE_SUBMITTED'));
  });

  const submissionsOf = async (mandateId: string) => {
    const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
    const { events } = (await world.rest('GET', `/ap2/evidence/bundle/${transactionId}`)).body;
    return events.filter(({ eventType }: { eventType: string }) => eventType === 'PAYMENT_DISPUTE_SUBMITTED');
  };

  test('is submitted once, and that is recorded', async () => {
    const { id, mandateId, railDisputeId, update } = await disputed();
    assert.equal((await answer(id, { submit: true })).status, 200);
    assert.equal(stripe.disputes.given.get(railDisputeId)?.isSubmitted, true);
    const again = await answer(id, { submit: true });
    assert.deepEqual([again.status, again.body.error.code], [409, 'CONFLICT']);
    assert.match(again.body.error.message, /already submitted/);
    update('under_review');
    await stripe.webhooks.settled();
    const [record, ...more] = await submissionsOf(mandateId);
    assert.deepEqual([record.data.by.kind, more.length], ['key', 0], JSON.stringify(record));
  });

  test('is recorded by a notice of Stripe, for whom it was submitted, where the answer was lost', async () => {
    const { id, mandateId, update } = await disputed();
    stripe.faultOf = ({ path }) => (path.startsWith('/v1/disputes/') ? 'truncated' : undefined);
    const { status } = await answer(id, { submit: true });
    stripe.faultOf = () => undefined;
    assert.equal(status, 503);
    assert.equal((await submissionsOf(mandateId)).length, 0);
    update('under_review');
    await stripe.webhooks.settled();
    const [record, ...more] = await submissionsOf(mandateId);
    const { by, note } = record.data;
    assert.deepEqual([by.kind, note, more.length], ['key', 'Submitted by the node to CARD_RAIL.', 0]);
    assert.equal((await answer(id, { submit: true })).status, 409);
    assert.equal((await submissionsOf(mandateId)).length, 1);
  });

  test('that a person submitted in the dashboard is recorded as the word of the rail', async () => {
    const { id, mandateId, railDisputeId, update } = await disputed();
    assert.equal((await answer(id, {})).status, 200);
    update('needs_response');
    await stripe.webhooks.settled();
    assert.equal((await submissionsOf(mandateId)).length, 0, 'it is staged alone');
    stripe.disputes.answer(railDisputeId, { evidence: {}, submit: 'true' });
    update('under_review');
    await stripe.webhooks.settled();
    const [record, ...more] = await submissionsOf(mandateId);
    assert.deepEqual([record.data.by, more.length], [undefined, 0]);
    assert.match(record.data.note, /CARD_RAIL says/);
  });

  test('is submitted by no key that another key made, and stays as it was', async () => {
    const { id, railDisputeId } = await disputed();
    const made = await world.rest('POST', '/ap2/admin/api-keys', {
      name: 'Helper',
      permissions: ['read', 'write', 'admin'],
    });
    assert.equal(made.status, 201, made.text);
    const refused = await world.rest(
      'POST',
      `/ap2/disputes/${id}/evidence`,
      { submit: true },
      { Authorization: `Bearer ${made.body.key}` },
    );
    assert.equal(refused.status, 403, refused.text);
    assert.deepEqual(stripe.disputes.given.get(railDisputeId), { evidence: {}, isSubmitted: false });
  });

  test('is UNAVAILABLE while Stripe does not answer, and there is none for a dispute that is not there', async () => {
    const { id } = await disputed();
    stripe.down = true;
    const { status } = await answer(id, {});
    stripe.down = false;
    assert.equal(status, 503);
    assert.equal((await answer('dsp_none', {})).status, 404);
  });
});

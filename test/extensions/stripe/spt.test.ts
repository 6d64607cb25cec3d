/** Shared payment tokens: ours in the sandbox, issued by Stripe where its account may; ended once, by signed news only. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { mandateIdOf, purchase } from '../../support/purchase.ts';
import { type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, SHOP, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  for (const maker of ['sandbox', 'stripe'] as const) {
    describe(`shared payment tokens by the ${maker} on ${engine.name}`, () => {
      let world: World;
      let stripe: StripeDouble;
      before(async () => {
        stripe = await startStripe();
        world = await makeWorld(engine, { ...stripe.env(), STRIPE_SPT: String(maker === 'stripe') });
        stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
        const bound = { domain: 'books.example', did: world.merchant.did, railProfileId: 'profile_test_books' };
        assert.equal((await world.rest('POST', '/ap2/admin/merchants', bound)).status, 201);
      });
      after(async () => {
        await stripe.close();
        await world.close();
      });

      const create = (more: object = {}) =>
        world.rest('POST', '/admin/spt', { merchantDomain: 'books.example', amount: 50, currency: 'USD', ...more });
      const get = async (id: string) => (await world.rest('GET', `/admin/spt/${id}`)).body;
      const evidence = async (id: string): Promise<string[]> => {
        const { body } = await world.rest('GET', '/ap2/evidence/export');
        return body.events.filter((one: Loose) => one.data.tokenId === id).map((one: Loose) => one.eventType);
      };
      const used = (id: string, railId = 'pi_seller') => ({
        type: 'shared_payment.issued_token.used',
        data: { id, payment_intent: railId },
      });

      test('are created with their limits, and linked to mandates that exist', async () => {
        const paid = await purchase(world, 10);
        const record = (await world.rest('GET', `/ap2/payments/${mandateIdOf(paid)}`)).body;
        const { cartHash } = record.pmVc.credentialSubject;
        const mandate = { intentId: record.intentId, cartId: cartHash, paymentId: record.mandateId };
        const created = await create({ mandate, expiresIn: 60 });
        assert.equal(created.status, 201, created.text);
        const { id, status, createdAt, expiresAt } = created.body;
        assert.match(id, /^spt_[0-9a-z]{26}$/);
        assert.equal(status, 'ACTIVE');
        assert.equal(Date.parse(expiresAt) - Date.parse(createdAt), 60_000);
        assert.deepEqual(created.body.mandate, mandate);
        const bundle = await world.rest('GET', `/ap2/evidence/bundle/${record.transactionId}`);
        assert.equal(bundle.body.events.at(-1).eventType, 'SPT_CREATED');
        for (const wrong of [{ intentId: 'intent_x' }, { cartId: 'sha256:x' }, { paymentId: 'pm_x' }]) {
          assert.equal((await create({ mandate: wrong })).status, 404);
        }
        assert.equal((await create()).body.expiresAt.length, 24);
        const token = stripe.tokens.tokens.get(created.body.railTokenId);
        assert.equal(token?.usage_limits.max_amount, maker === 'stripe' ? 5000 : undefined);
        assert.equal(token?.seller_details.external_id, maker === 'stripe' ? 'books.example' : undefined);
      });

      test('are made once for one idempotency key', async () => {
        const first = await create({ idempotencyKey: 'token-1' });
        const made = stripe.tokens.tokens.size;
        assert.equal((await create({ idempotencyKey: 'token-1' })).text, first.text);
        assert.equal((await create({ idempotencyKey: 'token-1', amount: 51 })).status, 409);
        assert.equal(stripe.tokens.tokens.size, made);
      });

      test('are used by the signed notification, once; a replay and a forgery change nothing', async () => {
        const { id, railTokenId } = (await create()).body;
        assert.equal(await stripe.webhooks.post(used(id), { secret: 'whsec_somebodyElses' }), 400);
        assert.equal(await stripe.webhooks.post(used(id), { at: Math.floor(Date.now() / 1000) - 600 }), 400);
        assert.equal((await get(id)).status, 'ACTIVE');
        assert.equal(await stripe.webhooks.post(used(railTokenId ?? id)), 200);
        const token = await get(id);
        assert.equal(token.status, 'USED');
        assert.equal(token.railTransactionId, 'pi_seller');
        assert.ok(token.usedAt);
        assert.equal(await stripe.webhooks.post(used(id)), 200);
        assert.deepEqual(await get(id), token);
        assert.deepEqual(await evidence(id), ['SPT_CREATED', 'SPT_USED']);
        assert.equal(await stripe.webhooks.post(used(id, 'pi_another')), 200);
        assert.deepEqual(await get(id), token, 'single use');
        assert.deepEqual(await evidence(id), ['SPT_CREATED', 'SPT_USED', 'SPT_USE_IGNORED']);
        assert.equal((await world.rest('POST', `/admin/spt/${id}/revoke`)).status, 409);
      });

      test('expire by the sweeper, and a use after that is recorded and changes nothing', async () => {
        const { id } = (await create({ expiresIn: 1 })).body;
        await until('the expiry', async () => (await evidence(id)).includes('SPT_EXPIRED'));
        assert.equal((await get(id)).status, 'EXPIRED');
        assert.equal(await stripe.webhooks.post(used(id)), 200);
        assert.equal((await get(id)).status, 'EXPIRED');
        assert.deepEqual(await evidence(id), ['SPT_CREATED', 'SPT_EXPIRED', 'SPT_USE_IGNORED']);
      });

      test('are revoked, at the rail too', async () => {
        const { id, railTokenId } = (await create()).body;
        const revoked = await world.rest('POST', `/admin/spt/${id}/revoke`);
        assert.equal(revoked.body.status, 'REVOKED', revoked.text);
        assert.equal((await world.rest('POST', `/admin/spt/${id}/revoke`)).status, 409);
        assert.equal((await world.rest('POST', '/admin/spt/spt_x/revoke')).status, 404);
        if (railTokenId !== undefined) assert.equal(stripe.tokens.tokens.get(railTokenId)?.status, 'deactivated');
        await stripe.webhooks.settled();
        assert.equal(await stripe.webhooks.post(used(id)), 200);
        assert.deepEqual(await evidence(id), ['SPT_CREATED', 'SPT_REVOKED', 'SPT_USE_IGNORED']);
      });

      test('are listed by status and counted, with their amounts', async () => {
        await create({ merchantDomain: 'books.example', amount: 7, currency: 'JPY' });
        const { body: overview } = await world.rest('GET', '/admin/spt/stats/overview');
        let total = 0;
        for (const status of ['ACTIVE', 'USED', 'EXPIRED', 'REVOKED']) {
          const { body } = await world.rest('GET', `/admin/spt?status=${status}&limit=200`);
          assert.ok(body.data.length > 0 && body.data.every((one: Loose) => one.status === status), status);
          assert.equal(overview[status.toLowerCase()], body.data.length);
          const dollars = body.data.filter((one: Loose) => one.currency === 'USD').length * 50;
          assert.equal(overview.amounts.USD[status.toLowerCase()], dollars);
          total += body.data.length;
        }
        assert.equal(overview.total, total);
        assert.equal(overview.amounts.JPY.total, 7);
        const first = await world.rest('GET', '/admin/spt?limit=2');
        assert.equal(first.body.data.length, 2);
        const next = await world.rest('GET', `/admin/spt?limit=2&cursor=${first.body.cursor}`);
        assert.ok(next.body.data[0].id < first.body.data[1].id);
      });

      if (maker === 'stripe') {
        test('end as Stripe says they ended', async () => {
          const tokens = await Promise.all([create(), create(), create()]);
          const [consumed, expired, revoked] = tokens.map(({ body }) => body) as [Loose, Loose, Loose];
          stripe.tokens.use(consumed.railTokenId, 'pi_theirs');
          stripe.tokens.deactivate(expired.railTokenId, 'expired');
          stripe.tokens.deactivate(revoked.railTokenId, 'revoked');
          await stripe.webhooks.settled();
          const standing = await Promise.all(
            [consumed, expired, revoked].map(async ({ id }) => (await get(id)).status),
          );
          assert.deepEqual(standing, ['USED', 'EXPIRED', 'REVOKED']);
          assert.deepEqual(await evidence(consumed.id), ['SPT_CREATED', 'SPT_USED']);
        });

        test('are refused in plain words where the account may not issue them, or the seller is not known', async () => {
          const unknown = await create({ merchantDomain: SHOP });
          assert.equal(unknown.status, 409);
          assert.match(unknown.body.error.message, /railProfileId/);
          stripe.tokens.enabled = false;
          const refused = await create();
          stripe.tokens.enabled = true;
          assert.equal(refused.status, 503);
          assert.match(refused.body.error.message, /may not issue shared payment tokens/);
          stripe.down = true;
          const silent = await create();
          stripe.down = false;
          assert.equal(silent.status, 503);
        });
      }
    });
  }
}

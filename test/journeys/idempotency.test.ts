/** The same request sent again is told the same, byte for byte: at once, after a restart, on either engine. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { allOperations, allRoutes } from '../../src/extensions/nodeOperations.ts';
import type { Rail } from '../../src/rails/rail.ts';
import type { UseCase } from '../../src/usecase/useCase.ts';
import { sessionOf } from '../extensions/acp/acpShop.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';
import { MandateParties } from '../support/mandates.ts';
import { mppChallenge } from '../support/mppChallenge.ts';
import { makeCartOfOne, makePeer } from '../support/peer.ts';
import { ucpBusiness } from '../support/ucpBusiness.ts';
import { type Loose, SHOP } from '../support/world.ts';

const RULES = {
  version: '2.0',
  spend: { amount_cap: 500, currency: 'USD' },
  rails: { allow: ['CARD_RAIL', 'SPT_RAIL', 'EXTERNAL_RAIL'] },
};

interface Sent {
  readonly useCase: string;
  readonly method: string;
  readonly path: string;
  readonly body: Loose;
  readonly status: number;
  readonly text: string;
}

/** Bodies that are closed take no member of another name. */
const CHANGES: Readonly<Record<string, object>> = {
  createApiKey: { name: 'another' },
  createPolicy: { name: 'another' },
  createWebhook: { events: ['agent.revoked'] },
  registerAgent: { name: 'another' },
  registerDelegation: { principalDid: 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK' },
  rotateWebhookSecret: { secret: 'another secret' },
  updatePolicy: { name: 'another' },
};

for (const engine of everyEngine()) {
  describe(`idempotent requests on ${engine.name}`, () => {
    let lives: Lives;
    const sent: Sent[] = [];
    const [agent, merchant] = [makePeer(), makePeer()];
    before(async () => {
      lives = await makeLives(engine, { BASE_URL: 'http://localhost:8402' });
    });
    after(() => lives.close());
    const ask: Lives['ask'] = (...given) => lives.ask(...given);

    /** Sends a request under a key of its own, keeps it, and returns the answer's body. */
    async function keep(useCase: string, parameters: Record<string, string>, body: Loose): Promise<Loose> {
      const route = allRoutes.find((row) => row.useCase === useCase);
      assert.ok(route, useCase);
      const path = route.path.replace(/:(\w+)/g, (_, name: string) => encodeURIComponent(parameters[name] ?? ''));
      const answer = await ask(route.method, path, body, { 'Idempotency-Key': `key of ${useCase}` });
      assert.ok(answer.status < 300, `${useCase}: ${answer.text}`);
      sent.push({ useCase, method: route.method, path, body, ...answer });
      return JSON.parse(answer.text);
    }

    const cartOf = (amount: number) => makeCartOfOne(merchant, SHOP, amount);
    const intentOf = (amount: number) => ({
      agentDid: agent.did,
      principalDid: agent.did,
      request: { maxAmount: amount, currency: 'USD', vendorHints: { domain: SHOP } },
    });

    test('every operation that takes a key is asked once', async () => {
      await keep('registerAgent', {}, { name: 'a', publicKey: agent.publicKey });
      const policy = await keep('createPolicy', {}, { name: 'p', rules: RULES });
      await keep('updatePolicy', { id: policy.id }, { name: 'p', rules: RULES });
      await ask('POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
      const intent = await keep('issueIntent', {}, intentOf(40));
      const demo = await ask('POST', '/ap2/demo/cart/ap2', { domain: SHOP, amount: 40, currency: 'USD' });
      const { mandateId: intentId } = intent.intentVc.credentialSubject;
      await keep('validateAp2Cart', {}, { intentId, ...JSON.parse(demo.text) });
      const cart = await keep('validateCart', {}, { intentVc: intent.intentVc, cartVc: cartOf(40) });
      assert.equal(cart.allowed, true);
      const shop = await ucpBusiness(SHOP);
      await ask('POST', '/ap2/admin/merchants', { domain: SHOP, jwk: shop.jwk });
      const another = JSON.parse((await ask('POST', '/ap2/intents', intentOf(60))).text);
      const checkout = await keep(
        'validateUcpCheckout',
        {},
        {
          intentId: another.intentVc.credentialSubject.mandateId,
          merchantDomain: SHOP,
          checkout: await shop.checkout(),
        },
      );
      const paid = await keep('mandatePayment', {}, { approvalToken: checkout.approvalToken });
      assert.ok(paid.ucp, 'with mandates, which are the same each time');
      const { mandateId } = paid.pmVc.credentialSubject;
      await keep('capturePayment', { mandateId }, { amount: 30 });
      await keep('refundPayment', { mandateId }, { amount: 10 });
      const signed = { mandateId, method: 'GET', url: `https://${SHOP}/`, profile: 'web-bot-auth' };
      await keep('signHttpRequest', {}, signed);
      const other = JSON.parse((await ask('POST', '/ap2/intents', intentOf(20))).text);
      const approved = await ask('POST', '/ap2/carts/validate', { intentVc: other.intentVc, cartVc: cartOf(20) });
      const { approvalToken } = JSON.parse(approved.text);
      const second = JSON.parse((await ask('POST', '/ap2/payments/mandate', { approvalToken })).text);
      await keep('cancelPayment', { mandateId: second.pmVc.credentialSubject.mandateId }, {});
      const webhook = await keep('createWebhook', {}, { url: 'https://hooks.example/x', events: ['agent.created'] });
      await keep('rotateWebhookSecret', { id: webhook.id }, {});
      await keep('createApiKey', {}, { name: 'k', permissions: ['read'] });
      const url = 'https://reports.example/report';
      const challenges = [mppChallenge({ id: 'c1' })];
      await keep('authorizeHttpPayment', {}, { agentDid: agent.did, url, challenges });
      const elsewhere = { agentDid: agent.did, merchant: 'tea.example', channel: 'card' };
      const reserved = { ...elsewhere, currency: 'USD' };
      await keep('reserveExternally', {}, { ...reserved, amount: 5 });
      const held = async (amount: number): Promise<string> => {
        const body = { ...reserved, amount, idempotencyKey: `held-${amount}` };
        const { text } = await ask('POST', '/ap2/external/reservations', body);
        const { allowed, mandateId: made } = JSON.parse(text);
        assert.equal(allowed, true, text);
        return made;
      };
      await keep('commitReservation', { mandateId: await held(6) }, { evidence: { kind: 'none' } });
      await keep('releaseReservation', { mandateId: await held(7) }, { reason: 'declined' });
      const acp = { agentDid: agent.did, merchantDomain: 'tea.example', session: sessionOf('cs_1') };
      await keep('validateAcpSession', {}, acp);
      await keep('createSpt', {}, { merchantDomain: SHOP, amount: 10, currency: 'USD' });

      const parties = new MandateParties(() => Date.now());
      await ask('POST', '/ap2/admin/mandate-issuers', {
        name: 'provider',
        kind: 'agent-provider',
        jwk: parties.provider.jwk,
      });
      const chain = parties.close(parties.open(), { amount: 1000 });
      await keep('issuePaymentCredential', {}, { ...chain, agentDid: agent.did });
      await keep('registerDelegation', {}, { token: parties.open(), agentDid: agent.did });

      const takeKeys = Object.entries(allOperations as Record<string, UseCase>).filter(
        ([, { idempotent }]) => idempotent,
      );
      assert.deepEqual(sent.map(({ useCase }) => useCase).sort(), takeKeys.map(([name]) => name).sort());
    });

    const again = async () => {
      for (const { useCase, method, path, body, status, text } of sent) {
        const answer = await ask(method, path, body, { 'Idempotency-Key': `key of ${useCase}` });
        assert.deepEqual(answer, { status, text }, useCase);
      }
    };
    const events = async (): Promise<number> => JSON.parse((await ask('GET', '/ap2/evidence/verify')).text).toSeq;

    test('asked again, each answers the same bytes and does nothing', async () => {
      const before = await events();
      await again();
      assert.equal(await events(), before);
    });

    test('asked again after a restart, each answers the same bytes, secrets included', async () => {
      const before = await events();
      await lives.stop();
      await lives.start();
      await again();
      assert.equal(await events(), before);
    });

    test('another request under a key that was used is a conflict', async () => {
      for (const { useCase, method, path, body } of sent) {
        const changed = { ...body, ...(CHANGES[useCase] ?? { more: 1 }) };
        const answer = await ask(method, path, changed, { 'Idempotency-Key': `key of ${useCase}` });
        assert.equal(answer.status, 409, `${useCase}: ${answer.text}`);
        assert.equal(JSON.parse(answer.text).error.code, 'CONFLICT');
      }
    });

    test('the same request while the first is still being answered is a conflict, and then the same answer', async () => {
      const rails = lives.node().deps.rails as Map<string, Rail>;
      const rail = rails.get('CARD_RAIL') as Rail;
      let answerNow = () => {};
      const mayAnswer = new Promise<void>((resolve) => {
        answerNow = resolve;
      });
      let reached = () => {};
      const isReached = new Promise<void>((resolve) => {
        reached = resolve;
      });
      const authorize: Rail['authorize'] = async (...given) => {
        reached();
        await mayAnswer;
        return rail.authorize(...given);
      };
      rails.set('CARD_RAIL', { ...rail, authorize });
      try {
        const intent = JSON.parse((await ask('POST', '/ap2/intents', intentOf(15))).text);
        const cart = await ask('POST', '/ap2/carts/validate', { intentVc: intent.intentVc, cartVc: cartOf(15) });
        const request = { approvalToken: JSON.parse(cart.text).approvalToken, idempotencyKey: 'slow' };
        const first = ask('POST', '/ap2/payments/mandate', request);
        // Sent at the same time, either of them may be the first.
        await isReached;
        const second = await ask('POST', '/ap2/payments/mandate', request);
        assert.equal(second.status, 409, second.text);
        assert.match(second.text, /still being answered/);
        answerNow();
        const told = await first;
        assert.equal(told.status, 200, told.text);
        assert.deepEqual(await ask('POST', '/ap2/payments/mandate', request), told);
      } finally {
        rails.set('CARD_RAIL', rail);
      }
    });
  });
}

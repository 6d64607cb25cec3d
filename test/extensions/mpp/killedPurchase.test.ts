/** kill -9 between the commits of a purchase by MPP: after each restart the books have what merchants took, and one challenge has one token. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeAgent } from '../../../client/index.ts';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { everyEngine } from '../../support/engines.ts';
import { KilledNode } from '../../support/killedNode.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import { STRIPE_KEY, type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import type { Loose } from '../../support/world.ts';

/** When a node is killed after a request was sent, in milliseconds: before, in and after its commits, as it happens. */
const DELAYS_MS = [0, 3, 6, 10, 15, 25] as const;

const receiptOf = (reference: string) =>
  toBase64url(new TextEncoder().encode(JSON.stringify({ method: 'stripe', status: 'success', reference })));

for (const engine of everyEngine()) {
  describe(`a purchase by MPP whose node is killed, on ${engine.name}`, () => {
    const { did: agentDid, publicKey } = makeAgent();
    let stripe: StripeDouble;
    let node: KilledNode;
    const challenges: string[] = [];

    const send = (path: string, body?: Loose) => node.send(path, body);
    const ask = (path: string, body?: Loose) => node.ask(path, body);
    /** Sends a request to a node that dies in place of the answer, and starts the next one. */
    const dying = (answer: string, path: string, body: Loose) => node.diesOf({ DIE_BEFORE: answer }, path, body);
    const asking = () => {
      const id = `challenge-${challenges.length}`;
      challenges.push(id);
      return { agentDid, url: 'https://reports.example/report', challenges: [mppChallenge({ id })] };
    };
    const authorize = (body: Loose) => ask('/ap2/http-payments/authorize', body);
    /** As the merchant takes it. */
    const take = async (answer: Loose): Promise<number> => {
      const spt = answer.credential.payload.spt;
      const body = new URLSearchParams({ amount: '500', currency: 'usd', shared_payment_granted_token: spt });
      const headers = { Authorization: `Bearer ${STRIPE_KEY}`, 'Idempotency-Key': `mpp_${spt}` };
      return (await fetch(`${stripe.url}/v1/payment_intents`, { method: 'POST', headers, body })).status;
    };
    const becomes = (mandateId: string, status: string) => node.becomes(mandateId, status);

    before(async () => {
      stripe = await startStripe();
      node = await KilledNode.open(engine, (address) => {
        stripe.webhooks.target = `${address}/ap2/rails/stripe/events`;
        const rail = { STRIPE_SPT: 'true', RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '0' };
        return { ...stripe.env(), ...rail, LOG_LEVEL: 'debug' };
      });
      await ask('/ap2/agents', { name: 'buyer', publicKey });
      const rules = { version: '2.0', spend: { amount_cap: 100_000 }, merchant: { allow_unbound_payees: true } };
      await ask('/ap2/admin/policies', { name: 'wide', rules, activate: true });
    });
    after(async () => {
      await node.close();
      await stripe.close();
    });

    test('before the answer with the token: the same challenge gets it, and no other one is made', async () => {
      const body = { ...asking(), idempotencyKey: 'a-report' };
      await dying('"challengeId"', '/ap2/http-payments/authorize', body);
      const answer = await authorize(body);
      assert.equal(answer.allowed, true);
      assert.deepEqual(await authorize({ ...body, idempotencyKey: 'another' }), answer);
      assert.equal(stripe.tokens.tokens.size, 1);
      assert.equal(await take(answer), 200);
      await becomes(answer.mandateId, 'CAPTURED');
    });

    test('between the two commits: the token that Stripe made is found under its key', async () => {
      const body = { ...asking(), idempotencyKey: 'lost' };
      stripe.faultOf = ({ method }) => (method === 'POST' ? 'hangAfterCommit' : undefined);
      const cut = send('/ap2/http-payments/authorize', body).catch(() => undefined);
      await until('the token', async () => stripe.tokens.tokens.size === 2);
      await node.restart();
      await cut;
      stripe.faultOf = () => undefined;
      await until('the answer', async () => (await send('/ap2/http-payments/authorize', body)).status === 200, 20_000);
      const answer = await authorize(body);
      assert.equal(stripe.tokens.tokens.size, 2);
      assert.equal(await take(answer), 200);
      await becomes(answer.mandateId, 'CAPTURED');
    });

    test('while the token is revoked, and before the answer to that: it is canceled, and pays nothing', async () => {
      const answer = await authorize(asking());
      stripe.faultOf = ({ path }) => (path.endsWith('/revoke') ? 'hangAfterCommit' : undefined);
      const report = { mandateId: answer.mandateId, status: 402 };
      const cut = send('/ap2/http-payments/settlements', report).catch(() => undefined);
      await until('the end', async () => stripe.tokens.tokens.get(answer.credential.payload.spt)?.status !== 'active');
      await node.restart();
      await cut;
      stripe.faultOf = () => undefined;
      await becomes(answer.mandateId, 'CANCELED');
      assert.equal(await take(answer), 400);
      const second = await authorize(asking());
      await dying('"CANCELED"', '/ap2/http-payments/settlements', { mandateId: second.mandateId, status: 402 });
      await becomes(second.mandateId, 'CANCELED');
    });

    test('before the answer to a receipt: it is captured once', async () => {
      const answer = await authorize(asking());
      stripe.webhooks.delivery = 'never';
      await take(answer);
      const report = { mandateId: answer.mandateId, receipt: receiptOf('pi_1'), status: 200 };
      await dying('"CAPTURED"', '/ap2/http-payments/settlements', report);
      assert.equal((await ask('/ap2/http-payments/settlements', report)).captured, 5);
      const { data } = await ask('/ap2/evidence/search?eventType=PAYMENT_CAPTURED&limit=100');
      const captures = data.filter((event: Loose) => event.data.mandateId === answer.mandateId);
      assert.equal(captures.length, 1);
      stripe.webhooks.delivery = 'once';
    });

    test('at any moment of it: a retry gets the one token of its challenge', async () => {
      for (const delay of DELAYS_MS) {
        const made = stripe.tokens.tokens.size;
        const body = asking();
        const cut = send('/ap2/http-payments/authorize', body).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, delay));
        await node.restart();
        await cut;
        const answer = await authorize(body);
        assert.equal(answer.allowed, true, JSON.stringify(answer));
        assert.equal(stripe.tokens.tokens.size, made + 1, `after ${delay} ms`);
        assert.equal(await take(answer), 200);
        await becomes(answer.mandateId, 'CAPTURED');
      }
    });

    test('and once all is quiet the books have what the double shows, and no token was printed', async () => {
      await stripe.webhooks.settled();
      const { data } = await ask('/ap2/payments?limit=200');
      const booked = data.reduce((sum: number, { captured }: Loose) => sum + captured * 100, 0);
      assert.equal(booked, stripe.tokens.taken());
      assert.equal(data.length, challenges.length);
      const printed = node.printed + node.current.output();
      assert.ok(printed.length > 1000);
      for (const spt of stripe.tokens.tokens.keys()) assert.ok(!printed.includes(spt), spt);
    });
  });
}

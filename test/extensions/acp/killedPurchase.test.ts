/** kill -9 in a purchase by ACP, and two nodes that get one session at once: one session has one token, and the books have what the shop took. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { countersign, makeAgent } from '../../../client/index.ts';
import { everyEngine } from '../../support/engines.ts';
import { KilledNode } from '../../support/killedNode.ts';
import { STRIPE_KEY, type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, type Loose, makeWorld } from '../../support/world.ts';
import { sessionOf } from './acpShop.ts';

const SHOP = 'tea.example';
const VALIDATE = '/ap2/carts/validate/acp';
const SETTLE = '/ap2/http-payments/settlements';
/** When a node is killed after a request was sent, in milliseconds: before, in and after its commits, as it happens. */
const DELAYS_MS = [0, 4, 9, 20] as const;

for (const engine of everyEngine()) {
  describe(`a purchase by ACP whose node is killed, on ${engine.name}`, () => {
    const { did: agentDid, publicKey } = makeAgent();
    let stripe: StripeDouble;
    let node: KilledNode;
    let sessions = 0;

    const begin = () => {
      sessions += 1;
      return { agentDid, merchantDomain: SHOP, session: sessionOf(`cs_${sessions}`) };
    };
    const tokenOf = ({ paymentData }: Loose): string => paymentData.instrument.credential.token;
    /** As the shop takes it, by its own account at Stripe. */
    const take = async (answer: Loose): Promise<Loose> => {
      const spt = tokenOf(answer);
      const body = new URLSearchParams({ amount: '2900', currency: 'usd', shared_payment_granted_token: spt });
      const headers = { Authorization: `Bearer ${STRIPE_KEY}`, 'Idempotency-Key': `acp_${spt}` };
      const taken = await fetch(`${stripe.url}/v1/payment_intents`, { method: 'POST', headers, body });
      return { status: taken.status };
    };
    const orderOf = ({ session }: ReturnType<typeof begin>, mandateId: string) => {
      const id = String(session['id']);
      const order = { id: `ord_${id}`, checkout_session_id: id, permalink_url: `https://${SHOP}/orders/${id}` };
      return { mandateId, status: 200, session: { ...session, status: 'completed', order } };
    };

    before(async () => {
      stripe = await startStripe();
      node = await KilledNode.open(engine, (address) => {
        stripe.webhooks.target = `${address}/ap2/rails/stripe/events`;
        const rail = { STRIPE_SPT: 'true', RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '0' };
        return { ...stripe.env(), ...rail, LOG_LEVEL: 'debug' };
      });
      await node.ask('/ap2/agents', { name: 'buyer', publicKey });
      const rules = { version: '2.0', spend: { amount_cap: 100_000 }, merchant: { allow_unbound_payees: true } };
      await node.ask('/ap2/admin/policies', { name: 'wide', rules, activate: true });
    });
    after(async () => {
      await node.close();
      await stripe.close();
    });

    test('before the answer with the token: the same session gets it, and no other one is made', async () => {
      const body = begin();
      await node.diesOf({ DIE_BEFORE: '"paymentData"' }, VALIDATE, body);
      const answer = await node.ask(VALIDATE, body);
      assert.equal(answer.allowed, true, JSON.stringify(answer));
      assert.deepEqual(await node.ask(VALIDATE, { ...body, idempotencyKey: 'another' }), answer);
      assert.equal(stripe.tokens.tokens.size, 1);
      assert.equal((await take(answer)).status, 200);
      await node.becomes(answer.mandateId, 'CAPTURED');
    });

    test('between the two commits: the token that Stripe made is found under its key', async () => {
      const body = begin();
      stripe.faultOf = ({ method }) => (method === 'POST' ? 'hangAfterCommit' : undefined);
      const cut = node.send(VALIDATE, body).catch(() => undefined);
      await until('the token', async () => stripe.tokens.tokens.size === 2);
      await node.restart();
      await cut;
      stripe.faultOf = () => undefined;
      await until('the answer', async () => (await node.send(VALIDATE, body)).status === 200, 20_000);
      const answer = await node.ask(VALIDATE, body);
      assert.equal(stripe.tokens.tokens.size, 2);
      assert.equal((await take(answer)).status, 200);
      await node.becomes(answer.mandateId, 'CAPTURED');
    });

    test('before the answer to the order of the shop: it is captured once', async () => {
      const body = begin();
      const answer = await node.ask(VALIDATE, body);
      stripe.webhooks.delivery = 'never';
      await take(answer);
      const report = orderOf(body, answer.mandateId);
      await node.diesOf({ DIE_BEFORE: '"CAPTURED"' }, SETTLE, report);
      assert.equal((await node.ask(SETTLE, report)).captured, 29);
      const { data } = await node.ask('/ap2/evidence/search?eventType=PAYMENT_CAPTURED&limit=100');
      assert.equal(data.filter((event: Loose) => event.data.mandateId === answer.mandateId).length, 1);
      stripe.webhooks.delivery = 'once';
    });

    test('at any moment of it: a retry gets the one token of its session', async () => {
      for (const delay of DELAYS_MS) {
        const made = stripe.tokens.tokens.size;
        const body = begin();
        const cut = node.send(VALIDATE, body).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, delay));
        await node.restart();
        await cut;
        const answer = await node.ask(VALIDATE, body);
        assert.equal(stripe.tokens.tokens.size, made + 1, `after ${delay} ms`);
        assert.equal((await take(answer)).status, 200);
        await node.becomes(answer.mandateId, 'CAPTURED');
      }
    });

    test('and once all is quiet the books have what Stripe’s double took, and no token was printed', async () => {
      await stripe.webhooks.settled();
      const { data } = await node.ask('/ap2/payments?limit=200');
      assert.equal(data.length, sessions);
      const booked = data.reduce((sum: number, { captured }: Loose) => sum + captured * 100, 0);
      assert.equal(booked, stripe.tokens.taken());
      const printed = node.printed + node.current.output();
      for (const spt of stripe.tokens.tokens.keys()) assert.ok(!printed.includes(spt), spt);
    });
  });

  test(`one session that two nodes get twenty times at once has one payment and one token, on ${engine.name}`, async () => {
    const world = await makeWorld(engine);
    const other = await world.another();
    try {
      const there = countersign({ baseUrl: other.address, credential: { apiKey: ADMIN_KEY } });
      const input = { agentDid: world.agent.did, merchantDomain: SHOP, session: sessionOf('cs_at_once') };
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, index) => (index % 2 === 0 ? world.client : there).validateAcpSession(input)),
      );
      assert.equal(new Set(answers.map((answer) => JSON.stringify(answer))).size, 1, JSON.stringify(answers[0]));
      const { data } = (await world.rest('GET', '/ap2/payments?limit=50')).body;
      assert.deepEqual(
        data.map(({ amount, status }: Loose) => [amount, status]),
        [[29, 'AUTHORIZED']],
      );
    } finally {
      await other.stop();
      await world.close();
    }
  });
}

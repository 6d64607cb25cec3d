/** A server of the stock package (mppx) whose 402 asks by MPP and by x402 at once: `rails.priorities` says by which it is paid, and it is paid once. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { evm, Mppx } from 'mppx/server';
import { type HttpPaymentRefusal, payFetch } from '../../../client/index.ts';
import { everyEngine } from '../../support/engines.ts';
import { paidAtDouble, SHOP_SECRET } from '../../support/mppShop.ts';
import { type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { makeWorld, type World } from '../../support/world.ts';
import { BASE, SHOP, USDC, WALLET_ADDRESS, WALLET_KEY } from '../../support/x402Offer.ts';

const URL_OF_REPORT = 'https://reports.example/report';
const TRANSACTION = `0x${'c'.repeat(64)}`;

/** A facilitator takes each transfer, and notes its nonce. */
function facilitator() {
  const settled: string[] = [];
  return {
    settled,
    verify: async () => ({ isValid: true, payer: WALLET_ADDRESS }),
    async settle(paid: unknown) {
      const { payload } = paid as { readonly payload: { readonly authorization: { readonly nonce: string } } };
      settled.push(payload.authorization.nonce);
      return { success: true, transaction: TRANSACTION, network: BASE, payer: WALLET_ADDRESS };
    },
  };
}

describe('a 402 that asks by both protocols', () => {
  let world: World;
  let stripe: StripeDouble;
  before(async () => {
    stripe = await startStripe();
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], {
      ...stripe.env(),
      STRIPE_SPT: 'true',
    });
    stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
    await world.rest('POST', '/ap2/admin/wallets', { network: BASE, privateKey: WALLET_KEY });
  });
  after(async () => {
    await stripe.close();
    await world.close();
  });

  /** Buys once. @param units of the token, in whole ones */
  async function buy(priorities: readonly string[] | undefined, units = '5') {
    const chain = facilitator();
    const taken = stripe.tokens.taken();
    const transfer = evm.charge({
      currency: USDC,
      recipient: SHOP,
      chainId: 8453,
      decimals: 6,
      authorization: { name: 'USD Coin', version: '2' },
      x402: { facilitator: chain as never },
    });
    const mppx = Mppx.create({
      methods: [paidAtDouble(stripe.url), transfer],
      realm: 'the shop',
      secretKey: SHOP_SECRET,
    });
    const asked: Headers[] = [];
    const shop = async (input: RequestInfo | URL, init?: RequestInit): Promise<Response> => {
      const sell = mppx.compose([mppx.stripe.charge, { amount: '5' }], [mppx.evm.charge, { amount: units }] as never);
      const result = await sell(new Request(input, init));
      if (result.status !== 402) return result.withReceipt(Response.json({ report: 'tea' }));
      const challenge = result.challenge as Response;
      // As a fetch that logs keeps a copy.
      asked.push(challenge.clone().headers);
      return challenge;
    };
    const rails = { allow: ['SPT_RAIL', 'X402_RAIL'], ...(priorities === undefined ? {} : { priorities }) };
    const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' }, rails };
    const made = await world.rest('POST', '/ap2/admin/policies', { name: 'Both', rules });
    assert.equal(made.status, 201, made.text);
    const { did: agentDid } = await world.newAgent();
    const refusals: HttpPaymentRefusal[] = [];
    const onRefusal = (refusal: HttpPaymentRefusal) => void refusals.push(refusal);
    const pay = payFetch(world.client, { agentDid, fetch: shop, onRefusal });
    const answer = await pay(URL_OF_REPORT).catch((error: Error) => error);
    const { data } = (await world.rest('GET', `/ap2/payments?agentDid=${agentDid}`)).body;
    return { answer, asked, data, refusals, tokens: stripe.tokens.taken() - taken, settled: chain.settled.length };
  }

  for (const [rail, other, tokens, settled] of [
    ['SPT_RAIL', 'X402_RAIL', 500, 0],
    ['X402_RAIL', 'SPT_RAIL', 0, 1],
  ] as const) {
    test(`is paid once by ${rail}, where the policy puts that first`, async () => {
      const bought = await buy([rail, other]);
      const [first] = bought.asked;
      assert.match(first?.get('www-authenticate') ?? '', /^Payment /);
      assert.notEqual(first?.get('payment-required'), null, 'it asks by both');
      assert.equal((bought.answer as Response).status, 200, JSON.stringify(bought.refusals));
      const [payment, ...more] = bought.data;
      assert.deepEqual([payment.rail, payment.status, payment.captured, more.length], [rail, 'CAPTURED', 5, 0]);
      assert.deepEqual([bought.tokens, bought.settled, bought.asked.length], [tokens, settled, 1]);
    });
  }

  test('is paid by a token where the policy says nothing of the order', async () => {
    const { data, settled } = await buy(undefined);
    assert.deepEqual([data[0].rail, settled], ['SPT_RAIL', 0]);
  });

  test('is paid by neither where the two offers are of different money', async () => {
    const { answer, data, tokens, settled } = await buy(['X402_RAIL', 'SPT_RAIL'], '4.99');
    assert.deepEqual([data.length, tokens, settled], [0, 0, 0]);
    assert.ok(answer instanceof Error, 'the node says which');
    assert.match(answer.message, /offers differ/);
  });
});

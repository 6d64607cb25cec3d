/** The stock package of MPP (mppx) on both sides with a node between them, and Stripe a double: who buys pays once, and what the books say was taken. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { InMemoryTransport } from '@modelcontextprotocol/sdk/inMemory.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { Mppx as MppxClient } from 'mppx/client';
import { McpClient } from 'mppx/mcp/client';
import { Transport } from 'mppx/mcp/server';
import { Mppx as MppxServer } from 'mppx/server/core';
import { Methods } from 'mppx/stripe';
import { type HttpPaymentRefusal, mppPay, payFetch } from '../../../client/index.ts';
import { everyEngine } from '../../support/engines.ts';
import { type MppShop, paidAtDouble, SHOP_SECRET, startMppShop } from '../../support/mppShop.ts';
import type { Peer } from '../../support/peer.ts';
import { makePerson } from '../../support/person.ts';
import { type StripeDouble, startStripe } from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

for (const engine of everyEngine()) {
  describe(`stock packages of MPP with a node on ${engine.name}`, () => {
    let world: World;
    let stripe: StripeDouble;
    let shop: MppShop;
    let agent: Peer;
    let refusals: HttpPaymentRefusal[] = [];
    let before0 = { tokens: 0, taken: 0 };
    before(async () => {
      stripe = await startStripe();
      shop = await startMppShop(stripe.url);
      const schedule = { RAIL_TIMEOUT_SECONDS: '2', RAIL_RETRY_SECONDS: '0' };
      world = await makeWorld(engine, { ...stripe.env(), ...schedule, STRIPE_SPT: 'true' });
      stripe.webhooks.target = `${world.node.address}/ap2/rails/stripe/events`;
    });
    after(async () => {
      await shop.close();
      await stripe.close();
      await world.close();
    });
    beforeEach(async () => {
      agent = await world.newAgent();
      [refusals, shop.options, shop.requests.length] = [[], {}, 0];
      shop.instead = async () => undefined;
      before0 = { tokens: stripe.tokens.tokens.size, taken: stripe.tokens.taken() };
    });
    /** Whatever happened, the books have what the double shows. */
    afterEach(async () => {
      await stripe.webhooks.settled();
      stripe.webhooks.delivery = 'once';
      const { data } = (await world.rest('GET', `/ap2/payments?agentDid=${agent.did}&limit=200`)).body;
      const booked = data.reduce((sum: number, { captured }: Loose) => sum + captured * 100, 0);
      assert.equal(booked, taken(), 'the books have what was taken');
    });

    const made = () => stripe.tokens.tokens.size - before0.tokens;
    const taken = () => stripe.tokens.taken() - before0.taken;
    const options = () => ({ agentDid: agent.did, onRefusal: (refusal: HttpPaymentRefusal) => refusals.push(refusal) });
    const stock = () => {
      const own = mppPay(world.client, { ...options(), method: Methods.charge });
      return MppxClient.create({ ...own, polyfill: false, maxPaymentRetries: 3 }).fetch as typeof fetch;
    };
    const payments = async (): Promise<Loose[]> =>
      (await world.rest('GET', `/ap2/payments?agentDid=${agent.did}&limit=200`)).body.data;
    const states = async () => (await payments()).map(({ status }) => status);
    const settles = (status: string) =>
      until(status, async () => (await states()).every((each) => each === status) && (await states()).length > 0);

    for (const [name, paying] of [
      ['the stock client', stock],
      ['payFetch', () => payFetch(world.client, options())],
    ] as const) {
      describe(`by ${name}`, () => {
        test('what the shop asks is bought, once', async () => {
          shop.options = { externalId: 'order_1' };
          const response = await paying()(`${shop.url}/report?of=tea`);
          assert.deepEqual(await response.json(), { report: 'tea' });
          await settles('CAPTURED');
          const [paid] = await payments();
          assert.deepEqual([paid.merchant, paid.amount, paid.captured], ['loopback.localhost', 5, 5]);
          assert.deepEqual([made(), taken()], [1, 500]);
        });

        test('a server that takes the money and asks again is paid once', async () => {
          stripe.webhooks.delivery = 'never';
          shop.instead = async (_request, sell, ask) => ((await sell()).status === 200 ? ask() : undefined);
          const response = await paying()(shop.url).catch((error: Error) => error);
          if (response instanceof Error) assert.match(response.message, /DUPLICATE_SUSPECTED/);
          else assert.equal(response.status, 402);
          assert.deepEqual(refusals[0]?.reasonCodes, ['DUPLICATE_SUSPECTED']);
          assert.deepEqual([made(), taken()], [1, 500]);
          assert.deepEqual(await states(), ['CAPTURED']);
        });

        test('a server that asks again without taking is paid by the next credential, and the first is revoked', async () => {
          let times = 0;
          shop.instead = async ({ headers }, _sell, ask) =>
            headers.has('authorization') && ++times === 1 ? ask() : undefined;
          assert.equal((await paying()(shop.url)).status, 200);
          assert.deepEqual([made(), taken()], [2, 500]);
          await stripe.webhooks.settled();
          assert.deepEqual((await states()).sort(), ['CANCELED', 'CAPTURED']);
        });

        test('over the cap no token is made', async () => {
          shop.options = { amount: '5000' };
          const response = await paying()(shop.url).catch((error: Error) => error);
          if (response instanceof Error) assert.match(response.message, /AMOUNT_OVER_CAP/);
          else assert.equal(response.status, 402);
          assert.deepEqual(refusals[0]?.reasonCodes.includes('AMOUNT_OVER_CAP'), true);
          assert.equal(made(), 0);
        });

        test('a touch that takes longer than the challenge buys with the next one, once', async () => {
          shop.options = { amount: '150', seconds: 2 };
          const person = makePerson(world);
          await person.enroll(agent);
          const fetching = paying();
          await fetching(shop.url).catch(() => undefined);
          assert.deepEqual(refusals[0]?.reasonCodes, ['HP_REQUIRED']);
          await new Promise((resolve) => setTimeout(resolve, 2100));
          await person.decide(String(refusals[0]?.approval?.id));
          assert.equal((await fetching(shop.url)).status, 200);
          assert.deepEqual([made(), taken()], [1, 15_000]);
          await fetching(shop.url).catch(() => undefined);
          assert.deepEqual([made(), taken()], [1, 15_000]);
          await settles('CAPTURED');
        });

        test('the hop that asked is paid, by its own method and without the body of the order', async () => {
          shop.instead = async ({ path }) =>
            path === '/order' ? new Response(null, { status: 303, headers: { Location: '/paid' } }) : undefined;
          assert.equal((await paying()(`${shop.url}/order`, { method: 'POST', body: 'order' })).status, 200);
          assert.deepEqual(
            shop.requests.map(({ method, path, body }) => [method, path, body]),
            [
              ['POST', '/order', 'order'],
              ['GET', '/paid', ''],
              ['GET', '/paid', ''],
            ],
          );
          await settles('CAPTURED');
        });

        test('a body is sent again as it was, also of a Request', async () => {
          await paying()(new Request(`${shop.url}/order`, { method: 'POST', body: '{"a":1}' }));
          assert.deepEqual(
            shop.requests.map(({ method, body }) => [method, body]),
            [
              ['POST', '{"a":1}'],
              ['POST', '{"a":1}'],
            ],
          );
          await settles('CAPTURED');
        });

        test('a shop that takes a key as well is paid beside it, and one that takes one Authorization is not paid', async () => {
          const keyed = { headers: { Authorization: 'Bearer key' } };
          await paying()(shop.url, keyed).catch(() => undefined);
          assert.match(String(refusals[0]?.details?.['RAIL_UNAVAILABLE']?.message), /takes one Authorization/);
          assert.equal(made(), 0);
          shop.options = { requiresAuth: true };
          assert.equal((await paying()(shop.url, keyed)).status, 200);
          assert.equal(shop.requests.at(-1)?.headers.get('authorization'), 'Bearer key');
          assert.match(String(shop.requests.at(-1)?.headers.get('payment-authorization')), /^Payment /);
          await settles('CAPTURED');
        });

        test('an answer that is lost after the money moved is not paid a second time', async () => {
          stripe.webhooks.delivery = 'never';
          const fetching = paying();
          shop.instead = async (_request, sell) => {
            const answer = await sell();
            return answer.status === 200 ? new Response('oops', { status: 500 }) : answer;
          };
          assert.equal((await fetching(shop.url)).status, 500);
          shop.instead = async () => undefined;
          await fetching(shop.url).catch(() => undefined);
          assert.deepEqual(refusals.at(-1)?.reasonCodes, ['DUPLICATE_SUSPECTED']);
          assert.deepEqual([made(), taken()], [1, 500]);
        });

        test('two at once are two purchases, of which neither ends the other', async () => {
          const fetching = paying();
          const answers = await Promise.all([fetching(shop.url), fetching(shop.url)]);
          assert.deepEqual(
            answers.map(({ status }) => status),
            [200, 200],
          );
          assert.deepEqual([made(), taken()], [2, 1000]);
          await settles('CAPTURED');
        });
      });
    }

    test('one challenge, asked for twelve times at once, is one token', async () => {
      const challenge = String((await fetch(shop.url)).headers.get('www-authenticate'));
      const answers = await Promise.all(
        Array.from({ length: 12 }, () =>
          world.rest('POST', '/ap2/http-payments/authorize', {
            agentDid: agent.did,
            url: shop.url,
            challenges: [challenge],
          }),
        ),
      );
      const values = new Set(answers.filter(({ status }) => status === 200).map(({ body }) => body.send.header.value));
      assert.equal(values.size, 1);
      assert.equal(made(), 1);
      const [value] = values;
      assert.equal((await fetch(shop.url, { headers: { Authorization: value } })).status, 200);
      await settles('CAPTURED');
    });

    describe('over MCP', () => {
      let client: Client;
      before(async () => {
        const server = new McpServer({ name: 'a shop', version: '1.0.0' });
        const payment = MppxServer.create({
          methods: [paidAtDouble(stripe.url)],
          realm: 'the shop',
          secretKey: SHOP_SECRET,
          transport: Transport.mcpSdk(),
        });
        server.registerTool('report', { description: 'A report, for 5.00 USD' }, async (extra: Loose) => {
          const expires = new Date(Date.now() + 200_000).toISOString();
          const result = await payment.charge({ amount: '5', expires } as never)(extra);
          if (result.status === 402) throw result.challenge;
          return result.withReceipt({ content: [{ type: 'text', text: 'tea' }] } as never) as Loose;
        });
        client = new Client({ name: 'a host', version: '1.0.0' });
        const [there, here] = InMemoryTransport.createLinkedPair();
        await Promise.all([server.connect(there), client.connect(here)]);
      });
      after(() => client.close());

      test('a tool is paid by what the node answers for _meta, and its receipt captures', async () => {
        const failed: Loose = await client.callTool({ name: 'report' }).catch((error: unknown) => error);
        assert.equal(failed.code, -32042);
        const answer = await world.client.authorizeHttpPayment({
          agentDid: agent.did,
          url: shop.url,
          toolName: 'report',
          challenges: failed.data.challenges,
        });
        assert.ok(answer.allowed, JSON.stringify(answer));
        const { key, value } = answer.send.meta as Loose;
        const result: Loose = await client.callTool({ name: 'report', _meta: { [key]: value } });
        assert.equal(result.content[0].text, 'tea');
        const receipt = result._meta['org.paymentauth/receipt'];
        const settled = await world.client.settleHttpPayment({ challengeId: String(answer.challengeId), receipt });
        assert.equal(settled.status, 'CAPTURED');
        assert.deepEqual([made(), taken()], [1, 500]);
      });

      test('a tool is paid by the stock client', async () => {
        const { methods } = mppPay(world.client, { ...options(), method: Methods.charge, url: shop.url });
        const paying = McpClient.wrap(client as Loose, { methods: methods as Loose }) as Loose;
        const result = await paying.callTool({ name: 'report' });
        assert.equal(result.content[0].text, 'tea');
        assert.equal(result.receipt.method, 'stripe');
        await settles('CAPTURED');
        assert.deepEqual([made(), taken()], [1, 500]);
      });
    });
  });
}

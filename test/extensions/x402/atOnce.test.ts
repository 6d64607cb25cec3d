/** Purchases by x402 that are asked for at once, by one node and by two: one payment and one transfer for one purchase, on every engine. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { headerText } from '../../../protocol/x402/paymentRequired.ts';
import type { Node } from '../../../src/node/startNode.ts';
import { type ChainDouble, openChain } from '../../support/chainDouble.ts';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';
import { BASE, WALLET_KEY, x402Offer, x402Required } from '../../support/x402Offer.ts';

const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
const AUTHORIZE = '/ap2/http-payments/authorize';
const SETTLEMENTS = '/ap2/http-payments/settlements';

for (const engine of everyEngine()) {
  describe(`purchases by x402 at once, on ${engine.name}`, () => {
    let world: World;
    let second: Node | undefined;
    let chain: ChainDouble;
    /** Where a node answers: one on SQLite, two on PostgreSQL. */
    let addresses: readonly string[];
    let asked = 0;

    const post = async (address: string, path: string, body: object): Promise<{ status: number; text: string }> => {
      const response = await fetch(address + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
      return { status: response.status, text: await response.text() };
    };
    const purchase = (more: object = {}) => {
      asked += 1;
      const paymentRequired = headerText(x402Required([x402Offer(more)]));
      return { agentDid: world.agent.did, url: `https://reports.example/${asked}`, paymentRequired };
    };
    /** Asked in turn of each node, and all at once. */
    const atOnce = (count: number, path: string, body: (index: number) => object) =>
      Promise.all(
        Array.from({ length: count }, (_, index) =>
          post(addresses[index % addresses.length] as string, path, body(index)),
        ),
      );
    const activate = async (rules: object) => {
      const limits = { version: '2.0', spend: { amount_cap: 1000 }, merchant: { allow_unbound_payees: true } };
      const body = { name: 'wide', rules: { ...limits, ...rules }, activate: true };
      assert.equal((await world.rest('POST', '/ap2/admin/policies', body)).status, 201);
    };
    const authorize = async (body: object): Promise<Loose> => {
      const { status, text } = await post(world.node.address, AUTHORIZE, body);
      assert.equal(status, 200, text);
      return JSON.parse(text);
    };
    const paymentsOf = async (): Promise<Loose[]> => (await world.rest('GET', '/ap2/payments?limit=200')).body.data;
    const countOf = async (eventType: string, mandateId: string) => {
      const { data } = (await world.rest('GET', `/ap2/evidence/search?eventType=${eventType}&limit=200`)).body;
      return data.filter((event: Loose) => event.data.mandateId === mandateId).length;
    };

    before(async () => {
      world = await makeWorld(engine);
      chain = await openChain(8453, Math.floor(Date.now() / 1000));
      if (engine.name === 'postgres') second = await world.another();
      addresses = [world.node.address, ...(second === undefined ? [] : [second.address])];
      const wallet = { network: BASE, privateKey: WALLET_KEY, rpcUrl: chain.url };
      assert.equal((await world.rest('POST', '/ap2/admin/wallets', wallet)).status, 201);
    });
    after(async () => {
      await second?.stop();
      await world.close();
      await chain.close();
    });

    test('20 under one key are one payment, and every answer has the same bytes', async () => {
      await activate({});
      const before = (await paymentsOf()).length;
      const body = { ...purchase(), idempotencyKey: 'twenty' };
      const answers = await atOnce(20, AUTHORIZE, () => body);
      const given = answers.filter(({ status }) => status === 200);
      // Those that came while the first was being paid are told to come again.
      for (const { status, text } of answers) assert.ok([200, 409, 503].includes(status), text);
      assert.ok(given.length > 0);
      const texts = new Set([...given, ...(await atOnce(4, AUTHORIZE, () => body))].map(({ text }) => text));
      assert.equal(texts.size, 1, [...texts].join('\n'));
      assert.equal(JSON.parse([...texts][0] as string).allowed, true);
      assert.equal((await paymentsOf()).length, before + 1);
    });

    test('12 of equal content under keys of their own are one payment where the policy looks for the same', async () => {
      await activate({ risk: { duplicate: { window: '10m', action: 'deny' } } });
      const before = (await paymentsOf()).length;
      const body = purchase();
      const answers = await atOnce(12, AUTHORIZE, (index) => ({ ...body, idempotencyKey: `own-${index}` }));
      const results = answers.map(({ text }) => JSON.parse(text));
      const paid = results.filter(({ allowed }) => allowed === true);
      assert.equal(paid.length, 1, JSON.stringify(results));
      for (const { allowed, reasonCodes } of results) {
        if (allowed !== true) assert.deepEqual(reasonCodes, ['DUPLICATE_SUSPECTED']);
      }
      assert.equal((await paymentsOf()).length, before + 1);
    });

    test('10 that replace a first try get its transfer, and no other one is signed', async () => {
      await activate({});
      const body = purchase();
      const first = await authorize(body);
      const before = (await paymentsOf()).length;
      const answers = await atOnce(10, AUTHORIZE, () => ({ ...body, replaces: first.mandateId }));
      for (const { status, text } of answers) {
        assert.equal(status, 200, text);
        assert.equal(JSON.parse(text).send.header.value, first.send.header.value);
      }
      assert.equal((await paymentsOf()).length, before);
    });

    test('what replaces a first try while that is told to be settled gets its transfer or the refusal', async () => {
      await activate({});
      const body = purchase();
      const first = await authorize(body);
      const { mandateId, paymentPayload } = first;
      const { nonce, value } = paymentPayload.payload.authorization;
      chain.settle(nonce, value);
      const [answers, reports] = await Promise.all([
        atOnce(8, AUTHORIZE, () => ({ ...body, replaces: mandateId })),
        atOnce(8, SETTLEMENTS, () => ({ mandateId, status: 402 })),
      ]);
      for (const { text } of answers) {
        const { allowed, reasonCodes, send } = JSON.parse(text);
        if (allowed === true) assert.equal(send.header.value, first.send.header.value);
        else assert.deepEqual(reasonCodes, ['DUPLICATE_SUSPECTED'], text);
      }
      for (const { status, text } of reports) assert.equal(status, 200, text);
      assert.equal((await world.rest('GET', `/ap2/payments/${mandateId}`)).body.status, 'CAPTURED');
      assert.equal(await countOf('PAYMENT_CAPTURED', mandateId), 1);
      assert.equal(chain.moved, 5_000_000n);
    });

    test('those of a limit stay below it, whichever node is asked', async () => {
      const spent = (await paymentsOf()).reduce((sum, { amount }) => sum + amount, 0);
      const limit = { max_amount: spent + 15, time_window: '24h' };
      await activate({ risk: { velocity_limit: limit } });
      const answers = await atOnce(12, AUTHORIZE, () => purchase());
      const allowed = answers.filter(({ text }) => JSON.parse(text).allowed === true);
      assert.equal(allowed.length, 3, answers.map(({ text }) => text).join('\n'));
    });
  });
}

/** kill -9 between the commits of a purchase by x402: after each restart the same transfer is answered, and the books have what moved. */
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeAgent } from '../../../client/index.ts';
import { headerText } from '../../../protocol/x402/paymentRequired.ts';
import { type ChainDouble, openChain } from '../../support/chainDouble.ts';
import { everyEngine } from '../../support/engines.ts';
import { KilledNode } from '../../support/killedNode.ts';
import { until } from '../../support/until.ts';
import type { Loose } from '../../support/world.ts';
import { BASE, WALLET_KEY, x402Offer, x402Required, x402Response } from '../../support/x402Offer.ts';

/** Of the module that signs, which is loaded at the first signature: between the commit of the payment and that of the transfer. */
const SIGNING = 'must be a number from 1 to below the order of secp256k1';
/** When a node is killed after a request was sent, in milliseconds: before, in and after its commits, as it happens. */
const DELAYS_MS = [0, 3, 6, 10, 15, 30] as const;
const PRICE = '5000000';

for (const engine of everyEngine()) {
  describe(`a purchase by x402 whose node is killed, on ${engine.name}`, () => {
    const { did: agentDid, publicKey } = makeAgent();
    let chain: ChainDouble;
    let node: KilledNode;
    let purchases = 0;

    const send = (path: string, body?: Loose) => node.send(path, body);
    const ask = (path: string, body?: Loose) => node.ask(path, body);
    const AUTHORIZE = '/ap2/http-payments/authorize';
    const SETTLEMENTS = '/ap2/http-payments/settlements';
    const asking = () => {
      purchases += 1;
      const paymentRequired = headerText(x402Required([x402Offer()]));
      const url = `https://reports.example/report/${purchases}`;
      return { agentDid, url, paymentRequired, idempotencyKey: `purchase-${purchases}` };
    };
    const authorize = (body: Loose) => ask(AUTHORIZE, body);
    /** As an agent asks again: a purchase whose signing was cut off is tried again by the node, and is answered then. */
    const authorizeInTheEnd = async (body: Loose) => {
      await until('the answer', async () => (await send(AUTHORIZE, body)).status === 200, 20_000);
      return authorize(body);
    };
    /** As a facilitator sends it. @returns the transaction */
    const settle = ({ paymentPayload }: Loose): string => {
      const { nonce, value } = paymentPayload.payload.authorization;
      return chain.settle(nonce, value);
    };
    const becomes = (mandateId: string, status: string) => node.becomes(mandateId, status);
    const countOf = async (eventType: string, mandateId: string) => {
      const { data } = await ask(`/ap2/evidence/search?eventType=${eventType}&limit=200`);
      return data.filter((event: Loose) => event.data.mandateId === mandateId).length;
    };

    before(async () => {
      chain = await openChain(8453, Math.floor(Date.now() / 1000));
      const rail = { RAIL_TIMEOUT_SECONDS: '1', RAIL_RETRY_SECONDS: '0' };
      node = await KilledNode.open(engine, () => ({ ...rail, LOG_LEVEL: 'debug' }));
      await ask('/ap2/agents', { name: 'buyer', publicKey });
      const rules = { version: '2.0', spend: { amount_cap: 100_000 }, merchant: { allow_unbound_payees: true } };
      await ask('/ap2/admin/policies', { name: 'wide', rules, activate: true });
      await ask('/ap2/admin/wallets', { network: BASE, privateKey: WALLET_KEY, rpcUrl: chain.url });
    });
    after(async () => {
      await node.close();
      await chain.close();
    });

    test('before the answer with the transfer: the same bytes are answered to the same key, and to what replaces it', async () => {
      const body = asking();
      const file = join(node.dataDir, 'answer.json');
      await node.diesOf({ DIE_BEFORE: '"paymentPayload"', DIE_KEEPING: file }, AUTHORIZE, body);
      const lost = await readFile(file, 'utf8');
      assert.equal(await (await send(AUTHORIZE, body)).text(), lost);
      const answer = JSON.parse(lost);
      const second = await authorize({ ...body, idempotencyKey: 'another', replaces: answer.mandateId });
      assert.equal(second.send.header.value, answer.send.header.value);
      settle(answer);
      await ask(SETTLEMENTS, { mandateId: answer.mandateId, status: 402 });
      await becomes(answer.mandateId, 'CAPTURED');
    });

    test('between the two commits: what was not signed is signed for the same payment, to the end that it had', async () => {
      const body = asking();
      const before = Math.floor(Date.now() / 1000);
      await node.diesOf({ DIE_AT_LOAD: SIGNING }, AUTHORIZE, body);
      const latest = Math.floor(Date.now() / 1000);
      const answer = await authorizeInTheEnd(body);
      const { validBefore } = answer.paymentPayload.payload.authorization;
      assert.ok(Number(validBefore) >= before + 60 && Number(validBefore) <= latest + 60, validBefore);
      assert.deepEqual(await authorize(body), answer);
      assert.equal(await countOf('PM_ISSUED', answer.mandateId), 1);
      assert.equal(await countOf('PAYMENT_AUTHORIZED', answer.mandateId), 1);
      settle(answer);
      await ask(SETTLEMENTS, { mandateId: answer.mandateId, paymentResponse: x402Response(), status: 200 });
      await becomes(answer.mandateId, 'CAPTURED');
    });

    test('while the chain is asked after a report: it is asked again, and the payment is captured once', async () => {
      const answer = await authorize(asking());
      settle(answer);
      const { mandateId } = answer;
      const asked = chain.asked.length;
      chain.isPrompt = false;
      const cut = send(SETTLEMENTS, { mandateId, status: 402 }).catch(() => undefined);
      await until('the question', async () => chain.asked.length > asked);
      await node.restart();
      await cut;
      chain.isPrompt = true;
      await ask(SETTLEMENTS, { mandateId, status: 402 });
      // A machine that is busy may have no answer of the chain in the second that it is given; it is asked again.
      await becomes(mandateId, 'CAPTURED');
      assert.equal(await countOf('PAYMENT_CAPTURED', mandateId), 1);
    });

    test('before the answer to a report: it is captured, or released, once', async () => {
      const paid = await authorize(asking());
      settle(paid);
      const report = { mandateId: paid.mandateId, paymentResponse: x402Response(), status: 200 };
      await node.diesOf({ DIE_BEFORE: '"CAPTURED"' }, SETTLEMENTS, report);
      assert.equal((await ask(SETTLEMENTS, report)).captured, 5);
      assert.equal(await countOf('PAYMENT_CAPTURED', paid.mandateId), 1);
      const { mandateId } = await authorize(asking());
      chain.time += 3600;
      await node.diesOf({ DIE_BEFORE: '"CANCELED"' }, SETTLEMENTS, { mandateId, status: 402 });
      await becomes(mandateId, 'CANCELED');
      chain.time -= 3600;
      assert.equal(await countOf('PAYMENT_CANCELED', mandateId), 1);
    });

    test('at any moment of it: a retry gets the one transfer of its purchase', async () => {
      for (const delay of DELAYS_MS) {
        const body = asking();
        const cut = send(AUTHORIZE, body).then(
          (response) => response.text(),
          () => undefined,
        );
        await new Promise((resolve) => setTimeout(resolve, delay));
        await node.restart();
        const seen = await cut.catch(() => undefined);
        const answer = await authorizeInTheEnd(body);
        assert.equal(answer.allowed, true, JSON.stringify(answer));
        if (seen?.includes('"paymentPayload"')) assert.deepEqual(JSON.parse(seen), answer);
        settle(answer);
        const { mandateId } = answer;
        const report = send(SETTLEMENTS, { mandateId, status: 402 }).catch(() => undefined);
        await new Promise((resolve) => setTimeout(resolve, delay));
        await node.restart();
        await report;
        // A chain that does not answer within the second that this node gives it leaves the payment as it was, for another report.
        const isCaptured = async () => (await ask(SETTLEMENTS, { mandateId, status: 402 })).status === 'CAPTURED';
        await until(`the capture, after ${delay} ms`, isCaptured, 20_000);
        assert.equal(await countOf('PAYMENT_CAPTURED', mandateId), 1);
      }
    });

    test('and once all is quiet the books have what the chain shows, and no key was printed', async () => {
      const { data } = await ask('/ap2/payments?limit=200');
      assert.equal(data.length, purchases);
      const booked = data.reduce((sum: number, { captured }: Loose) => sum + captured, 0);
      assert.equal(BigInt(booked * 1_000_000), chain.moved);
      assert.equal(chain.moved, BigInt(PRICE) * BigInt(purchases - 1), 'all but the one that was released');
      const printed = node.printed + node.current.output();
      assert.ok(printed.length > 1000);
      assert.ok(!printed.toLowerCase().includes(WALLET_KEY.slice(2)));
    });
  });
}

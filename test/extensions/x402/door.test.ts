/** The door for what servers ask by HTTP, with x402 behind it: wallets, what is signed, and what becomes of it on the chain. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { verifyTypedData } from 'viem';
import { transferFault } from '../../../protocol/evidence/bundleTransfer.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { headerText } from '../../../protocol/x402/paymentRequired.ts';
import { transferMismatch } from '../../../protocol/x402/spendMandate.ts';
import { authorizationOf } from '../../../protocol/x402/transferAuthorization.ts';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { confirmTransfers } from '../../../src/extensions/x402/confirmTransfers.ts';
import { beginDecision, completeDecision } from '../../../src/operations/approvals/decideApproval.ts';
import { expireHolds, warnOfHolds } from '../../../src/workers/expireHolds.ts';
import { reconcile } from '../../../src/workers/reconcile.ts';
import { type ChainDouble, openChain } from '../../support/chainDouble.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import type { Loose } from '../../support/world.ts';
import {
  BASE,
  SHOP,
  USDC,
  WALLET_ADDRESS,
  WALLET_KEY,
  x402Document,
  x402Offer,
  x402Required,
  x402Response,
} from '../../support/x402Offer.ts';

const URL_OF_REPORT = 'https://reports.example/report?b=2&a=1';
const PAYEE = `${BASE}:${SHOP.toLowerCase()}`;

const PHONE = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));

const chains: ChainDouble[] = [];
after(async () => {
  for (const chain of chains) await chain.close();
});

function payloadIn(answer: Loose): Loose {
  assert.equal(answer.allowed, true, JSON.stringify(answer));
  const { name, value } = answer.send.header;
  assert.equal(name, 'PAYMENT-SIGNATURE');
  return x402Document(value);
}

interface Options {
  readonly wallet?: object | false;
  readonly chain?: boolean;
  readonly phone?: boolean;
}

async function world(rules: object = {}, { wallet = {}, chain: hasChain = false, phone = false }: Options = {}) {
  const node = await memoryNode();
  if (Object.keys(rules).length > 0) {
    const limits = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
    await node.run('createPolicy', { name: 'Tested', rules: { ...limits, ...rules } });
  }
  const chain = hasChain ? await openChain(8453, Math.floor(node.clock.now / 1000)) : undefined;
  if (chain !== undefined) chains.push(chain);
  const { did: agentDid } = await node.agent();
  if (phone) {
    const { publicKey } = await node.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
    await node.run('completePasskeyRegistration', { agentDid, credential: PHONE.create(publicKey) });
  }
  const rpc = chain === undefined ? {} : { rpcUrl: chain.url };
  const added =
    wallet === false
      ? undefined
      : await node.run('createWallet', { network: BASE, privateKey: WALLET_KEY, ...rpc, ...wallet });
  const authorize = (more: object = {}, asked: object = {}): Promise<Loose> =>
    node.run('authorizeHttpPayment', {
      agentDid,
      url: URL_OF_REPORT,
      paymentRequired: headerText(x402Required([x402Offer(asked)])),
      ...more,
    });
  const settle = (report: object): Promise<Loose> => node.run('settleHttpPayment', report);
  const payment = (mandateId: string): Promise<Loose> => node.run('getPayment', { mandateId });
  const lastEvent = async (): Promise<Loose> => (await node.run('searchEvidence', { limit: 1 })).data[0];
  return { node, agentDid, wallet: added, chain: chain as ChainDouble, authorize, settle, payment, lastEvent };
}

describe('an offer of x402', () => {
  test('is paid by a transfer of exactly its sum, bound to the mandate of the payment', async () => {
    const { node, authorize, payment, wallet } = await world();
    const answer = await authorize();
    const payload = payloadIn(answer);
    assert.deepEqual(payload, answer.paymentPayload);
    const { authorization, signature } = payload.payload;
    assert.equal(payload.accepted.payTo, SHOP);
    assert.deepEqual(
      [authorization.from, authorization.to, authorization.value, authorization.validAfter],
      [WALLET_ADDRESS, SHOP, '5000000', '0'],
    );
    assert.equal(Number(authorization.validBefore), Math.floor(node.clock.now / 1000) + 60);
    const asset = { network: BASE, address: USDC.toLowerCase(), name: 'USD Coin', version: '2' };
    const { typedData } = authorizationOf({
      requirement: { asset, payTo: SHOP.toLowerCase(), amount: '5000000' },
      from: WALLET_ADDRESS.toLowerCase(),
      nonce: authorization.nonce,
      validBefore: Number(authorization.validBefore),
    });
    assert.ok(await verifyTypedData({ ...typedData, address: WALLET_ADDRESS, signature } as Loose));
    const paid = await payment(answer.mandateId);
    assert.deepEqual(
      [paid.status, paid.rail, paid.merchant, paid.amount, paid.railTransactionId],
      ['AUTHORIZED', 'X402_RAIL', 'reports.example', 5, authorization.nonce],
    );
    const { data } = await node.run('searchEvidence', { limit: 4 });
    const [authorized, issued, validated] = data;
    assert.equal(authorized.eventType, 'PAYMENT_AUTHORIZED');
    const transfer = { ...authorization, network: BASE, asset: USDC.toLowerCase() };
    assert.deepEqual(authorized.data.transfer, transfer);
    const known = { issuerKey: node.deps.issuer.publicKey, paymentId: answer.mandateId };
    const { mandate } = authorized.data;
    assert.equal(transferMismatch(node.deps.suite, mandate, { ...known, transfer }), undefined);
    const more = { ...transfer, value: '5000001' };
    assert.match(String(transferMismatch(node.deps.suite, mandate, { ...known, transfer: more })), /more than/);
    assert.equal(mandate.mandate.purpose, 'https://reports.example/report');
    assert.equal(issued.data.instrument, wallet?.id);
    assert.deepEqual(
      [validated.data.exact, validated.data.network, validated.data.payTo, validated.data.urlClaimed],
      [{ amount: '5.00', asset: 'USDC', decimals: 6 }, BASE, SHOP.toLowerCase(), 'https://called.example/report'],
    );
  });

  test('is answered with the same bytes under one key, however often and at once it is asked for', async () => {
    const { node, agentDid } = await world();
    const reused = { code: 'CONFLICT', message: 'The key was used before.' } as const;
    const idempotency = { tenantId: node.owner.tenantId, scope: 'owner', key: 'k', hash: 'h', reused, secret: true };
    const input = { agentDid, url: URL_OF_REPORT, paymentRequired: headerText(x402Required([x402Offer()])) };
    const ask = () => node.runCall('authorizeHttpPayment', input, { idempotency });
    const settled = await Promise.allSettled(Array.from({ length: 20 }, ask));
    const answers = settled.flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []));
    assert.equal(new Set([...answers, await ask()]).size, 1);
    for (const each of settled) assert.ok(each.status === 'fulfilled' || each.reason.code === 'CONFLICT', String(each));
    assert.equal((await node.events()).filter((type) => type === 'PM_ISSUED').length, 1);
  });

  test('is signed alike once more where the node stopped before it answered', async () => {
    const { node, authorize, payment } = await world();
    const rail = node.deps.rails.get('X402_RAIL');
    assert.ok(rail !== undefined);
    const signed: string[] = [];
    const rails = node.deps.rails as Map<string, typeof rail>;
    rails.set(rail.id, {
      ...rail,
      authorize: async (key, request) => {
        const outcome = await rail.authorize(key, request);
        if (outcome.kind === 'ok') signed.push(String(outcome.credential));
        return signed.length === 1 ? { kind: 'unknown', reason: 'The answer was lost.' } : outcome;
      },
    });
    await assert.rejects(authorize({ idempotencyKey: 'k' }), { code: 'UNAVAILABLE' });
    node.clock.now += 3_600_000;
    await reconcile(node.deps);
    assert.equal(signed.length, 2);
    assert.equal(signed[0], signed[1]);
    const { data } = await node.run('listPayments', { limit: 1 });
    assert.equal((await payment(data[0].mandateId)).status, 'AUTHORIZED');
  });

  test('is answered for a tool of an MCP server where that takes it', async () => {
    const { authorize } = await world();
    const answer = await authorize({ paymentRequired: x402Required([x402Offer()]), toolName: 'report' });
    assert.equal(answer.send.meta.key, 'x402/payment');
    assert.equal(answer.send.meta.value.payload.authorization.value, '5000000');
    assert.equal(answer.send.header, undefined);
  });

  test('gets the payment’s id where the server declares payment-identifier, and nothing else of its extensions', async () => {
    const { authorize } = await world();
    const extensions = { 'payment-identifier': { info: { required: true } }, 'sign-in-with-x': { info: {} } };
    const answer = await authorize({ paymentRequired: headerText(x402Required([x402Offer()], { extensions })) });
    assert.deepEqual(payloadIn(answer).extensions, {
      'payment-identifier': { info: { required: true, id: answer.mandateId } },
    });
  });

  test('over the cap signs nothing', async () => {
    const { node, authorize } = await world();
    const answer = await authorize({}, { amount: '5000000000' });
    assert.deepEqual([answer.allowed, answer.reasonCodes], [false, ['AMOUNT_OVER_CAP']]);
    assert.ok(!(await node.events()).includes('PM_ISSUED'));
  });

  test('of less than a cent counts as one', async () => {
    const { authorize, payment } = await world();
    const { mandateId } = await authorize({}, { amount: '1000' });
    assert.equal((await payment(mandateId)).amount, 0.01);
  });

  test('is refused where nothing can pay it, with what was offered', async () => {
    const { authorize } = await world({}, { wallet: false });
    const answer = await authorize();
    assert.deepEqual(answer.reasonCodes, ['RAIL_UNAVAILABLE']);
    assert.match(answer.details.RAIL_UNAVAILABLE.message, /no wallet on eip155:8453/);
  });

  test('is refused by the policy that allows other rails alone', async () => {
    const { authorize } = await world({ rails: { allow: ['CARD_RAIL'] } });
    assert.deepEqual((await authorize()).reasonCodes, ['RAIL_UNAVAILABLE']);
  });

  test('that is malformed, or too long to be sent, is refused before anything is signed', async () => {
    const { node, authorize } = await world();
    await assert.rejects(authorize({}, { amount: '0' }), { code: 'BAD_REQUEST' });
    await assert.rejects(authorize({}, { maxTimeoutSeconds: 5 }), /maxTimeoutSeconds/);
    await assert.rejects(authorize({}, { payTo: SHOP.replace('B', 'b') }), /EIP-55/);
    await assert.rejects(authorize({ accepted: x402Offer({ amount: '1' }) }), /none of the offers/);
    const answer = await authorize({}, { extra: { name: 'USD Coin', version: '2', note: 'x'.repeat(12_000) } });
    assert.match(answer.details.RAIL_UNAVAILABLE.message, /too long to be paid/);
    assert.ok(!(await node.events()).includes('PM_ISSUED'));
  });
});

test('the bundle of a payment shows its transfer, and fails for another one', async () => {
  const { node, authorize } = await world();
  const { transactionId } = await authorize();
  const { suite, issuer } = node.deps;
  const text = await node.runCall('evidenceBundle', { transactionId, format: 'portable' });
  const bundle = JSON.parse(text);
  const verified = verifyBundle(suite, text, issuer.did);
  assert.ok(verified.ok, JSON.stringify(verified));
  const { data } = bundle.events.at(-1);
  for (const [name, value] of [
    ['value', '5000001'],
    ['to', USDC],
    ['nonce', `0x${'0'.repeat(64)}`],
  ] as const) {
    const events = [
      { eventType: 'PAYMENT_AUTHORIZED', data: { ...data, transfer: { ...data.transfer, [name]: value } } },
    ];
    assert.match(String(transferFault(suite, { ...bundle, events }, [issuer.did])?.reason), /The transfer is/);
  }
});

describe('the wallet', () => {
  test('is the agent’s own, then its principal’s, then that of all', async () => {
    const { node, agentDid, authorize, wallet } = await world();
    const instrumentOf = async (more: object = {}) => (await authorize(more)).paymentPayload.payload.authorization.from;
    assert.equal(await instrumentOf(), wallet?.address);
    const own = await node.run('createWallet', { network: BASE, agentDid });
    assert.equal(await instrumentOf(), own.address);
    assert.equal(await instrumentOf({ instrument: wallet?.id }), wallet?.address);
    const { did: other } = await node.agent();
    const foreign = await node.run('createWallet', { network: BASE, agentDid: other });
    await assert.rejects(authorize({ instrument: foreign.id }), /a wallet neither of this agent/);
  });

  test('knows tokens of a chain of its own', async () => {
    const network = 'eip155:31337';
    const token = { asset: USDC, name: 'Test', version: '1', symbol: 'TST', decimals: 6, currency: 'USD' };
    const { authorize } = await world({}, { wallet: { network, assets: [token] } });
    const answer = await authorize({}, { network, extra: { name: 'Test', version: '1' } });
    assert.equal(answer.allowed, true, JSON.stringify(answer));
  });

  test('stays while a payment of it may be settled', async () => {
    const { node, authorize, wallet, settle } = await world();
    const { mandateId } = await authorize();
    await assert.rejects(node.run('removeWallet', { id: wallet?.id }), { code: 'CONFLICT' });
    await settle({ mandateId, paymentResponse: x402Response() });
    await node.run('removeWallet', { id: wallet?.id });
  });
});

describe('the payee', () => {
  test('of another domain, or none of those of the domain, is refused', async () => {
    const { node, authorize } = await world({ merchant: { allow_unbound_payees: true } });
    await node.run('bindMerchant', { domain: 'reports.example', payTo: [`${BASE}:${USDC}`] });
    assert.deepEqual((await authorize()).reasonCodes, ['MERCHANT_UNVERIFIED']);
    await node.run('bindMerchant', { domain: 'other.example', payTo: [`${BASE}:${SHOP}`] });
    assert.ok((await authorize()).reasonCodes.includes('MERCHANT_MISMATCH'));
  });

  test('that is bound is paid where unbound ones are not', async () => {
    const { node, authorize } = await world({ merchant: { allow_unbound_payees: false } });
    assert.deepEqual((await authorize()).reasonCodes, ['MERCHANT_UNVERIFIED']);
    await node.run('bindMerchant', { domain: 'reports.example', payTo: [PAYEE] });
    assert.equal((await authorize()).allowed, true);
  });
});

describe('two protocols at once', () => {
  const both = { challenges: [mppChallenge({ id: 'c1' })] };

  test('are paid by the first that the policy prefers, for equal money only', async () => {
    const { authorize } = await world({ rails: { allow: ['SPT_RAIL', 'X402_RAIL'], priorities: ['X402_RAIL'] } });
    assert.equal((await authorize(both)).protocol, 'x402');
    await assert.rejects(authorize(both, { amount: '5010000' }), /5\.00 USD and 5\.01 USDC/);
  });

  test('are paid by MPP where nothing is preferred, and by the wallet that is named', async () => {
    const { authorize, wallet } = await world();
    assert.equal((await authorize(both)).protocol, 'mpp');
    assert.equal((await authorize({ ...both, instrument: wallet?.id })).protocol, 'x402');
  });
});

test('a touch buys by a fresh offer of equal content', async () => {
  const { node, authorize } = await world({ context: { presence: 'required' } }, { phone: true });
  const first = await authorize();
  assert.deepEqual(first.reasonCodes, ['HP_REQUIRED']);
  const { challengeId, publicKey } = await beginDecision.run(node.deps, { id: first.approval.id, decision: 'approve' });
  await completeDecision.run(node.deps, { id: first.approval.id, challengeId, credential: PHONE.get(publicKey) });
  node.clock.now += 120_000;
  const bought = await authorize({ approvalId: first.approval.id });
  assert.equal(payloadIn(bought).payload.authorization.value, '5000000');
});

describe('a report', () => {
  test('of success counts the money as spent, by the merchant’s word, with its transaction', async () => {
    const { authorize, settle, lastEvent } = await world();
    const { mandateId, paymentPayload } = await authorize();
    const { nonce } = paymentPayload.payload.authorization;
    const settled = await settle({ nonce, paymentResponse: x402Response(), status: 200 });
    assert.deepEqual([settled.mandateId, settled.status, settled.captured], [mandateId, 'CAPTURED', 5]);
    const { data } = await lastEvent();
    assert.deepEqual([data.attested, data.reference], ['merchant', `0x${'b'.repeat(64)}`]);
  });

  test('with a receipt that the merchant has signed is by its signature', async () => {
    const { node, authorize, settle, lastEvent } = await world();
    const { suite } = node.deps;
    const signer = suite.signer(new Uint8Array(32).fill(9));
    await node.run('bindMerchant', { domain: 'reports.example', did: signer.did });
    const jws = (payload: object) => {
      const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
      const content = `${part({ alg: 'EdDSA', kid: signer.did })}.${part({ version: 1, ...payload })}`;
      return {
        format: 'jws',
        signature: `${content}.${Buffer.from(signer.sign(Buffer.from(content))).toString('base64url')}`,
      };
    };
    const resourceUrl = 'https://called.example/report';
    const terms = { resourceUrl, scheme: 'exact', network: BASE, asset: USDC, payTo: SHOP, amount: '5000000' };
    const extensions = { 'offer-receipt': { info: { offers: [jws(terms)] } } };
    const paymentRequired = headerText(x402Required([x402Offer()], { extensions }));
    const issuedAt = Math.floor(node.clock.now / 1000);
    const receipt = (more: object = {}) => ({
      'offer-receipt': {
        info: { receipt: jws({ network: BASE, resourceUrl, payer: WALLET_ADDRESS, issuedAt, ...more }) },
      },
    });
    const attestedBy = async (made: object) => {
      const { mandateId } = await authorize({ paymentRequired });
      await settle({ mandateId, paymentResponse: x402Response({ extensions: made }) });
      return (await lastEvent()).data;
    };
    const { attested, signed } = await attestedBy(receipt());
    assert.deepEqual([attested, signed.kid], ['merchant_signed', signer.did]);
    assert.equal((await attestedBy(receipt({ payer: SHOP }))).attested, 'merchant');
    assert.equal((await attestedBy({})).attested, 'merchant');
  });

  test('of anything else changes nothing: it proves nothing', async () => {
    const { authorize, settle, lastEvent } = await world();
    const { mandateId } = await authorize();
    const failed = { success: false, errorReason: 'Facilitator settle failed (500): boom', transaction: '' };
    for (const report of [
      { paymentResponse: headerText(failed), status: 402 },
      { paymentResponse: x402Response({ success: false, errorReason: 'settlement_pending' }), status: 402 },
      { status: 500 },
      { status: 402, problem: { title: 'Payment required' } },
    ]) {
      assert.equal((await settle({ mandateId, ...report })).status, 'AUTHORIZED');
      assert.equal((await lastEvent()).eventType, 'PAYMENT_NOTED');
    }
  });

  test('of another chain, wallet or sum is refused', async () => {
    const { authorize, settle } = await world();
    const { mandateId } = await authorize();
    for (const other of [{ network: 'eip155:1' }, { payer: SHOP }, { amount: '1' }]) {
      await assert.rejects(settle({ mandateId, paymentResponse: x402Response(other) }), { code: 'BAD_REQUEST' });
    }
  });

  test('is followed by a look at the chain, which settles', async () => {
    const { authorize, settle, chain, lastEvent } = await world({}, { chain: true });
    const { mandateId, paymentPayload } = await authorize();
    const reference = chain.settle(paymentPayload.payload.authorization.nonce);
    assert.equal((await settle({ mandateId, status: 402 })).status, 'CAPTURED');
    const { data } = await lastEvent();
    assert.deepEqual([data.attested, data.reference], ['chain', reference]);
  });
});

describe('what a merchant said of a settlement', () => {
  async function told() {
    const made = await world({}, { chain: true });
    const { mandateId, paymentPayload } = await made.authorize();
    await made.settle({ mandateId, paymentResponse: x402Response(), status: 200 });
    const look = async (ms: number) => {
      made.node.clock.now += ms;
      await confirmTransfers(made.node.deps);
      return made.payment(mandateId);
    };
    return { ...made, look, nonce: paymentPayload.payload.authorization.nonce };
  }

  test('is confirmed by the chain, once', async () => {
    const { node, chain, look, nonce, lastEvent } = await told();
    const reference = chain.settle(nonce);
    await look(60_000);
    assert.equal((await lastEvent()).eventType, 'PAYMENT_CAPTURED');
    assert.equal((await look(90_001)).attention, undefined);
    const { eventType, data } = await lastEvent();
    assert.deepEqual([eventType, data.attested, data.reference], ['PAYMENT_NOTED', 'chain', reference]);
    await look(7_200_000);
    assert.equal((await node.events()).filter((type) => type === 'PAYMENT_NOTED').length, 1);
  });

  test('is left to a person where the chain contradicts it, and frees nothing', async () => {
    const { chain, look } = await told();
    assert.equal((await look(150_001)).attention, undefined);
    chain.time += 100;
    const payment = await look(3_600_001);
    assert.equal(payment.status, 'CAPTURED');
    assert.match(payment.attention.reason, /CAPTURED here and canceled at the rail/);
  });
});

describe('a hold that has lapsed', () => {
  async function lapsed(options: Options = { chain: true }) {
    const made = await world({}, options);
    const answer = await made.authorize();
    const { nonce } = answer.paymentPayload.payload.authorization;
    const wait = async () => {
      made.node.clock.now += 121_000;
      await warnOfHolds(made.node.deps);
      await expireHolds(made.node.deps);
      await reconcile(made.node.deps);
      return (await made.payment(answer.mandateId)).status;
    };
    return { ...made, nonce, wait, mandateId: answer.mandateId };
  }

  test('is released once the chain’s time is past it and nothing was settled', async () => {
    const { chain, wait, lastEvent } = await lapsed();
    assert.equal(await wait(), 'AUTHORIZED');
    chain.time += 61;
    assert.equal(await wait(), 'CANCELED');
    assert.equal((await lastEvent()).data.attested, 'chain');
  });

  test('is captured where the chain has settled it', async () => {
    const { chain, nonce, wait } = await lapsed();
    chain.settle(nonce);
    chain.time += 61;
    assert.equal(await wait(), 'CAPTURED');
  });

  test('is held while no chain says so', async () => {
    const unasked = await lapsed({});
    assert.equal(await unasked.wait(), 'AUTHORIZED');
    const { chain, wait } = await lapsed();
    chain.time += 1000;
    chain.chainId = 1;
    assert.equal(await wait(), 'AUTHORIZED');
    chain.chainId = 8453;
    chain.isUp = false;
    assert.equal(await wait(), 'AUTHORIZED');
    chain.isUp = true;
    assert.equal(await wait(), 'CANCELED');
  });
});

describe('a second try', () => {
  test('of what may still be settled is answered with the same transfer', async () => {
    const { node, authorize } = await world();
    const first = await authorize({ idempotencyKey: 'k1' });
    node.clock.now += 10_000;
    const second = await authorize({ idempotencyKey: 'k2', replaces: first.mandateId });
    assert.equal(second.send.header.value, first.send.header.value);
    await assert.rejects(authorize({ replaces: first.mandateId }, { amount: '4000000' }), { code: 'CONFLICT' });
  });

  test('of what was paid is refused, with the payment', async () => {
    const { authorize, settle } = await world();
    const { mandateId } = await authorize();
    await settle({ mandateId, paymentResponse: x402Response() });
    const second = await authorize({ replaces: mandateId });
    assert.deepEqual([second.reasonCodes, second.duplicateOf.mandateId], [['DUPLICATE_SUSPECTED'], mandateId]);
  });
});

test('a payment is captured, canceled and refunded by no call', async () => {
  const { node, authorize } = await world();
  const { mandateId } = await authorize();
  for (const operation of ['capturePayment', 'cancelPayment', 'refundPayment'] as const) {
    await assert.rejects(node.run(operation, { mandateId }), { code: 'CONFLICT' });
  }
});

test('the key of a wallet, and what signs by it, are in nothing that is stored or told', async () => {
  const { node, authorize } = await world();
  const { paymentPayload } = await authorize();
  const { signature } = paymentPayload.payload;
  const told = JSON.stringify(await node.run('searchEvidence', { limit: 50 }));
  assert.ok(!told.includes(WALLET_KEY.slice(2)) && !told.includes(signature.slice(2)));
});

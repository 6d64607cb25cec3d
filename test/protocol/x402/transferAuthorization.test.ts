/** Payments as they are signed and sent, and what servers say of them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { headerObject, headerText } from '../../../protocol/x402/paymentRequired.ts';
import { readPaymentResponse, responseMismatch } from '../../../protocol/x402/paymentResponse.ts';
import {
  authorizationOf,
  lengthRefusal,
  paymentHeaderOf,
  paymentPayloadOf,
} from '../../../protocol/x402/transferAuthorization.ts';
import { BASE, offer, required, requirement, SHOP, USDC, WALLET } from './offers.ts';

const NOW = Date.UTC(2026, 10, 28, 9) + 999;
const NONCE = `0x${'ab'.repeat(32)}`;
const PAYMENT = 'pm_0123456789abcdef';
const SIGNATURE = `0x${'1'.repeat(130)}`;
const terms = {
  requirement: requirement(),
  from: WALLET,
  nonce: NONCE,
  validBefore: Math.floor(NOW / 1000) + requirement().validSeconds,
};

test('a transfer is signed by the table, to the second, with everything as text', () => {
  const { authorization, typedData } = authorizationOf(terms);
  assert.deepEqual(authorization, {
    from: '0x857b06519E91e3A54538791bDbb0E22373e36b66',
    to: SHOP,
    value: '10000',
    validAfter: '0',
    validBefore: String(Date.UTC(2026, 10, 28, 9, 1) / 1000),
    nonce: NONCE,
  });
  assert.deepEqual(typedData.domain, { name: 'USD Coin', version: '2', chainId: 8453, verifyingContract: USDC });
  assert.deepEqual(
    typedData.types.TransferWithAuthorization.map(({ type }) => type),
    ['address', 'address', 'uint256', 'uint256', 'uint256', 'bytes32'],
  );
  assert.equal(typedData.message, authorization);
  assert.deepEqual(authorizationOf(terms), authorizationOf(terms));
});

describe('a payment', () => {
  const { authorization } = authorizationOf(terms);
  const signed = { authorization, signature: SIGNATURE };
  test('repeats the offer and the address of the resource, and no extension', () => {
    const asked = required([offer()], { extensions: { bazaar: { info: {}, schema: {} } } });
    const payload = paymentPayloadOf(asked, terms.requirement, signed, PAYMENT);
    assert.deepEqual(payload, {
      x402Version: 2,
      payload: signed,
      resource: { url: 'https://api.example/report?day=1' },
      accepted: offer(),
    });
    const header = paymentHeaderOf(payload);
    assert.deepEqual('value' in header && headerObject(header.value), payload);
    assert.equal('name' in header && header.name, 'PAYMENT-SIGNATURE');
  });
  test('of a resource without an address has none', () => {
    const payload = paymentPayloadOf(required([offer()], { resource: undefined }), terms.requirement, signed, PAYMENT);
    assert.ok(!('resource' in payload));
  });
  test('names itself where the server asks, with what was declared', () => {
    const extensions = { 'payment-identifier': { info: { required: true, more: 1 }, schema: { type: 'object' } } };
    const { extensions: answers } = paymentPayloadOf(
      required([offer()], { extensions }),
      terms.requirement,
      signed,
      PAYMENT,
    );
    assert.deepEqual(answers, { 'payment-identifier': { info: { required: true, more: 1, id: PAYMENT } } });
    const bare = required([offer()], { extensions: { 'payment-identifier': {} } });
    assert.deepEqual(paymentPayloadOf(bare, terms.requirement, signed, PAYMENT).extensions, {
      'payment-identifier': { info: { required: false, id: PAYMENT } },
    });
    assert.equal(paymentPayloadOf(bare, terms.requirement, signed, 'short').extensions, undefined);
  });
  test('that is too long is refused before it is signed', () => {
    const long = (characters: number) => requirement({ x: 'x'.repeat(characters) });
    const asked = required();
    let [fits, fails] = [0, 15_000];
    while (fails - fits > 1) {
      const middle = (fits + fails) >> 1;
      if (lengthRefusal(asked, long(middle), PAYMENT, terms.validBefore) === undefined) fits = middle;
      else fails = middle;
    }
    const sent = paymentHeaderOf(paymentPayloadOf(asked, long(fits), signed, PAYMENT));
    assert.ok('value' in sent && sent.value.length <= 15_500 && sent.value.length > 15_490);
    const refused = paymentHeaderOf(paymentPayloadOf(asked, long(fails), signed, PAYMENT));
    assert.match('message' in refused ? refused.message : '', /too long to be paid/);
  });
});

describe('PAYMENT-RESPONSE', () => {
  const HASH = `0x${'AB'.repeat(32)}`;
  const settled = { success: true, transaction: HASH, network: BASE, payer: WALLET, amount: '10000' };
  const read = (received: string | object) => {
    const found = readPaymentResponse(received);
    return 'response' in found ? found.response : assert.fail(found.refused);
  };
  test('is read from a header and from an object', () => {
    for (const received of [headerText(settled), settled]) {
      assert.deepEqual(read(received), {
        outcome: 'settled',
        transaction: HASH.toLowerCase(),
        network: BASE,
        payer: WALLET,
        amount: '10000',
        reason: undefined,
        extensions: {},
        document: settled,
      });
    }
  });
  test('proves nothing where it says that it failed', () => {
    const failed = {
      success: false,
      errorReason: 'Facilitator settle failed (500): boom',
      transaction: '',
      network: BASE,
    };
    assert.equal(read(failed).outcome, 'unproven');
    assert.equal(read(failed).reason, 'Facilitator settle failed (500): boom');
    assert.equal(read({ ...failed, errorReason: 'settlement_pending' }).outcome, 'unproven');
    assert.equal(read({ ...failed, errorReason: 'settlement_pending', transaction: HASH }).outcome, 'pending');
  });
  test('is refused where it is none', () => {
    for (const received of ['x', headerText([]), {}, { success: 'true' }]) {
      assert.ok('refused' in readPaymentResponse(received));
    }
  });
  test('is of one payment', () => {
    const { requirement: paid } = terms;
    assert.equal(responseMismatch(read(settled), paid, WALLET), undefined);
    assert.equal(responseMismatch(read({ success: true }), paid, WALLET), undefined);
    for (const other of [{ network: 'eip155:1' }, { payer: SHOP }, { amount: '10001' }]) {
      assert.match(String(responseMismatch(read({ ...settled, ...other }), paid, WALLET)), /^is of another/);
    }
  });
});

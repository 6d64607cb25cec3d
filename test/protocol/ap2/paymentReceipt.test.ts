/** Payment receipts: what a node signs, a stock JWT library and the project's own verifier read alike. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { createLocalJWKSet, jwtVerify, SignJWT } from 'jose';
import { verifyPaymentReceipt } from '../../../client/receipts.ts';
import { type ReceiptClaims, signReceipt, verifyReceipt } from '../../../protocol/ap2/paymentReceipt.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { makeReceiptKey, receiptSigner } from '../../../src/crypto/receiptKey.ts';
import { makeP256 } from '../../support/p256.ts';

const key = makeReceiptKey();
const signing = { jwk: key.jwk, sign: receiptSigner(key) };
const keys = [{ ...key.jwk, alg: 'ES256', use: 'sig' }];
const iss = 'https://pay.example';
const success: ReceiptClaims = {
  iss,
  iat: 1_795_280_966,
  status: 'Success',
  reference: 'leaf-jwt-hash',
  reference_sd_hash: 'leaf-sd-hash',
  payment_id: 'pm_1',
  psp_confirmation_id: 'pi_1',
  network_confirmation_id: 'pi_1',
};
const error: ReceiptClaims = {
  iss,
  iat: 1_795_280_966,
  status: 'Error',
  reference: 'leaf-jwt-hash',
  payment_id: 'txn_1',
  error: 'invalid_mandate',
  error_description: 'It was used before.',
};

describe('a payment receipt', () => {
  for (const claims of [success, error]) {
    test(`of ${claims.status} verifies by jose and here, with every claim`, async () => {
      const receipt = signReceipt(signing, claims);
      const { payload, protectedHeader } = await jwtVerify(receipt, createLocalJWKSet({ keys } as never), {
        issuer: iss,
      });
      assert.deepEqual(payload, { ...claims });
      assert.deepEqual(protectedHeader, { alg: 'ES256', typ: 'JWT', kid: key.jwk.kid });
      for (const reference of [undefined, 'leaf-jwt-hash']) {
        assert.deepEqual(verifyReceipt(nobleSuite, receipt, { keys, iss, reference }), { ok: true, claims });
      }
    });
  }

  test('is found by either hash of its mandate', () => {
    const receipt = signReceipt(signing, success);
    assert.deepEqual(verifyPaymentReceipt(receipt, { keys, iss, reference: 'leaf-sd-hash' }), success);
  });

  const receipt = signReceipt(signing, success);
  const [head = '', body = '', end = ''] = receipt.split('.');
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const other = makeP256();
  const claimsWithout = (name: string) => Object.fromEntries(Object.entries(success).filter(([each]) => each !== name));
  const signed = (claims: object) => signReceipt(signing, claims as ReceiptClaims);
  for (const [what, text, expected, reason] of [
    ['altered', `${head}.${part({ ...success, payment_id: 'pm_2' })}.${end}`, {}, /none of the keys/],
    ['without a signature', `${head}.${body}.`, {}, /none of the keys/],
    ['of another algorithm', `${part({ alg: 'none' })}.${body}.`, {}, /ES256/],
    ['with a critical header', `${part({ alg: 'ES256', crit: ['x'], x: 1 })}.${body}.${end}`, {}, /crit/],
    ['by a key that is not published', receipt, { keys: [{ ...other.jwk, kid: key.jwk.kid }] }, /none of the keys/],
    ['by a key of another name', receipt, { keys: [{ ...key.jwk, kid: 'other' }] }, /none of the keys/],
    ['of another node', receipt, { iss: 'https://other.example' }, /issued by https:\/\/pay\.example/],
    ['for another mandate', receipt, { reference: 'other' }, /another mandate/],
    ['of no status', signed(claimsWithout('status')), {}, /malformed at "status"/],
    ['without a confirmation', signed(claimsWithout('psp_confirmation_id')), {}, /malformed at "psp_confirmation_id"/],
    ['that is no JWT', 'hello', {}, /no JWT/],
    ['that is huge', `${head}.${body.repeat(200)}.${end}`, {}, /no JWT/],
  ] as const) {
    test(`${what} is refused, and the reason named`, () => {
      const check = verifyReceipt(nobleSuite, text, { keys, iss, ...expected });
      assert.match(check.ok ? '' : check.reason, reason);
    });
  }

  test('by another key under the same kid is refused', async () => {
    const forged = await new SignJWT({ ...success })
      .setProtectedHeader({ alg: 'ES256', kid: key.jwk.kid })
      .sign(other.privateKey);
    assert.throws(() => verifyPaymentReceipt(forged, { keys, iss }), { code: 'INVALID_RECEIPT' });
  });
});

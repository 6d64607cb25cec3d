/** Receipts that merchants sign: those that prove a delivery, and those that prove nothing. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import type { PublicJwk } from '../../../protocol/jwk/jwk.ts';
import { isSignedByJwk } from '../../../protocol/jwk/jwkSignature.ts';
import {
  judgeReceipt,
  type ReceiptExpectation,
  signedOffers,
  signedReceipt,
} from '../../../protocol/x402/offerReceipt.ts';
import { BASE, SHOP, USDC, WALLET } from './offers.ts';

const utf8 = new TextEncoder();
const signer = suite.signer(new Uint8Array(32).fill(9));
const KEY: PublicJwk = { kty: 'OKP', crv: 'Ed25519', x: toBase64url(signer.publicKey) };
const KID = 'did:web:api.example#key-1';
const URL = 'https://api.example/report';
const keys = {
  keyOf: (kid: string) => (kid === KID ? KEY : undefined),
  isSigned: (key: PublicJwk, content: Uint8Array, signature: Uint8Array) =>
    isSignedByJwk(suite, key, content, signature),
};

function jws(payload: object, header: object = {}): object {
  const part = (value: object) => toBase64url(utf8.encode(JSON.stringify(value)));
  const content = `${part({ alg: 'EdDSA', kid: KID, ...header })}.${part(payload)}`;
  return { format: 'jws', signature: `${content}.${toBase64url(signer.sign(utf8.encode(content)))}` };
}

const OFFER = {
  version: 1,
  resourceUrl: URL,
  scheme: 'exact',
  network: BASE,
  asset: USDC,
  payTo: SHOP,
  amount: '10000',
};
const RECEIPT = { version: 1, network: BASE, resourceUrl: URL, payer: WALLET, issuedAt: 1000 };
const EXPECTED: ReceiptExpectation = {
  network: BASE,
  asset: USDC.toLowerCase(),
  payTo: SHOP.toLowerCase(),
  payer: WALLET,
  amount: '10000',
  url: URL,
  from: 900,
  until: 1200,
};

test('a receipt with the offer of what was paid proves the delivery', () => {
  const other = jws({ ...OFFER, amount: '20000' });
  const required = { 'offer-receipt': { info: { offers: [other, { format: 'eip712' }, jws(OFFER)] } } };
  const answer = { 'offer-receipt': { info: { receipt: jws(RECEIPT, { jwk: KEY }) } } };
  assert.deepEqual(judgeReceipt(signedOffers(required), signedReceipt(answer), EXPECTED, keys), {
    receipt: { kid: KID, offer: OFFER, receipt: RECEIPT },
  });
  assert.deepEqual([signedOffers({}), signedReceipt({ 'offer-receipt': 1 })], [[], undefined]);
});

test('a shop may call its resource by a name of its own, in both', () => {
  const resourceUrl = 'https://shop.example/r/1';
  const judged = judgeReceipt([jws({ ...OFFER, resourceUrl })], jws({ ...RECEIPT, resourceUrl }), EXPECTED, keys);
  assert.ok('receipt' in judged);
});

describe('it proves nothing', () => {
  const good = jws(RECEIPT) as { readonly signature: string };
  const cut = { format: 'jws', signature: good.signature.replace(/.{10}$/, '') };
  const receipts: Readonly<Record<string, readonly [receipt: unknown, sentence: RegExp]>> = {
    'where there is no receipt': [undefined, /JWS form/],
    'in the form of EIP-712': [{ format: 'eip712', payload: RECEIPT, signature: '0x' }, /JWS form/],
    'that is no JWS': [{ format: 'jws', signature: 'a.b' }, /no JWS/],
    'that is cut': [cut, /not signed/],
    'with a key that is not the merchant’s': [jws(RECEIPT, { kid: 'did:web:evil.example#1', jwk: KEY }), /not known/],
    'that names no key': [jws(RECEIPT, { kid: undefined, jwk: KEY }), /names no key/],
    'that carries another key': [jws(RECEIPT, { jwk: { ...KEY, x: 'AAAA' } }), /another key/],
    'of another algorithm': [jws(RECEIPT, { alg: 'none' }), /another algorithm/],
    'with a header that must be understood': [jws(RECEIPT, { crit: ['x'] }), /not understood/],
    'of another version': [jws({ ...RECEIPT, version: 2 }), /version/],
    'of another chain': [jws({ ...RECEIPT, network: 'eip155:1' }), /another chain/],
    'of another payer': [jws({ ...RECEIPT, payer: SHOP }), /another payer/],
    'of another resource': [jws({ ...RECEIPT, resourceUrl: `${URL}s` }), /another resource/],
    'of no resource': [jws({ ...RECEIPT, resourceUrl: undefined }), /another resource/],
    'of an earlier time': [jws({ ...RECEIPT, issuedAt: 899 }), /another time/],
    'of a later time': [jws({ ...RECEIPT, issuedAt: 1201 }), /another time/],
  };
  for (const [name, [receipt, sentence]] of Object.entries(receipts)) {
    test(name, () => {
      const judged = judgeReceipt([jws(OFFER)], receipt, EXPECTED, keys);
      assert.match('unproven' in judged ? judged.unproven : 'proven', sentence);
    });
  }
  const offers: Readonly<Record<string, object>> = {
    'of another sum': { ...OFFER, amount: '10001' },
    'of another payee': { ...OFFER, payTo: WALLET },
    'of another token': { ...OFFER, asset: SHOP },
    'of another scheme': { ...OFFER, scheme: 'upto' },
    'of another chain': { ...OFFER, network: 'eip155:1' },
  };
  for (const [name, offer] of Object.entries(offers)) {
    test(`with an offer ${name}`, () => {
      const judged = judgeReceipt([jws(offer)], jws(RECEIPT), EXPECTED, keys);
      assert.match('unproven' in judged ? judged.unproven : 'proven', /No signed offer/);
    });
  }
});

/** Mandates of single payments: the published vectors, what is none, and transfers that were not made under one. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { nobleSuite as suite } from '../../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import {
  bindingNonce,
  mandateDigest,
  mandateOf,
  mandateText,
  readMandate,
  transferMismatch,
} from '../../../protocol/x402/spendMandate.ts';
import { authorizationOf } from '../../../protocol/x402/transferAuthorization.ts';
import { BASE, requirement, SHOP, USDC, WALLET } from './offers.ts';
import authority from './vectors/authority.json' with { type: 'json' };

const utf8 = new TextEncoder();

describe('published vectors', () => {
  for (const { name, mandate: document, digest, sig } of authority.mandates) {
    test(name, () => {
      const read = readMandate(document);
      const { mandate } = 'mandate' in read ? read : assert.fail(read.refused);
      assert.equal(mandateDigest(suite, mandate), digest);
      const [key, signature] = [fromBase64url(mandate.issuer), fromBase64url(sig)];
      assert.ok(key !== undefined && signature !== undefined);
      assert.ok(suite.verify(key, utf8.encode(mandateText(mandate)), signature));
    });
  }
  test('binding', () => {
    const { digest, paymentId, eip3009 } = authority.binding;
    assert.equal(bindingNonce(suite, digest, paymentId), eip3009);
    // Without its prefix the digest is another one.
    assert.throws(() => bindingNonce(suite, digest.slice(7), paymentId));
    for (const wrong of ['', 'a;b', 'a\n', 'x'.repeat(65)]) assert.throws(() => bindingNonce(suite, digest, wrong));
  });
});

describe('it is no mandate', () => {
  const mandate: Readonly<Record<string, unknown>> = authority.mandates[0]?.mandate ?? {};
  const key = mandate['issuer'];
  const cases: Readonly<Record<string, unknown>> = {
    'that is a text': 'x',
    'that is a list': [],
    'with a member that is not known': { ...mandate, extra: 1 },
    'of another version': { ...mandate, v: 'x402-mandate/2' },
    'without an issuer': { ...mandate, issuer: undefined },
    'with a short key': { ...mandate, issuer: String(key).slice(1) },
    'with a number as cap': { ...mandate, cap: 1_000_000 },
    'with half a unit': { ...mandate, cap: '1.5' },
    'with a leading zero': { ...mandate, cap: '01000000' },
    'with more for one than for all': { ...mandate, perPayment: '1000001' },
    'without payees': { ...mandate, recipients: [] },
    'with all payees and one': { ...mandate, recipients: ['*', 'a'] },
    'with a payee that is a number': { ...mandate, recipients: [1] },
    'with payees that account and are no keys': { ...mandate, accountant: 'payees' },
    'with another accountant': { ...mandate, accountant: 'me' },
    'until 30 February': { ...mandate, notAfter: '2027-02-30T00:00:00Z' },
    'until a time with an offset': { ...mandate, notAfter: '2027-01-01T00:00:00+00:00' },
    'until a list': { ...mandate, notAfter: ['2027-01-01T00:00:00Z'] },
    'with half a character': { ...mandate, purpose: '\ud800' },
    'with another parent': { ...mandate, parent: 'sha256:0' },
  };
  for (const [name, document] of Object.entries(cases)) {
    test(name, () => assert.ok('refused' in readMandate(document)));
  }
  test('but one for all payees is, and one without a limit of its own', () => {
    const { perPayment: _, ...rest } = mandate;
    for (const each of [{ ...mandate, recipients: ['*'], accountant: 'payees' }, rest])
      assert.ok('mandate' in readMandate(each));
  });
});

describe('a transfer', () => {
  const signer = suite.signer(new Uint8Array(32).fill(7));
  const offered = requirement();
  const validBefore = Date.UTC(2026, 10, 28, 9) / 1000 + offered.validSeconds;
  const paymentId = 'pm_0123456789abcdef';
  const mandate = mandateOf({
    issuerKey: signer.publicKey,
    wallet: WALLET,
    requirement: offered,
    url: 'https://api.example/report?day=1#top',
    validBefore,
    intentId: 'int_1',
  });
  const signed = { mandate, alg: 'Ed25519', sig: toBase64url(signer.sign(utf8.encode(mandateText(mandate)))) };
  const nonce = bindingNonce(suite, mandateDigest(suite, mandate), paymentId);
  const { authorization } = authorizationOf({ requirement: offered, from: WALLET, nonce, validBefore });
  const transfer = { ...authorization, network: BASE, asset: USDC.toLowerCase() };
  const judge = (document: unknown, more: object = {}, id = paymentId, issuerKey = signer.publicKey) =>
    transferMismatch(suite, document, { issuerKey, paymentId: id, transfer: { ...transfer, ...more } });

  test('is bound to a mandate of its own, which is none of its query', () => {
    assert.ok('mandate' in readMandate(mandate));
    assert.equal(mandate.purpose, 'https://api.example/report');
    assert.equal(mandate.notAfter, '2026-11-28T09:01:00Z');
    assert.equal(mandate.subject, `${BASE}:${authorization.from}`);
    assert.equal(mandate.asset, `${BASE}/erc20:${USDC}`);
    assert.equal(judge(signed), undefined);
    assert.equal(judge(JSON.parse(JSON.stringify(signed))), undefined);
  });
  const cases: Readonly<Record<string, readonly [sentence: RegExp, ...given: Parameters<typeof judge>]>> = {
    'of another sum': [/more than/, signed, { value: '10001' }],
    'of no sum': [/more than/, signed, { value: '-1' }],
    'to another payee': [/another payee/, signed, { to: WALLET }],
    'from another wallet': [/another wallet/, signed, { from: SHOP }],
    'of another token': [/another token/, signed, { asset: SHOP.toLowerCase() }],
    'on another chain': [/another wallet/, signed, { network: 'eip155:1' }],
    'with another nonce': [/another mandate or another payment/, signed, { nonce: `0x${'0'.repeat(64)}` }],
    'of another payment': [/another mandate or another payment/, signed, {}, 'pm_another'],
    'of no payment': [/none that a transfer can be bound to/, signed, {}, ''],
    'under a mandate that was changed': [/not signed/, { ...signed, mandate: { ...mandate, cap: '20000' } }],
    'under a mandate of another algorithm': [/not signed/, { ...signed, alg: 'none' }],
    'under a mandate without a signature': [/not signed/, { ...signed, sig: undefined }],
    'under a mandate of another issuer': [/another issuer/, signed, {}, paymentId, new Uint8Array(32)],
    'under nothing': [/no object/, undefined],
  };
  for (const [name, [sentence, ...given]] of Object.entries(cases)) {
    test(`${name} is not its payment`, () => assert.match(judge(...given) ?? 'it is', sentence));
  }
});

/** Answers to challenges, the receipts that follow them, and bodies that refuse them. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { encodedObject, readChallenges } from '../../../protocol/mpp/challengeList.ts';
import { chargePayload, credentialOf, readCredential } from '../../../protocol/mpp/chargeCredential.ts';
import { readProblem, readReceipt, receiptMismatch } from '../../../protocol/mpp/chargeReceipt.ts';
import authorization from './vectors/authorization.json' with { type: 'json' };
import binding from './vectors/stripeExternalIdBinding.json' with { type: 'json' };

const encoded = (value: unknown) => toBase64url(new TextEncoder().encode(JSON.stringify(value)));

describe('published vectors of Authorization', () => {
  for (const { name, wire, object, tests } of authorization.scenarios) {
    test(name, () => {
      const read = readCredential(wire);
      if (tests.parse !== true) return assert.equal(read, undefined);
      const { challenge, payload } = read ?? assert.fail('not read');
      const expected = object ?? assert.fail('no object');
      const request = encodedObject(String(challenge['request']));
      assert.deepEqual({ ...challenge, request }, expected.challenge);
      assert.deepEqual(payload, expected.payload);
      if (!('format' in tests) || 'source' in expected) return;
      const [received] = readChallenges([expected.challenge]).usable;
      const { header } = credentialOf(received ?? assert.fail('not usable'), expected.payload);
      assert.deepEqual(readCredential(header.value), read);
      assert.equal(header.name, 'header' in expected.challenge ? expected.challenge.header : 'Authorization');
    });
  }
});

test('an answer repeats every text of a header as it was', () => {
  const line =
    'Payment id="a", realm="r", method="stripe", intent="charge", request="eyAiYSI6IDEgfQ==", opaque="x", new="y"';
  const [challenge] = readChallenges([line]).usable;
  const { credential, header } = credentialOf(challenge ?? assert.fail('not usable'), { spt: 'spt_1' });
  assert.deepEqual(readCredential(header.value), credential);
  assert.equal(credential.challenge['request'], 'eyAiYSI6IDEgfQ==');
  assert.equal(credential.challenge['new'], 'y');
  assert.match(header.value, /^Payment [A-Za-z0-9_-]+$/);
});

test('an answer over MCP repeats the objects, and in a header their canonical text', () => {
  const object = {
    id: 'a',
    realm: 'r',
    method: 'stripe',
    intent: 'charge',
    request: { b: 1, a: 2 },
    opaque: { k: 'v' },
  };
  const [challenge] = readChallenges([object]).usable;
  const { credential, header } = credentialOf(challenge ?? assert.fail('not usable'), { spt: 'spt_1' });
  assert.deepEqual(credential, { challenge: object, payload: { spt: 'spt_1' } });
  const wire = readCredential(header.value)?.challenge;
  assert.deepEqual([wire?.['request'], wire?.['opaque']], [encoded({ a: 2, b: 1 }), encoded({ k: 'v' })]);
});

describe('published vectors of externalId', () => {
  for (const { name, input, expected } of binding.scenarios) {
    test(name, () => {
      const { externalId } = input.request as { externalId?: string };
      const payload = chargePayload({ externalId }, input.payload.spt);
      // What this node sends is what the server takes, also where the vector’s agent sends something else.
      assert.deepEqual(payload, { spt: input.payload.spt, ...(externalId === undefined ? {} : { externalId }) });
      if (!('receipt' in expected)) return;
      const read = readReceipt(encoded(expected.receipt));
      const { receipt } = 'receipt' in read ? read : assert.fail(read.refused);
      assert.equal(receiptMismatch(receipt, { externalId, challenge: { id: 'a' } }), undefined);
      assert.match(String(receiptMismatch(receipt, { externalId: 'x', challenge: { id: 'a' } })), /another externalId/);
    });
  }
});

describe('a receipt', () => {
  const RECEIPT = {
    method: 'stripe',
    status: 'success',
    timestamp: '2026-11-28T09:00:00Z',
    reference: 'pi_1',
    more: 1,
  };
  test('is kept whole, from a header and from MCP', () => {
    for (const received of [encoded(RECEIPT), `${encoded(RECEIPT)}=`, RECEIPT]) {
      const read = readReceipt(received);
      assert.deepEqual('receipt' in read && read.receipt.document, RECEIPT);
    }
  });
  test('over MCP is of the challenge that it names', () => {
    const read = readReceipt({ ...RECEIPT, challengeId: 'b' });
    const { receipt } = 'receipt' in read ? read : assert.fail(read.refused);
    assert.match(
      String(receiptMismatch(receipt, { externalId: undefined, challenge: { id: 'a' } })),
      /another challenge/,
    );
    assert.equal(receiptMismatch(receipt, { externalId: undefined, challenge: { id: 'b' } }), undefined);
  });
  const cases: Readonly<Record<string, readonly [received: string | object, refused: RegExp]>> = {
    'is no text': ['not base64', /no JSON object/],
    'is a list': [[], /no JSON object/],
    'is of another method': [{ ...RECEIPT, method: 'tempo' }, /another method/],
    'says failed': [{ ...RECEIPT, status: 'failed' }, /success/],
    'names no payment intent': [{ ...RECEIPT, reference: 'ch_1' }, /pi_/],
    'names something longer': [{ ...RECEIPT, reference: 'pi_1\nx' }, /pi_/],
    'has another kind of order': [{ ...RECEIPT, externalId: 5 }, /externalId/],
    'has another kind of challenge': [{ ...RECEIPT, challengeId: 5 }, /challengeId/],
  };
  for (const [name, [received, refused]] of Object.entries(cases)) {
    test(`is none where it ${name}`, () => {
      const read = readReceipt(received);
      assert.match('refused' in read ? read.refused : 'read', refused);
    });
  }
});

test('a body that refuses says which problem it is', () => {
  const body = { type: 'https://paymentauth.org/problems/verification-failed', title: 'T', status: 402, detail: 'd' };
  assert.deepEqual(readProblem({ ...body, challengeId: 'a' }), {
    name: 'verification-failed',
    title: 'T',
    detail: 'd',
    challengeId: 'a',
  });
  assert.equal(readProblem({ type: 'https://ietf.org/payment/problems/payment-expired' })?.name, 'payment-expired');
  assert.equal(readProblem({ type: 'https://evil.example/problems/x' })?.name, undefined);
  for (const other of [null, 'text', [], {}]) assert.equal(readProblem(other), undefined);
});

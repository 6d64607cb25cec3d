/** Until when a payment may be captured: what its mandate's text says, as reading all of the mandate finds it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { issueCredential } from '../../../protocol/credential/vc.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { captureEndOf } from '../../../src/domain/payments/railAttempt.ts';

const signer = nobleSuite.signer(new Uint8Array(32).fill(1));
const END = Date.UTC(2026, 10, 27, 12);
const LIES = ['"expiresAt":"2030-01-01T00:00:00.000Z"', '\\"expiresAt\\":\\"x\\"', 'expiresAt', '","expiresAt":"x","'];

test('the end is the subject’s own, and no other member’s of that name', () => {
  const texts = fc.oneof(fc.constantFrom(...LIES), fc.string({ unit: 'grapheme' }));
  const subject = fc.record({ amount: fc.integer(), agentDid: texts, merchant: texts, rail: texts });
  fc.assert(
    fc.property(subject, fc.option(fc.constant(isoTime(END)), { nil: undefined }), (members, expiresAt) => {
      const content = {
        type: 'PaymentMandate',
        subject: { ...members, expiresAt },
        issuedAt: 0,
        expiresAt: END,
      } as const;
      const { text, document } = issueCredential(nobleSuite, signer, content);
      const plain = document.credentialSubject['expiresAt'];
      assert.equal(captureEndOf({ credential: text }), plain === undefined ? Number.POSITIVE_INFINITY : END);
    }),
    { numRuns: 200 },
  );
});

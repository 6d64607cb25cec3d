/** SHA-256 by the one-shot hash, against its plain version. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { sha256, sha256Hex, sha256Plainly } from '../../src/crypto/nativeSuite.ts';

test('texts and bytes have the digests that a Hash object gives', () => {
  fc.assert(
    fc.property(fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array()), (input) => {
      const digest = sha256Plainly(input);
      assert.deepEqual(sha256(input), digest);
      if (typeof input === 'string') assert.equal(sha256Hex(input), Buffer.from(digest).toString('hex'));
    }),
  );
});

/** Signatures a node knows for its own: recognised, never mistaken, forgotten in turn. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nobleSuite, type Suite } from '../../protocol/credential/ed25519.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';
import { rememberOwnSignatures } from '../../src/crypto/ownSignatures.ts';

/** A suite that counts the verifications it is asked for. */
function counting(suite: Suite) {
  const counted = { verifications: 0 };
  const verify: Suite['verify'] = (...args) => {
    counted.verifications += 1;
    return suite.verify(...args);
  };
  return { suite: { ...suite, verify }, counted };
}

const bytes = (length: number) => fc.uint8Array({ minLength: length, maxLength: length });

test('a signature of its own is recognised without a verification, one of another node is verified', () => {
  const { suite, counted } = counting(nativeSuite());
  const remembering = rememberOwnSignatures(suite);
  const signer = remembering.signer(new Uint8Array(32).fill(1));
  const message = new Uint8Array(112).fill(2);
  assert.ok(remembering.verify(signer.publicKey, message, signer.sign(message)));
  assert.equal(counted.verifications, 0);
  const other = nobleSuite.signer(new Uint8Array(32).fill(3));
  assert.ok(remembering.verify(other.publicKey, message, other.sign(message)));
  assert.equal(counted.verifications, 1);
});

test('with one bit changed in the signature, the message or the key it does not hold', () => {
  const remembering = rememberOwnSignatures(nativeSuite());
  const signer = remembering.signer(new Uint8Array(32).fill(1));
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 300 }), fc.nat(), fc.nat(2), bytes(32), (message, at, part, otherKey) => {
      const parts = [signer.publicKey.slice(), message.slice(), signer.sign(message)] as const;
      assert.ok(remembering.verify(...parts));
      const changed = parts[part] as Uint8Array;
      if (changed.length > 0) {
        const bit = at % (changed.length * 8);
        changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
        assert.ok(!remembering.verify(...parts));
      }
      assert.ok(!remembering.verify(otherKey, message, signer.sign(message)));
    }),
    { numRuns: 300 },
  );
});

test('a byte that moves between key and message, or a signature that is cut, is not taken for the same', () => {
  const remembering = rememberOwnSignatures(nativeSuite());
  const signer = remembering.signer(new Uint8Array(32).fill(1));
  const message = new Uint8Array(112).fill(2);
  const signature = signer.sign(message);
  const longKey = Uint8Array.of(...signer.publicKey, message[0] as number);
  assert.ok(!remembering.verify(longKey, message.subarray(1), signature));
  assert.ok(!remembering.verify(signer.publicKey, message, signature.subarray(0, 63)));
});

test('the oldest signature is forgotten first, and then verified', () => {
  const { suite, counted } = counting(nativeSuite());
  const remembering = rememberOwnSignatures(suite, 2);
  const signer = remembering.signer(new Uint8Array(32).fill(1));
  const messages = [1, 2, 3].map((value) => new Uint8Array(112).fill(value));
  const signatures = messages.map((message) => signer.sign(message));
  for (const [i, message] of messages.entries()) {
    assert.ok(remembering.verify(signer.publicKey, message, signatures[i] as Uint8Array));
  }
  assert.equal(counted.verifications, 1);
});

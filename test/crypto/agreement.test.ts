/** Three implementations, one verdict: what one suite accepts or refuses, the others do too. Takes some 15 seconds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { nodeCryptoSuite, sodiumSuite } from '../../src/crypto/nativeSuite.ts';
import { dice } from '../support/dice.ts';

const sodium = sodiumSuite();
const openssl = nodeCryptoSuite();
const chance = dice('agreement');
const SIGNERS = Array.from({ length: 16 }, () => sodium.signer(chance.bytes(32)));

interface Case {
  readonly publicKey: Uint8Array;
  readonly message: Uint8Array;
  readonly signature: Uint8Array;
}

function honest(): Case {
  const { publicKey, sign } = SIGNERS[chance.below(SIGNERS.length)]!;
  const message = chance.bytes(1 + chance.below(200));
  return { publicKey, message, signature: sign(message) };
}

/** The bytes with one bit turned over. */
function flipped(bytes: Uint8Array, from = 0, to = bytes.length): Uint8Array {
  const copy = Uint8Array.from(bytes);
  const at = from + chance.below(to - from);
  copy[at] = (copy[at] ?? 0) ^ (1 << chance.below(8));
  return copy;
}

const MUTATIONS: readonly ((whole: Case) => Case)[] = [
  (whole) => ({ ...whole, signature: flipped(whole.signature, 0, 32) }),
  (whole) => ({ ...whole, signature: flipped(whole.signature, 32, 64) }),
  (whole) => ({ ...whole, signature: flipped(whole.signature, 63, 64) }),
  (whole) => ({ ...whole, message: flipped(whole.message) }),
  (whole) => ({ ...whole, message: Uint8Array.of(...whole.message, 0) }),
  (whole) => ({ ...whole, publicKey: SIGNERS.find(({ publicKey }) => publicKey !== whole.publicKey)!.publicKey }),
  (whole) => ({ ...whole, signature: chance.bytes(64) }),
  (whole) => ({ ...whole, signature: Uint8Array.of(...whole.publicKey, ...whole.signature.subarray(32)) }),
];

function verdicts({ publicKey, message, signature }: Case): boolean[] {
  return [nobleSuite, sodium, openssl].map((suite) => suite.verify(publicKey, message, signature));
}

test('all suites accept 2,000 honest signatures', () => {
  for (let count = 0; count < 2000; count += 1) {
    const whole = honest();
    assert.deepEqual(verdicts(whole), [true, true, true], JSON.stringify(whole));
  }
});

test('all suites refuse 8,000 signatures with a bit, a message or a key changed', () => {
  for (let count = 0; count < 8000; count += 1) {
    const mutated = MUTATIONS[count % MUTATIONS.length]!(honest());
    assert.deepEqual(verdicts(mutated), [false, false, false], JSON.stringify(mutated));
  }
});

test('all suites agree on 300 keys with a bit changed', () => {
  for (let count = 0; count < 300; count += 1) {
    const whole = honest();
    const mutated = { ...whole, publicKey: flipped(whole.publicKey) };
    assert.deepEqual(verdicts(mutated), [false, false, false], JSON.stringify(mutated));
  }
});

test('all suites make the same signature for the same seed and message', () => {
  for (let count = 0; count < 50; count += 1) {
    const seed = chance.bytes(32);
    const message = chance.bytes(chance.below(300));
    const made = [nobleSuite, sodium, openssl].map((suite) =>
      Buffer.from(suite.signer(seed).sign(message)).toString('hex'),
    );
    assert.equal(new Set(made).size, 1);
  }
});

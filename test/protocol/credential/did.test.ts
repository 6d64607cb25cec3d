/** DIDs: two spellings in, one out, and only of sound keys. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import bs58 from 'bs58';
import { z } from 'zod';
import { canonicalDid, Did, didOfKey, keyId, keyOfDid, PublicKeyInput } from '../../../protocol/credential/did.ts';
import { nobleSuite } from '../../../protocol/credential/ed25519.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { dice } from '../../support/dice.ts';
import { BAD_ENCODINGS, MIXED_ORDER_KEY, SMALL_ORDER_KEYS } from '../../support/hardKeys.ts';

/** From the W3C did:key test vectors: the key of seed 0…0. */
const SEED_0_DID = 'did:key:z6MkiTBz1ymuepAQ4HEHYSF1H8quG5GLVVQR3djdX3mDooWp';

const bare = (key: Uint8Array) => `did:key:${bs58.encode(key)}`;
const refused = (action: () => unknown, about?: RegExp) =>
  assert.throws(
    action,
    (error) => error instanceof Fault && error.code === 'BAD_REQUEST' && (about?.test(error.message) ?? true),
  );

test('the DID of a key is the one of the W3C test vector', () => {
  assert.equal(nobleSuite.signer(new Uint8Array(32)).did, SEED_0_DID);
});

test('both spellings of a key are read as one DID, whose key comes back', () => {
  const chance = dice('did');
  for (let count = 0; count < 30; count += 1) {
    const { did, publicKey } = nobleSuite.signer(chance.bytes(32));
    assert.match(did, /^did:key:z6Mk[1-9A-HJ-NP-Za-km-z]{44}$/);
    assert.equal(didOfKey(publicKey), did);
    assert.equal(canonicalDid(did), did);
    assert.equal(canonicalDid(bare(publicKey)), did);
    assert.equal(Did.parse(bare(publicKey)), did);
    assert.equal(PublicKeyInput.parse(bs58.encode(publicKey)), did);
    assert.equal(PublicKeyInput.parse(did.slice('did:key:'.length)), did);
    assert.deepEqual(Uint8Array.from(keyOfDid(did)), publicKey);
    assert.equal(keyId(did), `${did}#${did.slice('did:key:'.length)}`);
  }
});

test('keys of small or mixed order, off the curve or not canonically encoded have no DID', () => {
  for (const key of [...SMALL_ORDER_KEYS, ...BAD_ENCODINGS, MIXED_ORDER_KEY]) {
    refused(() => didOfKey(key), /prime order/);
    refused(() => canonicalDid(bare(key)), /prime order/);
    refused(() => keyOfDid(`did:key:z${bs58.encode(Uint8Array.of(0xed, 1, ...key))}`), /prime order/);
    assert.equal(Did.safeParse(bare(key)).success, false);
    assert.equal(PublicKeyInput.safeParse(bs58.encode(key)).success, false);
  }
});

test('keys that are not 32 bytes have no DID', () => {
  const { publicKey } = nobleSuite.signer(new Uint8Array(32));
  for (const key of [
    publicKey.subarray(1),
    Uint8Array.of(...publicKey, 0),
    Uint8Array.of(0, ...publicKey),
    new Uint8Array(),
  ]) {
    refused(() => didOfKey(key));
    refused(() => canonicalDid(bare(key)));
  }
});

test('other methods, other key types and other texts are refused with a sentence', () => {
  const { publicKey } = nobleSuite.signer(new Uint8Array(32));
  refused(() => canonicalDid('did:web:example.com'), /must begin with did:key:/);
  refused(() => canonicalDid(''), /must begin with did:key:/);
  refused(() => canonicalDid('did:key:'), /Ed25519/);
  refused(() => canonicalDid('did:key:0OIl'), /base58/);
  refused(() => canonicalDid(`${SEED_0_DID} `), /base58/);
  refused(() => canonicalDid(`${SEED_0_DID}#${SEED_0_DID.slice(8)}`), /base58/);
  refused(() => canonicalDid(SEED_0_DID.toUpperCase()), /must begin/);
  // X25519 and secp256k1 keys of the did:key specification.
  refused(() => canonicalDid(`did:key:z${bs58.encode(Uint8Array.of(0xec, 1, ...publicKey))}`), /Ed25519/);
  refused(() => canonicalDid('did:key:zQ3shokFTS3brHcDQrn82RUDfCZESWL1ZdCEJwekUDPQiYBme'), /Ed25519/);
  refused(() => canonicalDid(`did:key:${'1'.repeat(5000)}`), /at most/);
});

test('a schema reports what is wrong with a DID at its path', () => {
  const result = z.object({ agentDid: Did }).safeParse({ agentDid: 'did:web:example.com' });
  assert.deepEqual(result.error?.issues[0]?.path, ['agentDid']);
  assert.match(result.error?.issues[0]?.message ?? '', /did:key/);
});

test('the schemas of DIDs and keys are texts in JSON Schema, for input and output alike', () => {
  for (const io of ['input', 'output'] as const) {
    assert.equal(z.toJSONSchema(Did, { io }).type, 'string');
    assert.equal(z.toJSONSchema(PublicKeyInput, { io }).type, 'string');
  }
});

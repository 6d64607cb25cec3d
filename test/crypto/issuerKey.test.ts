/** The issuer's key file: made once, kept private, refused when it is neither. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import type { Signer } from '../../protocol/credential/ed25519.ts';
import { signRotation } from '../../protocol/evidence/rotation.ts';
import {
  createIssuerKey,
  firstDidOf,
  type IssuerKey,
  readIssuerKey,
  replaceIssuerKey,
} from '../../src/crypto/issuerKey.ts';
import { nativeSuite } from '../../src/crypto/nativeSuite.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'issuer-key-'));
  file = join(folder, 'issuer.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the first start makes a key that only its owner may read, and leaves nothing else behind', () => {
  assert.equal(readIssuerKey(file), undefined);
  const { seed } = createIssuerKey(file, randomBytes);
  assert.equal(seed.length, 32);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, 'utf8'), `${Buffer.from(seed).toString('base64url')}\n`);
  assert.deepEqual(readdirSync(folder), ['issuer.key']);
  assert.deepEqual(readIssuerKey(file), { seed, rotations: [] });
});

test('a rotated file holds one seed and what was said of the keys before, the oldest first', () => {
  const suite = nativeSuite();
  const seeds = [1, 2, 3].map((byte) => new Uint8Array(32).fill(byte));
  const [first, second, third] = seeds.map((seed) => suite.signer(seed)) as [Signer, Signer, Signer];
  createIssuerKey(file, () => Buffer.alloc(32, 1));
  const rotations = [
    signRotation(suite, first, { to: second.did, at: 1 }),
    signRotation(suite, second, { to: third.did, at: 2, compromised: true }),
  ];
  replaceIssuerKey(file, { seed: seeds[2] as Uint8Array, rotations }, randomBytes);
  const key = readIssuerKey(file) as IssuerKey;
  assert.deepEqual(key.rotations, rotations);
  assert.equal(firstDidOf(suite, key), first.did);
  const text = readFileSync(file, 'utf8');
  for (const former of seeds.slice(0, 2)) assert.ok(!text.includes(Buffer.from(former).toString('base64url')));
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['issuer.key']);
});

test('of two nodes that start at once both end up with the key of the first', () => {
  let other: Uint8Array | undefined;
  const { seed } = createIssuerKey(file, (size) => {
    other ??= createIssuerKey(file, randomBytes).seed;
    return randomBytes(size);
  });
  assert.deepEqual(seed, other);
  assert.deepEqual(readdirSync(folder), ['issuer.key']);
});

test('a file open to the group or to others is refused with the remedy', () => {
  for (const mode of [0o640, 0o604, 0o620, 0o666]) {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`);
    chmodSync(file, mode);
    assert.throws(() => readIssuerKey(file), /chmod 600/);
  }
});

test('a file that holds no seed is refused and left as it is', () => {
  const seed = randomBytes(32).toString('base64url');
  for (const text of [
    '',
    '\n',
    'hello',
    `${seed}=`,
    `${seed}\n\n`,
    ` ${seed}`,
    randomBytes(31).toString('base64url'),
  ]) {
    writeFileSync(file, text, { mode: 0o600 });
    assert.throws(() => readIssuerKey(file), /must hold one line/);
    assert.equal(readFileSync(file, 'utf8'), text);
  }
});

test('a seed without the line end, or with a carriage return before it, is read', () => {
  const seed = randomBytes(32);
  for (const end of ['', '\n', '\r\n']) {
    writeFileSync(file, seed.toString('base64url') + end, { mode: 0o600 });
    assert.deepEqual(Buffer.from(readIssuerKey(file)?.seed ?? []), seed);
  }
});

test('a folder where the file should be is refused', () => {
  assert.throws(() => readIssuerKey(folder), /is not a file/);
});

/** The issuer's key file: made once, kept private, refused when it is neither. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { loadIssuerKey, rootSeed, rotateIssuerKey } from '../../src/crypto/issuerKey.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'issuer-key-'));
  file = join(folder, 'issuer.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the first start makes a key that only its owner may read, and leaves nothing else behind', () => {
  const { seed, created } = loadIssuerKey(file, randomBytes);
  assert.equal(created, true);
  assert.equal(seed.length, 32);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.equal(readFileSync(file, 'utf8'), `${Buffer.from(seed).toString('base64url')}\n`);
  assert.deepEqual(readdirSync(folder), ['issuer.key']);
});

test('a later start reads the same key and draws no lots', () => {
  const { seed } = loadIssuerKey(file, randomBytes);
  const again = loadIssuerKey(file, () => assert.fail('no randomness is needed'));
  assert.deepEqual(again, { seed, retired: [], created: false });
});

test('a rotated key signs from then on, and the ones before it stay, the oldest first', () => {
  const first = loadIssuerKey(file, randomBytes).seed;
  rotateIssuerKey(file, randomBytes);
  const second = loadIssuerKey(file, randomBytes).seed;
  rotateIssuerKey(file, randomBytes);
  const key = loadIssuerKey(file, randomBytes);
  assert.deepEqual(key.retired, [first, second]);
  assert.notDeepEqual(key.seed, second);
  assert.deepEqual(rootSeed(key), first);
  assert.equal(statSync(file).mode & 0o777, 0o600);
  assert.deepEqual(readdirSync(folder), ['issuer.key']);
});

test('of two nodes that start at once both end up with the key of the first', () => {
  let other: Uint8Array | undefined;
  const { seed, created } = loadIssuerKey(file, (size) => {
    other ??= loadIssuerKey(file, randomBytes).seed;
    return randomBytes(size);
  });
  assert.equal(created, false);
  assert.deepEqual(seed, other);
  assert.deepEqual(readdirSync(folder), ['issuer.key']);
});

test('a file open to the group or to others is refused with the remedy', () => {
  for (const mode of [0o640, 0o604, 0o620, 0o666]) {
    writeFileSync(file, `${randomBytes(32).toString('base64url')}\n`);
    chmodSync(file, mode);
    assert.throws(() => loadIssuerKey(file, randomBytes), /chmod 600/);
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
    assert.throws(() => loadIssuerKey(file, randomBytes), /must hold one line/);
    assert.equal(readFileSync(file, 'utf8'), text);
  }
});

test('a seed without the line end, or with a carriage return before it, is read', () => {
  const seed = randomBytes(32);
  for (const end of ['', '\n', '\r\n']) {
    writeFileSync(file, seed.toString('base64url') + end, { mode: 0o600 });
    assert.deepEqual(Buffer.from(loadIssuerKey(file, randomBytes).seed), seed);
  }
});

test('a folder where the file should be is refused', () => {
  assert.throws(() => loadIssuerKey(folder, randomBytes), /is not a file/);
});

/** The key that signs receipts: kept private in its file, known by its thumbprint, and never signing twice alike. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { calculateJwkThumbprint, compactVerify, importJWK } from 'jose';
import {
  makeReceiptKey,
  readReceiptKey,
  receiptKeyOf,
  receiptSigner,
  writeReceiptKey,
} from '../../src/crypto/receiptKey.ts';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'receipt-key-'));
  file = join(folder, 'receipt.key');
});
afterEach(() => rmSync(folder, { recursive: true }));

test('the file is readable by its owner alone, holds the key, and takes another one', () => {
  assert.equal(readReceiptKey(file), undefined);
  for (const key of [makeReceiptKey(), makeReceiptKey()]) {
    writeReceiptKey(file, key, randomBytes);
    assert.equal(statSync(file).mode & 0o777, 0o600);
    assert.deepEqual(readReceiptKey(file), key);
  }
});

test('a file that others may read, or that holds no scalar of the curve, is refused by name', () => {
  const order = 'ffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551';
  for (const hex of ['00'.repeat(32), order, 'ff'.repeat(32), '01'.repeat(31)]) {
    writeFileSync(file, `${Buffer.from(hex, 'hex').toString('base64url')}\n`, { mode: 0o600 });
    assert.throws(() => readReceiptKey(file), /must hold one line: a scalar of P-256/, hex);
  }
  writeFileSync(file, `${makeReceiptKey().scalar}\n`);
  chmodSync(file, 0o644);
  assert.throws(() => readReceiptKey(file), /receipt key file .* is open to others .*chmod 600/);
});

test('a scalar with leading zeros is the key that it was', () => {
  const scalar = Buffer.alloc(32);
  scalar[31] = 5;
  const key = receiptKeyOf(scalar.toString('base64url'));
  writeReceiptKey(file, key, randomBytes);
  assert.deepEqual(readReceiptKey(file), key);
});

test('its name is its thumbprint, its signatures verify as ES256, and no two of one text are alike', async () => {
  const key = makeReceiptKey();
  assert.equal(key.jwk.kid, await calculateJwkThumbprint({ ...key.jwk }));
  const sign = receiptSigner(key);
  const input = `${Buffer.from('{"alg":"ES256"}').toString('base64url')}.${Buffer.from('{}').toString('base64url')}`;
  const signatures = [1, 2].map(() => Buffer.from(sign(Buffer.from(input))).toString('base64url'));
  assert.notEqual(signatures[0], signatures[1]);
  for (const signature of signatures) {
    await compactVerify(`${input}.${signature}`, await importJWK({ ...key.jwk }, 'ES256'));
  }
});

/** A library that the binary carries is laid on disk once, and read from the binary only then. */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, test } from 'node:test';
import { layFile } from '../../src/assets/layFile.ts';

// More than one piece of what is read at once, and no whole number of them.
const bytes = randomBytes(200_000);
const sha256 = createHash('sha256').update(bytes).digest('hex');

let parent: string;
let reads: number;
const lay = () => {
  const read = () => {
    reads += 1;
    return bytes;
  };
  return layFile(parent, { name: 'library.node', sha256, read });
};

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'countersign-lay-'));
  reads = 0;
});
afterEach(() => rmSync(parent, { recursive: true, force: true }));

test('is named for its content, and no other user can read its folder', () => {
  const file = lay();
  assert.equal(file.slice(dirname(file).length + 1), `${sha256.slice(0, 32)}-library.node`);
  assert.deepEqual(readFileSync(file), bytes);
  assert.equal(statSync(dirname(file)).mode & 0o777, 0o700);
});

test('is found there by the next start, which does not read what is carried', () => {
  const file = lay();
  assert.equal(lay(), file);
  assert.equal(reads, 1);
});

for (const [fault, content] of [
  ['was changed', Buffer.concat([bytes.subarray(0, -1), Buffer.from([(bytes.at(-1) ?? 0) ^ 1])])],
  ['was cut', bytes.subarray(0, 100_000)],
  ['is empty', Buffer.alloc(0)],
  ['is longer', Buffer.concat([bytes, Buffer.alloc(1)])],
] as const) {
  test(`is laid anew where the file ${fault}`, () => {
    const file = lay();
    chmodSync(file, 0o700);
    writeFileSync(file, content);
    assert.equal(lay(), file);
    assert.equal(reads, 2);
    assert.deepEqual(readFileSync(file), bytes);
    assert.deepEqual(readdirSync(dirname(file)).length, 1, 'no draft stays');
  });
}

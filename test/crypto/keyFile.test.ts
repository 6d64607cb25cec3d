/** Files that must be whole or not be there: keys, a witness's state, the kept checkpoint, an archive. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { chmodSync, chownSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { readKeyLines } from '../../src/crypto/keyFile.ts';

/** Of the shell's `ulimit -f`, which counts blocks: where a file ends, the system takes a part of a write and says so. */
const BLOCKS = 8;
const BLOCK = 1024;

/** Runs lines of a program whose files end after some blocks. @returns whether it came to its end */
function runLimited(folder: string, source: string): boolean {
  const file = join(folder, 'limited.mts');
  writeFileSync(file, source);
  const command = `ulimit -c 0; ulimit -f ${BLOCKS}; exec "$0" --import tsx "$1"`;
  // What the compiler keeps for the next run would be cut as well.
  const env = { ...process.env, TSX_DISABLE_CACHE: '1' };
  const { status } = spawnSync('bash', ['-c', command, process.execPath, file], { cwd: resolve('.'), env });
  return status === 0;
}

test('a file that the disk takes a part of leaves the one before as it was', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-key-'));
  try {
    const file = join(folder, 'witness.json');
    const replace = (line: string) => `
      import { replaceKeyFile } from ${JSON.stringify(resolve('src/crypto/keyFile.ts'))};
      replaceKeyFile(${JSON.stringify(file)}, [${line}], (size) => new Uint8Array(size));`;
    assert.equal(runLimited(folder, replace(`'what was there'`)), true);
    assert.equal(runLimited(folder, replace(`'x'.repeat(${BLOCKS * BLOCK + 1})`)), false);
    assert.equal(readFileSync(file, 'utf8'), 'what was there\n');
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('an archive whose very end the disk does not take whole is not called finished', () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-archive-'));
  try {
    const large = join(folder, 'large');
    // With its header and half of the two empty blocks at the end.
    writeFileSync(large, 'x'.repeat(BLOCKS * BLOCK - 512 - 512));
    const archived = `
      import { writeArchive } from ${JSON.stringify(resolve('src/maintenance/archive.ts'))};
      writeArchive(${JSON.stringify(join(folder, 'archive.tar'))}, [{ name: 'large', path: ${JSON.stringify(large)} }], () => 0);`;
    assert.equal(runLimited(folder, archived), false);
    assert.ok(readdirSync(folder).includes('archive.tar'));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

test('a key is its owner’s alone, or root’s for the group of the service, as platforms mount secrets', {
  skip: process.geteuid?.() !== 0 && 'only root can make files of another owner',
}, () => {
  const folder = mkdtempSync(join(tmpdir(), 'countersign-key-'));
  const file = join(folder, 'issuer.key');
  const [service, other] = [65_532, 65_533];
  const isTaken = (owner: number, mode: number) => {
    writeFileSync(file, 'key\n');
    chownSync(file, owner, service);
    chmodSync(file, mode);
    process.setegid?.(service);
    process.seteuid?.(service);
    try {
      return readKeyLines(file, 'key file')?.[0] === 'key';
    } catch {
      return false;
    } finally {
      process.seteuid?.(0);
      process.setegid?.(0);
    }
  };
  try {
    chmodSync(folder, 0o755);
    const taken = [isTaken(service, 0o600), isTaken(service, 0o400), isTaken(0, 0o640), isTaken(0, 0o440)];
    assert.deepEqual(taken, [true, true, true, true]);
    const refused = [isTaken(service, 0o640), isTaken(other, 0o640), isTaken(0, 0o660), isTaken(0, 0o644)];
    assert.deepEqual(refused, [false, false, false, false]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
});

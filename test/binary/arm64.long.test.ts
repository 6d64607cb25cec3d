/** The binary for Linux on arm64, built here with a cross-compiler and started under QEMU. */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';

const run = promisify(execFile);
const TOOLS =
  process.arch === 'arm64' ? [] : ['qemu-aarch64-static', 'aarch64-linux-gnu-g++', 'aarch64-linux-gnu-strip'];
const missing = TOOLS.find((tool) => spawnSync(tool, ['--version']).error !== undefined);
const reason = process.platform !== 'linux' ? 'it is built on Linux only' : missing && `there is no ${missing} here`;

test('the binary for arm64 plays the demo', { skip: reason ?? false }, async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-arm64-'));
  try {
    const args = ['scripts/binary/build.mjs', '--arch', 'arm64', '--out', folder];
    const { stdout: report } = await run(process.execPath, args);
    assert.match(report, /for linux-arm64, with Node 24\./);
    const emulator = process.arch === 'arm64' ? [] : ['qemu-aarch64-static', '-L', '/usr/aarch64-linux-gnu'];
    const [program = '', ...rest] = [...emulator, join(folder, 'countersign'), 'demo'];
    const { stdout } = await run(program, rest, { cwd: folder, env: { PATH: process.env['PATH'], TMPDIR: folder } });
    assert.match(stdout, /Evidence: \d+ chained events, valid\./);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

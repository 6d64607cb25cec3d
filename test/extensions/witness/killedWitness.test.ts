/** A witness that is killed at any moment knows, when it is started again, all that it has cosigned. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { PROGRAM } from '../../support/command.ts';
import { plainCheckpoint, plainConsistency, plainKey, plainNote, plainRequest } from '../../support/plainNotes.ts';
import { until } from '../../support/until.ts';

const ORIGIN = 'log.example/1';
const ROUNDS = 4;

test('every cosigned checkpoint is known after a kill, and nothing else can be cosigned in its place', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-killed-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const key = plainKey(ORIGIN, 1, new Uint8Array(32).fill(1));
  const leaves = (count: number, other = 0) => Array.from({ length: count }, (_, at) => Buffer.of(other, at & 255));
  const body = (old: number, size: number, other = 0) => {
    const entries = leaves(size, other);
    return plainRequest(old, plainConsistency(old, entries), plainNote(key, plainCheckpoint(ORIGIN, entries)));
  };
  let answered = 0;
  for (let round = 0; round < ROUNDS; round++) {
    const words = ['witness', '--log', `${ORIGIN}=${key.vkey}`, '--port', '0', '--dir', folder, '--name', 'w'];
    const child = spawn(process.execPath, [PROGRAM, ...words], { env: { PATH: process.env.PATH ?? '' } });
    t.after(() => child.kill('SIGKILL'));
    let output = '';
    child.stdout.on('data', (piece) => (output += piece));
    await until('the witness runs', async () => output.includes('Stop with Ctrl-C.'), 60_000);
    const address = /Address +(\S+)/.exec(output)?.[1];
    const post = (text: string) => fetch(`${address}/add-checkpoint`, { method: 'POST', body: text });

    const first = await post(body(0, 1));
    const seen = first.status === 409 ? Number(await first.text()) : 1;
    assert.ok(seen >= answered, `${answered} was cosigned, and ${seen} is known`);
    assert.ok(seen <= answered + 1, 'one at most was recorded and not answered');
    if (seen > 1) assert.equal((await post(body(seen, seen + 1, 9))).status, 422, 'another history is refused');
    answered = seen;
    for (let cosigned = 0; ; cosigned++) {
      // The kill comes while requests are on their way, however fast the machine answers them.
      if (cosigned === 2) setTimeout(() => child.kill('SIGKILL'), round * 10);
      const status = await post(body(answered, answered + 1)).then(
        ({ status: given }) => given,
        () => undefined,
      );
      if (status === undefined) break;
      assert.equal(status, 200);
      answered += 1;
    }
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
  }
  assert.ok(answered > ROUNDS, `only ${answered} were cosigned`);
});

/** The commands of docs/operations.md, run in the order of the page, beside a node on SQLite. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { freePort, startChild } from '../support/child.ts';
import { type Engine, engines } from '../support/engines.ts';
import { ADMIN_KEY } from '../support/world.ts';

const [, postgres] = engines() as [Engine, Engine];

test('the commands of docs/operations.md do what the page says', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-operations-'));
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 }));
  const program = join(folder, 'countersign');
  await writeFile(program, `#!/bin/sh\nexec "${process.execPath}" "${resolve('bin/countersign.js')}" "$@"\n`);
  await chmod(program, 0o755);
  const port = String(await freePort());
  const node = await startChild({ DATA_DIR: join(folder, 'node'), PORT: port, BOOTSTRAP_API_KEY: ADMIN_KEY });
  t.after(() => node.kill());
  const database = await postgres.open();
  t.after(() => database.drop());

  const page = await readFile('docs/operations.md', 'utf8');
  const script = [...page.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1]).join('\n');
  const { stdout } = await promisify(execFile)('bash', ['-euc', script], {
    cwd: folder,
    env: {
      PATH: `${folder}:${process.env['PATH']}`,
      DATA_DIR: join(folder, 'node'),
      PORT: port,
      LOG_LEVEL: 'silent',
      NEW_DATABASE_URL: database.url,
      NODE_URL: `http://127.0.0.1:${port}`,
      NODE_KEY: ADMIN_KEY,
    },
  });
  assert.match(stdout, new RegExp(`^PORT +set +${port}$`, 'm'));
  assert.match(stdout, /is ready\./);
  assert.equal(stdout.match(/✓ evidence +3 chained events hold/g)?.length, 2, stdout);
  assert.match(stdout, /before-upgrade\.tar: \d+ rows, 3 chained events/);
  assert.match(stdout, /elsewhere\.tar: \d+ rows/);
  assert.match(stdout, /✓ restored holds the backup of .*every chain verified/);
  assert.equal(stdout.match(/3 chained events arrived as they were/g)?.length, 2);
  assert.match(stdout, /Next: copy issuer\.key and root\.key to back/);
});

/** The start of a production node: it says what it lacks, and nothing that is meant for a sandbox. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type ChildNode, startChild } from '../../support/child.ts';

const LACKS = [/The policy allows nothing yet/, /No rail is configured/, /is not https/];

test('a production node says at its start what it lacks, each time, and a sandbox has nothing to say', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-lacking-'));
  let sandbox: ChildNode | undefined;
  t.after(async () => {
    await sandbox?.kill();
    await rm(dataDir, { recursive: true, force: true });
  });
  for (let start = 1; start <= 2; start++) {
    const production = await startChild({ AP2_ENV: 'production', DATA_DIR: join(dataDir, 'production') });
    for (const sentence of LACKS) assert.match(production.output(), sentence);
    assert.doesNotMatch(production.output(), /first purchase/);
    await production.stop();
  }
  sandbox = await startChild({ DATA_DIR: join(dataDir, 'sandbox') });
  for (const sentence of LACKS) assert.doesNotMatch(sandbox.output(), sentence);
  assert.match(sandbox.output(), /Next: a first purchase, http:\/\/[^ ]+\/docs\/tutorial-agent\./);
});

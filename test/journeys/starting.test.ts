/** A node that listens and is not ready yet: a caller then gets an error like any other, and may try again. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { freePort } from '../support/child.ts';

/** Starts a node and calls it all the while. @returns the answers that it gave before it was ready */
async function answersWhileStarting(dataDir: string): Promise<Response[]> {
  const port = await freePort();
  const answers: Response[] = [];
  let ready = false;
  const starting = startNode(readConfig({ DATA_DIR: dataDir, PORT: String(port), LOG_LEVEL: 'silent' })).finally(() => {
    ready = true;
  });
  while (!ready) {
    const response = await fetch(`http://127.0.0.1:${port}/ap2/agents`).catch(() => undefined);
    if (response?.status === 503) answers.push(response);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await (await starting).stop();
  return answers;
}

test('who calls a node that is starting is told so, and when to call again', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-starting-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  let answers: Response[] = [];
  // How long it takes from listening to being ready is up to the machine.
  for (let start = 1; answers.length === 0 && start <= 10; start++) {
    answers = await answersWhileStarting(join(folder, String(start)));
  }
  const [answer] = answers;
  assert.ok(answer, 'nothing was answered during ten starts');
  assert.equal(answer.headers.get('retry-after'), '1');
  assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
  const { error } = (await answer.json()) as { error: { code: string; message: string } };
  assert.equal(error.code, 'UNAVAILABLE');
  assert.match(error.message, /is starting; try again/);
});

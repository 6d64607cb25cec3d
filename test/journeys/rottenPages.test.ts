/** Pages of the database rot while the node runs: what meets them is answered with 503, and the node names the file and the remedy. */
import assert from 'node:assert/strict';
import { mkdtemp, open, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { runHere } from '../cli/runHere.ts';
import { type ChildNode, startChild } from '../support/child.ts';
import { makePeer } from '../support/peer.ts';
import { ADMIN_KEY } from '../support/world.ts';

const PAGE_BYTES = 8192;
const AGENTS = 150;

async function ask(node: ChildNode, method: string, path: string, body?: object) {
  const response = await fetch(node.address + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  return { status: response.status, text: await response.text() };
}

const register = (node: ChildNode) =>
  ask(node, 'POST', '/ap2/agents', { name: 'agent', publicKey: makePeer().publicKey });

test('reads and writes that meet a page that rots are answered with 503, and the node and doctor name the file and the remedy', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-rot-'));
  t.after(() => rm(dataDir, { recursive: true, force: true }));
  const env = {
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '100000',
    SANDBOX_BURST: '100000',
  };
  const first = await startChild(env);
  for (let made = 0; made < AGENTS; made++) assert.equal((await register(first)).status, 201);
  await first.stop();
  const node = await startChild(env);
  t.after(() => node.kill());
  // Of each table and index the first page and those of its schema stay, most others are lost.
  const file = join(dataDir, 'countersign.db');
  const pages = Math.floor((await stat(file)).size / PAGE_BYTES);
  const opened = await open(file, 'r+');
  for (let page = Math.floor(pages * 0.6); page < pages; page++) {
    await opened.write(Buffer.alloc(PAGE_BYTES, 0x55), 0, PAGE_BYTES, page * PAGE_BYTES);
  }
  await opened.close();

  const answers = [];
  for (let made = 0; made < 10; made++) answers.push(await register(node));
  const paths = [
    '/ap2/agents?limit=200',
    '/ap2/evidence/search?limit=200',
    '/ap2/evidence/verify',
    '/ap2/intents',
    '/ap2/payments',
    '/ap2/admin/webhooks',
    '/ap2/admin/api-keys',
    '/ap2/admin/attention',
    '/ap2/admin/spend?by=agent',
  ];
  for (const path of paths) answers.push(await ask(node, 'GET', path));
  assert.deepEqual(
    answers.filter(({ status }) => status >= 500 && status !== 503),
    [],
  );
  const refused = answers.filter(({ status }) => status === 503);
  assert.ok(refused.length > 0, JSON.stringify(answers.map(({ status }) => status)));
  for (const { text } of refused) assert.match(text, /"code":"UNAVAILABLE"/);

  const exported = await ask(node, 'GET', '/ap2/evidence/export?format=ndjson');
  const lastLine = exported.text.trimEnd().split('\n').at(-1);
  // Pages that the thread had read before, as views were written there, are whole in its memory.
  if (exported.status === 200)
    assert.match(String(lastLine), /^\{"cut":\{"code":"UNAVAILABLE"|^\{"end":\{"chainValid":true/);
  else assert.equal(exported.status, 503);

  const ready = JSON.parse((await ask(node, 'GET', '/readyz')).text);
  assert.match(String(ready.warnings), /countersign\.db\) is damaged: .*countersign restore FILE/);
  assert.match(node.output(), /store\.damaged.*countersign\.db|countersign\.db.*store\.damaged/);
  await node.kill();
  const doctor = await runHere(['doctor'], { DATA_DIR: dataDir });
  assert.equal(doctor.code, 1);
  assert.match(doctor.stdout, /countersign\.db is damaged: [\s\S]*countersign restore FILE --data-dir/);
});

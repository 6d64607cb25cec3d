/** The README's first purchase, copied block by block into a shell as a new user would. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { startChild } from '../support/child.ts';
import { blocksOf as allBlocks, installClient, runTypeScript } from '../support/snippets.ts';
import { until } from '../support/until.ts';
import { everyEngine, makeWorld } from '../support/world.ts';

/** The shell blocks of one section. */
function blocksOf(markdown: string, heading: string): string[] {
  const section = markdown.split(`\n## ${heading}\n`)[1]?.split('\n## ')[0] ?? '';
  return [...section.matchAll(/```sh\n([\s\S]*?)```/g)].map((match) => match[1] as string);
}

test('the first purchase of the README goes through, copied line by line', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  const node = await startChild({ DATA_DIR: join(folder, 'data') });
  try {
    const shown = () => /ak_test_\w{32}/.exec(node.output())?.[0];
    await until('the first start prints the admin key', async () => shown() !== undefined);
    const key = shown();
    const [settings, ...steps] = blocksOf(await readFile('README.md', 'utf8'), 'The first purchase');
    assert.match(settings ?? '', /export KEY=/);
    const script = [`export URL=${node.address} KEY=${key}`, ...steps].join('\n');
    const { stdout } = await promisify(execFile)('bash', ['-euc', script], { cwd: folder });
    assert.match(stdout, /status: 'requires_capture'/);
    assert.match(stdout, /"valid":true/);
    assert.match(stdout, /'INTENT_ISSUED',\s+'CART_VALIDATED',\s+'PM_ISSUED',\s+'PAYMENT_AUTHORIZED'/);
    assert.equal(await node.stop(), 0, 'a SIGTERM ends the node in order');
  } finally {
    await node.stop();
    await rm(folder, { recursive: true, force: true });
  }
});

test('the README’s message between agents is typed right, and answered', async () => {
  const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  const folder = await mkdtemp(join(tmpdir(), 'countersign-readme-'));
  try {
    const { did } = nobleSuite.signer(new Uint8Array(32).fill(5));
    const publicKey = did.slice('did:key:'.length);
    assert.equal((await world.rest('POST', '/ap2/agents', { name: 'reader', publicKey })).status, 201);
    const [block = ''] = allBlocks(await readFile('README.md', 'utf8'), 'ts');
    assert.ok(block.includes('http://localhost:8402'));
    // What a reader has to fill in, and what they see.
    const seed = 'const seed = new Uint8Array(32).fill(5);';
    const filled = [
      seed,
      block.replace('http://localhost:8402', world.node.baseUrl),
      'console.log(JSON.stringify(intent));',
    ];
    await installClient(folder);
    const [printed] = await runTypeScript([filled.join('\n')], folder, { PATH: process.env.PATH ?? '' });
    assert.match(printed ?? '', /"allowed":true/);
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
});

/** The README's first purchase, copied block by block into a shell as a new user would. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startChild } from '../support/child.ts';
import { until } from '../support/until.ts';

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

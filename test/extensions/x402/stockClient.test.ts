/** The stock packages of x402 on both sides, with a chain of a developer: the stock client is paid by the node, and the chain's books are the node's. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { copyFileSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, makeWorld } from '../../support/world.ts';

const run = promisify(execFile);
const [sqlite] = everyEngine();
const STOCK = 'test/extensions/x402/stock';
const PACKAGES = [
  '@x402/core@2.27.0',
  '@x402/evm@2.27.0',
  '@x402/fetch@2.27.0',
  '@x402/hono@2.27.0',
  'hono@4',
  '@hono/node-server@1',
  'viem@2.57.20',
  '@foundry-rs/anvil@1.7.1',
];

/** @returns why the packages are not to be had here; undefined where they are in the folder */
async function lackOfPackages(folder: string): Promise<string | undefined> {
  writeFileSync(join(folder, 'package.json'), '{"type":"module","private":true}');
  copyFileSync(join(STOCK, 'shop.mjs'), join(folder, 'shop.mjs'));
  const options = ['--silent', '--no-audit', '--no-fund', '--ignore-scripts', '--prefer-offline', '--fetch-retries=0'];
  try {
    await run('npm', ['install', ...options, ...PACKAGES], { cwd: folder, timeout: 120_000 });
    await run('node_modules/@foundry-rs/anvil-linux-amd64/bin/anvil', ['--version'], { cwd: folder });
    return undefined;
  } catch (error) {
    return String(error).slice(0, 300);
  }
}

test('the stock client buys of the stock server by the node, once for each purchase', async (context) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-x402-'));
  try {
    const lacking = await lackOfPackages(folder);
    if (lacking !== undefined) return context.skip(`npm does not find the packages of x402 here: ${lacking}`);
    const world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    try {
      const words = ['shop.mjs', world.node.address, ADMIN_KEY, world.agent.did, resolve(STOCK, 'TestToken.hex')];
      const { stdout } = await run('node', words, { cwd: folder, timeout: 60_000 });
      const { bought, dear, lost, again } = JSON.parse(stdout);
      assert.deepEqual([bought.status, bought.body, bought.earned], [200, '{"bought":"/report"}', '500000'], stdout);
      assert.deepEqual([bought.payment.status, bought.payment.captured], ['CAPTURED', 0.5]);
      assert.match(dear.error, /AMOUNT_OVER_CAP/);
      assert.equal(dear.earned, '500000');
      assert.deepEqual([lost.status, lost.payment.status, lost.earned], [402, 'CAPTURED', '1200000'], stdout);
      assert.match(again.error, /DUPLICATE_SUSPECTED/);
      assert.equal(again.earned, '1200000');
    } finally {
      await world.close();
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

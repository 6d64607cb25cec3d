/** The stock packages of x402 on both sides, with a chain of a developer: the stock client is paid by the node, and the chain's books are the node's. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { everyEngine } from '../../support/engines.ts';
import { buildClient } from '../../support/snippets.ts';
import { installStock } from '../../support/stockPackages.ts';
import { ADMIN_KEY, makeWorld } from '../../support/world.ts';

const run = promisify(execFile);
const [sqlite] = everyEngine();
const STOCK = 'test/extensions/x402/stock';

const ARCHITECTURE = process.arch === 'x64' ? 'amd64' : process.arch;
const ANVIL = `node_modules/@foundry-rs/anvil-${process.platform}-${ARCHITECTURE}/bin/anvil`;

test('the stock client buys of the stock server by the node, once for each purchase', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-x402-'));
  try {
    await installStock(STOCK, folder);
    await buildClient(join(folder, 'node_modules/countersign-client'));
    await run(ANVIL, ['--version'], { cwd: folder });
    const world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    try {
      const words = [
        'shop.mjs',
        world.node.address,
        ADMIN_KEY,
        world.agent.did,
        resolve(STOCK, 'TestToken.hex'),
        ANVIL,
      ];
      const { stdout } = await run('node', words, { cwd: folder, timeout: 240_000 });
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

/** `countersign wallet`: wallets at a running node and on its data folder, whose keys are never printed. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

const KEY = '0xac0974bec39a17e36ba4a6b4d238ff944bacb478cbed5efcae784d7bf4f2ff80';
const ADDRESS = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';

describe('countersign wallet', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-wallet-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const atNode = (...args: string[]) =>
    runHere(['wallet', ...args], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const inFolder = (...args: string[]) => runHere(['wallet', ...args], { DATA_DIR: folder });

  test('adds, lists, shows and removes a wallet', async () => {
    const file = join(folder, 'wallet.key');
    await writeFile(file, `${KEY}\n`);
    const added = await atNode(
      'add',
      'eip155:8453',
      '--key-file',
      file,
      '--rpc-url',
      'https://rpc.example/k',
      '--json',
    );
    assert.equal(added.code, 0, added.stderr);
    const { id, address, rpcHost } = added.json();
    assert.deepEqual([address, rpcHost], [ADDRESS, 'rpc.example']);
    const [listed, shown] = await Promise.all([inFolder('list'), inFolder('show', id)]);
    assert.match(listed.stdout, new RegExp(`\n${id} +eip155:8453 +${ADDRESS} +\\S+ \\S+ +everybody\n`));
    assert.match(
      shown.stdout,
      new RegExp(`^Wallet +${id}\nChain +eip155:8453\nAddress +${ADDRESS}\nWhose +everybody\n`),
    );
    for (const { stdout, stderr } of [added, listed, shown]) assert.ok(!(stdout + stderr).includes(KEY.slice(2)));
    const removed = await inFolder('remove', id);
    assert.deepEqual([removed.code, removed.stdout], [0, `${id} is removed.\n`]);
    assert.match((await atNode('show', id)).stderr, /^NOT_FOUND: /);
  });
});

/** `countersign mandate-issuer`: the registry of mandate issuers, at a running node and on its data folder. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { everyEngine } from '../../support/engines.ts';
import { certify, makeP256 } from '../../support/p256.ts';
import { ADMIN_KEY, makeWorld, type World } from '../../support/world.ts';
import { runHere } from '../runHere.ts';

describe('countersign mandate-issuer', () => {
  let world: World;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-issuers-'));
    world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number], { DATA_DIR: folder });
  });
  after(async () => {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  });

  const atNode = (...args: string[]) =>
    runHere(['mandate-issuer', ...args], { COUNTERSIGN_URL: world.node.address, COUNTERSIGN_API_KEY: ADMIN_KEY });
  const inFolder = (...args: string[]) => runHere(['mandate-issuer', ...args], { DATA_DIR: folder });

  test('trusts a key and a root from files, lists them and removes them', async () => {
    const [key, root] = [join(folder, 'provider.jwk'), join(folder, 'root.pem')];
    await writeFile(key, JSON.stringify({ ...makeP256().jwk, kid: 'spring' }));
    const bank = { name: 'Bank', key: makeP256() };
    const life = { from: Date.now() - 60_000, until: Date.now() + 3_600_000, ca: true };
    await writeFile(root, `-----BEGIN CERTIFICATE-----\n${certify(bank, bank, life)}\n-----END CERTIFICATE-----\n`);
    const provider = await atNode('add', 'Shopper', '--kind', 'agent-provider', '--jwk', key);
    assert.match(
      provider.stdout,
      /^Issuer +mis_\w+\nName +Shopper\nKind +agent-provider\nTrusts +key spring\nSince +\d/,
    );
    const wallet = await inFolder('add', 'Wallet', '--kind', 'user-credential', '--x5c-root', root, '--json');
    assert.equal(wallet.code, 0, wallet.stderr);
    const { id, x5cRoot } = wallet.json();
    assert.match(x5cRoot.sha256, /^[0-9a-f]{64}$/);
    const [table, one] = await Promise.all([inFolder('list'), atNode('list', '--limit', '1', '--json')]);
    assert.match(table.stdout, /^ISSUER +KIND +SINCE +NAME +TRUSTS\n/);
    assert.match(
      table.stdout,
      new RegExp(`\n${id} +user-credential +\\S+ \\S+ +Wallet +certificates below CN=Bank, until`),
    );
    assert.deepEqual(one.json(), [wallet.json()]);
    const removed = await inFolder('remove', id);
    assert.deepEqual([removed.code, removed.stdout], [0, `${id} is removed.\n`]);
    const again = await atNode('remove', id);
    assert.deepEqual([again.code, /^NOT_FOUND: /.test(again.stderr)], [1, true], again.stderr);
  });
});

/** The key for receipts over the lives of a deployment: made once, shared by its nodes, back after a restore, and replaced. */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { chmod, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeReceiptKey } from '../../src/crypto/receiptKey.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';

const KEYS = '/.well-known/jwks.json';

for (const engine of everyEngine()) {
  describe(`the receipt key on ${engine.name}`, () => {
    let lives: Lives;
    before(async () => {
      lives = await makeLives(engine);
    });
    after(() => lives.close());

    const file = () => join(lives.folder, 'receipt.key');
    const scalar = async () => (await readFile(file(), 'utf8')).trim();
    const keysAt = async (address: string): Promise<{ kid: string; crv: string; alg: string; use: string }[]> => {
      const { keys } = (await (await fetch(address + KEYS)).json()) as { keys: never[] };
      return keys;
    };
    const receiptKids = async () =>
      (await keysAt(lives.node().address)).filter(({ crv }) => crv === 'P-256').map(({ kid }) => kid);
    const restart = async (between: () => Promise<unknown> = async () => {}) => {
      await lives.stop();
      await between();
      await lives.start();
    };
    const rotate = async (...options: string[]) =>
      (await runHere(['key', 'rotate-receipt', ...options, '--json'], lives.env)).json();

    test('the first start makes it for its owner alone, and publishes what it verifies with', async () => {
      assert.equal((await stat(file())).mode & 0o777, 0o600);
      const [issuer, receipt, ...others] = await keysAt(lives.node().address);
      assert.equal(issuer?.alg, 'EdDSA');
      assert.deepEqual(others, []);
      assert.deepEqual(Object.keys(receipt ?? {}).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
      assert.deepEqual([receipt?.alg, receipt?.use], ['ES256', 'sig']);
    });

    test('it stays the same over a start, also where the file is gone, as after a restore', async () => {
      const [kids, key] = [await receiptKids(), await scalar()];
      await restart(() => rm(file()));
      assert.deepEqual(await receiptKids(), kids);
      assert.equal(await scalar(), key);
      assert.equal((await stat(file())).mode & 0o777, 0o600);
    });

    test('a file that is open to others stops the start', async () => {
      await lives.stop();
      await chmod(file(), 0o640);
      await assert.rejects(lives.start(), /receipt key file .* is open to others than its owner: chmod 600/);
      await chmod(file(), 0o600);
      await lives.start();
    });

    test('a running node gets no other key', async () => {
      const { stderr } = await runHere(['key', 'rotate-receipt'], lives.env);
      assert.match(stderr, /A node is running on this database/);
    });

    test('after a rotation the new key signs, and the former one is still published', async () => {
      const [former] = await receiptKids();
      let kid = '';
      await restart(async () => {
        kid = (await rotate()).kid;
      });
      assert.deepEqual(await receiptKids(), [kid, former]);
      assert.equal(lives.node().deps.keys.receiptSigner.jwk.kid, kid);
    });

    test('a stolen key is published no more', async () => {
      const [stolen, oldest] = await receiptKids();
      let kid = '';
      await restart(async () => {
        kid = (await rotate('--compromised')).kid;
      });
      assert.deepEqual(await receiptKids(), [kid, oldest]);
      assert.notEqual(kid, stolen);
    });

    test('the secrets are sealed anew with the root key, and the receipt key goes on', async () => {
      const kids = await receiptKids();
      await restart(async () => {
        await runHere(['key', 'rotate-root', '--json'], lives.env);
        await rm(file());
      });
      assert.deepEqual(await receiptKids(), kids);
    });

    test('a former file that comes back signs nothing, and an unknown one is newer than the database', async () => {
      const kids = await receiptKids();
      const current = await scalar();
      await restart(async () => {
        await rotate();
        await writeFile(file(), `${current}\n`, { mode: 0o600 });
      });
      const after = await receiptKids();
      assert.deepEqual(after.slice(1), kids);
      assert.notEqual(await scalar(), current);

      const kept = makeReceiptKey(randomBytes);
      await restart(() => writeFile(file(), `${kept.scalar}\n`, { mode: 0o600 }));
      assert.deepEqual(await receiptKids(), [kept.jwk.kid, ...after]);
    });

    if (engine.name !== 'sqlite') {
      test('a second node with a folder of its own has the same key', async () => {
        const folder = await mkdtemp(join(tmpdir(), 'countersign-second-'));
        const shared = {
          ISSUER_KEY_FILE: join(lives.folder, 'issuer.key'),
          ROOT_KEY_FILE: join(lives.folder, 'root.key'),
        };
        const second = await startNode(readConfig({ ...lives.env, ...shared, DATA_DIR: folder }));
        try {
          assert.deepEqual(await keysAt(second.address), await keysAt(lives.node().address));
          assert.equal(second.deps.keys.receiptSigner.jwk.kid, lives.node().deps.keys.receiptSigner.jwk.kid);
          assert.equal((await readFile(join(folder, 'receipt.key'), 'utf8')).trim(), await scalar());
        } finally {
          await second.stop();
          await rm(folder, { recursive: true });
        }
      });
    }
  });
}

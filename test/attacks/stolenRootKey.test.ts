/** After `key rotate-root` a stolen root key opens nothing that the database holds, and another key is refused. */

import assert from 'node:assert/strict';
import { chmodSync, copyFileSync, existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sealer } from '../../src/crypto/seal.ts';
import { secretContext } from '../../src/domain/webhooks/changeWebhook.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { lockWebhook } from '../../src/store/statements/webhooks/subscriptions.ts';
import { all } from '../../src/store/store.ts';
import { runHere } from '../cli/runHere.ts';
import { everyEngine } from '../support/engines.ts';
import { type Lives, makeLives } from '../support/lives.ts';

for (const engine of everyEngine()) {
  describe(`a stolen root key on ${engine.name}`, () => {
    let lives: Lives;
    let file: string;
    before(async () => {
      lives = await makeLives(engine);
      file = join(lives.folder, 'root.key');
    });
    after(() => lives.close());

    const seedIn = (path: string) => new Uint8Array(Buffer.from(readFileSync(path, 'utf8').trim(), 'base64url'));
    const makeWebhook = { url: 'http://127.0.0.1:9/', events: ['payment.captured'], idempotencyKey: 'one' };

    test('opens nothing once the root key was rotated, while the node opens everything', async () => {
      const first = await lives.ask('POST', '/ap2/admin/webhooks', makeWebhook);
      const { id, secret } = JSON.parse(first.text);
      const stolen = seedIn(file);
      await lives.stop();
      const ended = await runHere(['key', 'rotate-root', '--json'], lives.env);
      assert.equal(ended.code, 0, ended.stderr);
      assert.equal(ended.json().resealed, 3, 'the secret, the answer that shows it, and the receipt key');
      assert.notDeepEqual(seedIn(file), stolen);
      await lives.start();
      const { store, sealer: own } = lives.node().deps;
      const row = await store.read(() => lockWebhook('sqlite', id));
      assert.ok(row);
      assert.equal(own.open(row.secret, secretContext(id)), secret);
      assert.throws(() => sealer(stolen).open(row.secret, secretContext(id)), /cannot be opened/);
      const answers = await store.read(() =>
        all<{ answer: string; c: string }>(
          "SELECT answer, 'answer ' || tenant_id || ' ' || scope || ' ' || request_key AS c FROM requests WHERE answer LIKE 'v1.%'",
        ),
      );
      assert.equal(answers.length, 1);
      for (const { answer, c } of answers) assert.throws(() => sealer(stolen).open(answer, c), /cannot be opened/);
      assert.equal((await lives.ask('POST', '/ap2/admin/webhooks', makeWebhook)).text, first.text, 'a repetition');
    });

    test('a node with another root key than that of the database is refused with what to do', async () => {
      await lives.stop();
      const wrong = join(lives.folder, 'wrong.key');
      writeFileSync(wrong, `${Buffer.alloc(32, 5).toString('base64url')}\n`, { mode: 0o600 });
      const start = (env: object) => startNode(readConfig({ ...lives.env, ...env }));
      await assert.rejects(start({ ROOT_KEY_FILE: wrong }), /Set ROOT_KEY_FILE to the key file that the other nodes/);
      await assert.rejects(start({ ROOT_KEY_FILE: join(lives.folder, 'none.key') }), /is missing, and the database/);
      assert.ok(!existsSync(join(lives.folder, 'none.key')), 'no key is made for a database that has one');
      const copy = join(lives.folder, 'shared.key');
      copyFileSync(file, copy);
      chmodSync(copy, 0o600);
      await (await start({ ROOT_KEY_FILE: copy })).stop();
      chmodSync(copy, 0o640);
      await assert.rejects(start({ ROOT_KEY_FILE: copy }), /chmod 600/);
      await lives.start();
    });

    test('a rotation that was cut off after its commit is finished by the next start', async () => {
      await lives.stop();
      const before = readFileSync(file);
      assert.equal((await runHere(['key', 'rotate-root'], lives.env)).code, 0);
      // As it was between the commit and the renaming.
      renameSync(file, `${file}.next`);
      writeFileSync(file, before, { mode: 0o600 });
      await lives.start();
      assert.ok(!existsSync(`${file}.next`));
      // And cut off before its commit: the key that was staged is of no use.
      writeFileSync(`${file}.next`, `${Buffer.alloc(32, 6).toString('base64url')}\n`, { mode: 0o600 });
      await lives.stop();
      await lives.start();
      assert.equal((await lives.ask('POST', '/ap2/admin/webhooks', makeWebhook)).status, 201);
      rmSync(`${file}.next`);
    });
  });
}

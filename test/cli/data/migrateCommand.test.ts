/** `countersign migrate --to`: the former database is given up with the move, and only its owner takes that back. */
import assert from 'node:assert/strict';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { readConfig } from '../../../src/node/config/config.ts';
import { startNode } from '../../../src/node/startNode.ts';
import { type Engine, engines } from '../../support/engines.ts';
import { makeLives } from '../../support/lives.ts';
import { runHere } from '../runHere.ts';

const [sqlite, postgres] = engines() as [Engine, Engine];

for (const engine of [sqlite, postgres]) {
  test(`a node on ${engine.name} goes on where its data went, and no more where it came from`, async (t) => {
    const lives = await makeLives(engine, { PORT: '0' });
    t.after(() => lives.close());
    await lives.stop();
    const target = await mkdtemp(join(tmpdir(), 'countersign-moved-'));
    t.after(() => rm(target, { recursive: true, force: true }));
    const from = lives.env.DATABASE_URL ?? `sqlite:${lives.folder}`;

    const moved = await runHere(['migrate', '--to', `sqlite:${target}`], lives.env);
    assert.equal(moved.code, 0, moved.stderr);
    assert.match(moved.stdout, /arrived as they were.\n(.*\n)*No node starts on the former database any more/);

    const gone = new RegExp(`moved to sqlite:${target} on .*"countersign migrate --take-back"`);
    await assert.rejects(startNode(readConfig(lives.env)), gone);
    for (const words of [
      ['serve'],
      ['agent', 'list'],
      ['migrate'],
      ['migrate', '--to', `sqlite:${join(target, 'second')}`],
    ]) {
      const { code, stderr } = await runHere(words, lives.env);
      assert.equal(code, 1, stderr);
      assert.match(stderr, gone, words.join(' '));
    }
    const doctor = await runHere(['doctor'], lives.env);
    assert.equal(doctor.code, 1);
    assert.match(doctor.stdout, /✗ moved .*was moved to/);

    for (const key of ['issuer.key', 'root.key']) await cp(join(lives.folder, key), join(target, key));
    const { DATABASE_URL: _, ISSUER_KEY_FILE: _issuer, ROOT_KEY_FILE: _root, ...env } = lives.env;
    const node = await startNode(readConfig({ ...env, DATA_DIR: target }));
    await node.stop();

    const back = await runHere(['migrate', '--take-back', '--from', from], lives.env);
    assert.equal(back.code, 0, back.stderr);
    assert.match(back.stdout, /Nodes start on this database again/);
    assert.match((await runHere(['migrate', '--take-back'], lives.env)).stdout, /was not moved; nothing has changed/);
    assert.equal((await runHere(['migrate', '--take-back', '--to', 'sqlite:x'], lives.env)).code, 2);
    const again = await startNode(readConfig(lives.env));
    await again.stop();
  });
}

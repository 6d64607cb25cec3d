/** A sandbox is not served as production, nor the reverse; and production allows nothing until its owner says what. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { makeAgent } from '../../client/index.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { startNode } from '../../src/node/startNode.ts';
import { all } from '../../src/store/store.ts';
import { runHere } from '../cli/runHere.ts';
import { countersign } from '../support/command.ts';
import { everyEngine } from '../support/engines.ts';
import { makeLives } from '../support/lives.ts';

const LIVE_KEY = `ak_live_${'L'.repeat(32)}`;
const PRODUCTION = { AP2_ENV: 'production', BOOTSTRAP_API_KEY: LIVE_KEY };

for (const engine of everyEngine()) {
  describe(`the environment of a database on ${engine.name}`, () => {
    test('is written down at the first start; another one is refused at start and by every command', async (t) => {
      const lives = await makeLives(engine);
      t.after(() => lives.close());
      const keys = () => lives.node().deps.store.read(() => all('SELECT id FROM api_keys ORDER BY id'));
      const before = await keys();
      await lives.stop();
      const wrong = { ...lives.env, ...PRODUCTION };
      await assert.rejects(startNode(readConfig(wrong)), /AP2_ENV="production": the database is of the sandbox/);
      const served = await countersign(['serve'], { ...wrong, PORT: '0' });
      assert.equal(served.code, 2, served.stderr);
      assert.match(served.stderr, /^AP2_ENV="production": the database is of the sandbox; set AP2_ENV=sandbox/m);
      for (const words of [
        ['key', 'list'],
        ['key', 'create', '--name', 'x'],
        ['key', 'rotate-issuer'],
      ]) {
        const { code, stderr } = await runHere(words, wrong);
        assert.equal(code, 2, stderr);
        assert.match(stderr, /the database is of the sandbox/);
      }
      assert.match((await runHere(['doctor'], wrong)).stdout, /✗ environment +AP2_ENV="production"/);
      await lives.start();
      assert.deepEqual(await keys(), before, 'no key was made meanwhile');
    });

    test('production allows nothing until a policy is written, and its keys and data are no sandbox’s', async (t) => {
      const { folder, url, drop } = await fresh();
      t.after(drop);
      const env = { DATA_DIR: folder, PORT: '0', LOG_LEVEL: 'silent', ...(url && { DATABASE_URL: url }) };
      const node = await startNode(readConfig({ ...env, ...PRODUCTION }));
      const ask = async (method: string, path: string, body?: object) => {
        const response = await fetch(node.address + path, {
          method,
          headers: { Authorization: `Bearer ${LIVE_KEY}`, 'Content-Type': 'application/json' },
          ...(body && { body: JSON.stringify(body) }),
        });
        return { status: response.status, body: await response.json() };
      };
      const policy = (await ask('GET', '/ap2/policies/current')).body;
      assert.equal(policy.name, 'Production default');
      assert.equal(policy.rules.spend.amount_cap, 0);
      const { did, publicKey } = makeAgent();
      assert.equal((await ask('POST', '/ap2/agents', { name: 'a', publicKey })).status, 201);
      for (const currency of ['USD', 'JPY']) {
        const request = { maxAmount: 1, currency };
        const { body } = await ask('POST', '/ap2/intents', { agentDid: did, principalDid: did, request });
        assert.equal(body.allowed, false);
        assert.ok(body.reasonCodes.includes('AMOUNT_OVER_CAP'), JSON.stringify(body));
      }
      await node.stop();
      await assert.rejects(startNode(readConfig(env)), /AP2_ENV="sandbox": the database is of the production/);
    });
  });

  async function fresh() {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-production-'));
    const database = await engine.open();
    const drop = async () => {
      await database.drop();
      await rm(folder, { recursive: true, force: true });
    };
    return { folder, url: database.url, drop };
  }
}

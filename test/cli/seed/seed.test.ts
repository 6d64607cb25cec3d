/** `countersign seed`, on both engines: what it leaves behind is what real requests would have, and it touches nothing else. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type Client, each } from '../../../client/index.ts';
import { SHOPS } from '../../../src/cli/seed/catalog.ts';
import { folderClient } from '../../../src/cli/target/folderClient.ts';
import { readConfig } from '../../../src/node/config/config.ts';
import { openOffline } from '../../../src/node/openFolder.ts';
import { engines } from '../../support/engines.ts';
import { makeLives } from '../../support/lives.ts';
import { runHere } from '../runHere.ts';

async function all<Row>(rows: AsyncIterable<Row>): Promise<Row[]> {
  const listed: Row[] = [];
  for await (const row of rows) listed.push(row);
  return listed;
}

/** In cents. */
const sum = (amounts: readonly number[]) => Math.round(amounts.reduce((total, amount) => total + amount, 0) * 100);

/** The sums that the node keeps, against those of its payments one by one. */
async function assertSumsAgree(client: Client): Promise<void> {
  const payments = await all(each(client.listPayments, { limit: 200 }));
  const counted = payments.filter(({ status }) => status !== 'FAILED' && status !== 'CANCELED');
  const { entries } = await client.showSpend({ by: 'day' });
  assert.ok(entries.length > 20);
  for (const { day = '', payments: count, paid } of entries) {
    const made = counted.filter(({ createdAt }) => createdAt.startsWith(day));
    assert.deepEqual([day, count, paid.minor], [day, made.length, sum(made.map(({ captured }) => captured))]);
  }
  assert.equal(sum(entries.map((entry) => entry.payments / 100)), counted.length);
  const groceries: readonly string[] = [SHOPS.groceries.domain, SHOPS.coffee.domain];
  const { limits } = await client.showLimits({});
  const limit = limits.find(({ name }) => name === 'groceries and coffee');
  const bought = counted.filter(({ merchant }) => groceries.includes(merchant));
  assert.equal(Math.round((limit?.used ?? 0) * 100), sum(bought.map(({ amount }) => amount)));
  assert.ok(limit !== undefined && limit.used / limit.limit > 0.85 && limit.left > 0, JSON.stringify(limit));
}

describe('countersign seed', () => {
  for (const engine of engines()) {
    test(`fills an empty sandbox, whose evidence and sums hold, on ${engine.name}`, async (t) => {
      const folder = await mkdtemp(join(tmpdir(), 'countersign-seed-'));
      const database = await engine.prepare(folder);
      t.after(async () => {
        await database.drop();
        await rm(folder, { recursive: true, force: true });
      });
      const env = { DATA_DIR: folder, ...database.env };
      const seeded = await runHere(['seed', '--json'], env);
      assert.equal(seeded.code, 0, seeded.stderr);
      const report = seeded.json();
      const { agents, frozen, principals, payments, evidence } = report;
      assert.deepEqual(
        { agents, frozen, principals, payments, valid: evidence.valid },
        { agents: 12, frozen: 1, principals: 5, payments: 130, valid: true },
      );
      assert.deepEqual(report.approvalsByStatus, { approved: 9, denied: 3, expired: 1, pending: 4 });
      assert.ok(Object.keys(report.refusalsByReason).length >= 10, JSON.stringify(report.refusalsByReason));
      const { AUTHORIZED, CAPTURED, ...odd } = report.paymentsByStatus;
      assert.deepEqual(odd, { CANCELED: 2, DISPUTED: 1, FAILED: 4, PARTIALLY_REFUNDED: 2, REFUNDED: 2 });

      const { deps, caller, close } = await openOffline(readConfig(env));
      await assertSumsAgree(folderClient(deps, caller)).finally(close);
      const chain = join(folder, 'chain.json');
      await runHere(['evidence', 'export', '--out', chain], env);
      const verified = await runHere(['evidence', 'verify', chain, '--issuer', deps.issuer.did], env);
      assert.equal(verified.code, 0, verified.stderr);
      const faults = (await runHere(['doctor'], env)).stdout.match(/^✗.*$/gm);
      assert.equal(faults, null);

      const again = await runHere(['seed'], env);
      assert.equal(again.code, 1);
      assert.match(again.stderr, /^CONFLICT: This node has purchases already\. Give --add /);
      const added = await runHere(['seed', '--add', '--seed', '2', '--json'], env);
      assert.equal(added.code, 0, added.stderr);
      assert.deepEqual(added.json().policy, {
        name: 'Household and office',
        former: 'Household and office, version 1',
      });
      const listed = (await runHere(['policy', 'list', '--json'], env)).json();
      const ages = (listed.policies ?? listed).map(
        ({ createdAt }: { createdAt: string }) => Date.now() - Date.parse(createdAt),
      );
      assert.ok(Math.max(...ages.slice(0, 2)) < 600_000, 'it holds since it was published, not since the month began');
      assert.deepEqual([added.json().payments, added.json().evidence.valid], [260, true]);
    });
  }

  test('fills a sandbox that was started before, and refuses one that runs', async (t) => {
    const [engine] = engines();
    assert.ok(engine);
    const lives = await makeLives(engine);
    t.after(() => lives.close());
    const { PORT: _, ...env } = lives.env;
    const running = await runHere(['seed'], env);
    assert.equal(running.code, 1);
    assert.match(running.stderr, /^CONFLICT: A node serves these data: stop it/);
    await lives.stop();
    const { code, stdout, stderr } = await runHere(['seed'], env);
    assert.equal(code, 0, stderr);
    assert.match(
      stdout,
      /^130 purchases over 30 days.*\n[\s\S]*chained events, valid\n {2}Policy .*holds from now on[\s\S]*\n\nNext: countersign serve/,
    );
    await lives.start();
    const { text } = await lives.ask('GET', '/ap2/policies/current');
    assert.match(text, /"name":"Household and office"/);
    assert.match((await lives.ask('GET', '/ap2/evidence/verify')).text, /"valid":true/);
  });

  test('refuses a production node, and makes nothing for it', async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'countersign-seed-'));
    t.after(() => rm(folder, { recursive: true, force: true }));
    const { code, stderr } = await runHere(['seed'], { AP2_ENV: 'production', DATA_DIR: folder });
    assert.equal(code, 1);
    assert.match(stderr, /^FORBIDDEN: Only a sandbox node is seeded/);
    assert.deepEqual(await readdir(folder), []);
  });
});

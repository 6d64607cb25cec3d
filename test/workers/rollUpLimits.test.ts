/** What limits count moves into buckets once its quarter of an hour has ended, also while nodes count, and old buckets go. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { idMaker } from '../../protocol/wire/id.ts';
import { countIntent, releaseIntent } from '../../src/store/statements/limits/limitBuckets.ts';
import { rollUp } from '../../src/store/statements/limits/rollUp.ts';
import { useByHolds, useByIntents } from '../../src/store/statements/limits/windowUse.ts';
import { insertTenant } from '../../src/store/statements/node/tenants.ts';
import { all, count, type Script, type Statement, type Store } from '../../src/store/store.ts';
import { deleteOldBuckets, rollUpLimits } from '../../src/workers/rollUpLimits.ts';
import { engines } from '../support/engines.ts';

const TENANTS = ['tnt_1', 'tnt_2'] as const;
const [TENANT] = TENANTS;
const QUARTER_MS = 15 * 60 * 1000;
const DAY_MS = 96 * QUARTER_MS;
const AMOUNT = 100;
const stopping = new AbortController().signal;

/** An intent of a time, as it is counted: no row of it is needed, since no window here begins amid a quarter of an hour. */
function intentAt(at: number, agentDid = 'did:a', tenantId: string = TENANT) {
  const newId = idMaker(
    () => at,
    (size) => new Uint8Array(size),
  );
  const who = { tenant_id: tenantId, mandate_id: newId('intent_'), agent_did: agentDid, governed_did: null };
  const held = { held_minor: AMOUNT, held_merchant: null, held_mcc: null };
  return { ...who, currency: 'USD', reserved_minor: AMOUNT, ...held };
}

/** How many intents count for all agents from a quarter of an hour on, and how many of them hold something. */
function countedFrom(store: Store, from: number, tenantId: string = TENANT): Promise<[number, number]> {
  const window = { tenantId, scope: 'policy', agentDid: 'did:a', governedDid: null, from } as const;
  return store.read(function* () {
    const issued = yield* useByIntents(window);
    const { held } = yield* useByHolds(window);
    assert.equal(held.amounts['USD'] ?? 0, held.transactions * AMOUNT);
    assert.equal(issued.amounts['USD'] ?? 0, held.transactions * AMOUNT);
    return [issued.transactions, held.transactions];
  });
}

const rowsOf = (store: Store, name: string) =>
  store.read(() => all<object>(`SELECT * FROM ${name} ORDER BY tenant_id, scope, bucket, currency`));
const countRows = (store: Store, name: string) => store.read(() => count(`SELECT COUNT(*) AS count FROM ${name}`));

for (const engine of engines()) {
  describe(`the sums of limits on ${engine.name}`, () => {
    async function opened(t: { after(work: () => Promise<void>): void }) {
      const database = await engine.open();
      t.after(() => database.drop());
      const { store } = database;
      for (const id of TENANTS) {
        await store.write(id, () => insertTenant({ id, name: id, created_at: 1 }));
      }
      return { store, database };
    }

    test('are moved for each tenant, but for those of the quarter of an hour that runs and of the one before', async (t) => {
      const { store } = await opened(t);
      const now = Date.now();
      for (const tenantId of TENANTS) {
        await store.write(tenantId, function* () {
          // More than go into one commit.
          for (let agent = 0; agent < 300; agent += 1)
            yield* countIntent(intentAt(now - DAY_MS, `did:${agent}`, tenantId));
          yield* countIntent(intentAt(now, 'did:a', tenantId));
          // By a clock that was ahead.
          yield* countIntent(intentAt(now + DAY_MS, 'did:a', tenantId));
        });
      }
      await rollUpLimits({ store, stopping });
      const left = await rowsOf(store, 'limit_tails');
      assert.deepEqual(
        left.map((row) => Object.values(row).slice(0, 3)),
        TENANTS.flatMap((id) => ['did:a', 'policy'].map((scope) => [id, scope, Math.floor(now / QUARTER_MS)])),
      );
      // Of each length those of 300 agents and of all of them, and two of the agent ahead.
      const ahead = (await rowsOf(store, 'limit_buckets')) as { scope: string; bucket_quarters: number }[];
      for (const quarters of [1, 32, 1024]) {
        const own = ahead.filter((row) => row.bucket_quarters === quarters && row.scope !== 'policy');
        assert.equal(own.length, 2 * 301, `${quarters}`);
      }
      const first = Math.floor((now - 2 * DAY_MS) / QUARTER_MS) * QUARTER_MS;
      for (const id of TENANTS) assert.deepEqual(await countedFrom(store, first, id), [302, 302]);
    });

    test('are the same after a move that did not end', async (t) => {
      const { store } = await opened(t);
      const now = Date.now();
      await store.write(TENANT, function* () {
        for (const days of [0, 1, 2]) yield* countIntent(intentAt(now - days * DAY_MS));
      });
      const tables = ['limit_tails', 'limit_buckets'];
      const before = await Promise.all(tables.map((name) => rowsOf(store, name)));
      const moved = store.write(TENANT, function* (time): Script<void> {
        yield rollUp(TENANT, time, 10).next().value as Statement;
        throw new Error('killed between');
      });
      await assert.rejects(moved, /killed between/);
      assert.deepEqual(await Promise.all(tables.map((name) => rowsOf(store, name))), before);
    });

    test('are exact where two nodes count and move them at once', async (t) => {
      const { store, database } = await opened(t);
      const nodes = [store, await database.reopen()] as const;
      const now = Date.now();
      const first = Math.floor((now - 3 * DAY_MS) / QUARTER_MS) * QUARTER_MS;
      let isOver = false;
      const movers = nodes.map(async (node) => {
        do {
          await rollUpLimits({ store: node, stopping });
          await nextTurn();
        } while (!isOver);
      });
      const buyers = nodes.map(async (node, which) => {
        for (let number = 0; number < 60; number += 1) {
          const intent = intentAt(first + number * 45 * 60_000, `did:${number % 7}`);
          await node.write(TENANT, () => countIntent(intent));
          // What it holds is given back after it was moved, or before.
          if (number % 3 === which) await node.write(TENANT, () => releaseIntent(intent));
        }
      });
      await Promise.all(buyers);
      isOver = true;
      await Promise.all(movers);
      assert.deepEqual(await countedFrom(store, first), [120, 80]);
      await rollUpLimits({ store, stopping });
      assert.deepEqual(await countedFrom(store, first), [120, 80]);
      assert.equal(await countRows(store, 'limit_tails'), 0);
    });

    test('go 400 days after their bucket ended, of each tenant and scope', async (t) => {
      const { store } = await opened(t);
      const now = Date.now();
      for (const tenantId of TENANTS) {
        await store.write(tenantId, function* () {
          for (let agent = 0; agent < 25; agent += 1) {
            for (const days of [450, 399]) {
              yield* countIntent(intentAt(now - days * DAY_MS, `did:${agent}`, tenantId));
            }
          }
        });
      }
      await rollUpLimits({ store, stopping });
      const scopes = 2 * 26;
      assert.equal(await countRows(store, 'limit_buckets'), 2 * 3 * scopes);
      await deleteOldBuckets({ store, stopping });
      assert.equal(await countRows(store, 'limit_buckets'), 3 * scopes);
      for (const id of TENANTS) assert.deepEqual(await countedFrom(store, 0, id), [25, 25]);
    });
  });
}

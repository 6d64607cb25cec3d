/** Upgrades of data that exists: what earlier schemas hold means the same, or the safer thing, in the present one. */
import assert from 'node:assert/strict';
import { describe, type TestContext, test } from 'node:test';
import { firstIdAt } from '../../../protocol/wire/id.ts';
import { openStore } from '../../../src/store/openStore.ts';
import { countUnlisted } from '../../../src/store/statements/purchases/lateRows.ts';
import { bucketOfIntent, coarseOf } from '../../../src/store/statements/purchases/spendingSums.ts';
import { all, run, type Store } from '../../../src/store/store.ts';
import { engines } from '../../support/engines.ts';
import { noteFigure } from '../../support/figures.ts';
import { LATEST, schemaOf } from '../../support/formerSchema.ts';
import { purchase } from '../../support/purchase.ts';
import { rounds } from '../../support/rounds.ts';
import { useOf } from '../../support/windowUse.ts';
import { makeWorld } from '../../support/world.ts';

/** What stands in every text, so that every reference leads somewhere. */
const SAME = 'x';

for (const engine of engines()) {
  describe(`an upgrade on ${engine.name}`, () => {
    test('governs principals with instruments or passkeys, with the agents that bought for them', async (t) => {
      const store = await upgraded(t, 6, [
        "INSERT INTO tenants (id, name, created_at) VALUES ('t', 'default', 1)",
        ...['buyer', 'helper', 'clerk', 'other'].map(
          (did) =>
            `INSERT INTO agents (did, tenant_id, status, display_name, description, capabilities, created_at)
             VALUES ('${did}', 't', 'ACTIVE', '${did}', '', '[]', 1)`,
        ),
        "INSERT INTO instruments (id, tenant_id, holder_did, holder_kind, payment_method, created_at) VALUES ('ins_1', 't', 'household', 'principal', 'pm_1', 5)",
        "INSERT INTO instruments (id, tenant_id, holder_did, holder_kind, payment_method, created_at) VALUES ('ins_2', 't', 'other', 'agent', 'pm_2', 6)",
        intent('1', 'buyer', 'household'),
        intent('2', 'helper', 'household'),
        intent('3', 'helper', 'mere name'),
        intent('4', 'clerk', 'firm'),
        passkey('buyer'),
        passkey('helper'),
        passkey('clerk'),
        passkey('other'),
      ]);
      const rows = (sql: string) => store.read(() => all<Record<string, unknown>>(sql));
      const principals = await rows('SELECT did, name, created_at FROM principals ORDER BY did');
      assert.deepEqual(
        principals.map((row) => ({ ...row })),
        [
          { did: 'firm', name: 'firm', created_at: 7 },
          { did: 'household', name: 'household', created_at: 5 },
        ],
      );
      const delegations = await rows(
        'SELECT principal_did, agent_did FROM delegations ORDER BY principal_did, agent_did',
      );
      assert.deepEqual(
        delegations.map(({ principal_did, agent_did }) => [principal_did, agent_did]),
        [
          ['firm', 'clerk'],
          ['household', 'buyer'],
          ['household', 'helper'],
        ],
      );
      // The helper bought for two principals, so nobody can say whose its passkey is.
      const passkeys = await rows('SELECT credential_id, holder_kind, holder_did FROM passkeys ORDER BY credential_id');
      assert.deepEqual(
        passkeys.map(({ credential_id, holder_kind, holder_did }) => [credential_id, holder_kind, holder_did]),
        [
          ['buyer', 'principal', 'household'],
          ['clerk', 'principal', 'firm'],
          ['helper', 'agent', 'helper'],
          ['other', 'agent', 'other'],
        ],
      );
    });
  });

  test(`an upgrade on ${engine.name} keeps every session, and gives each agent names of its own`, async (t) => {
    const session = (agent: string, context: string, count: number) =>
      `INSERT INTO sessions (tenant_id, context_id, agent_did, user_did, status, message_count, intent_mandate_id,
         permit_id, created_at, expires_at, place)
       VALUES ('t', '${context}', '${agent}', 'user', 'ACTIVE', ${count}, 'intent_1', NULL, 1, 2, 'ses_${count}')`;
    const store = await upgraded(t, 13, [session('one', 'a', 3), session('two', 'b', 4)]);
    await store.write('t', () => run(session('two', 'a', 5)));
    await assert.rejects(store.write('t', () => run(session('two', 'a', 6))));
    const rows = await store.read(() => all<Record<string, unknown>>('SELECT * FROM sessions ORDER BY place'));
    assert.deepEqual(
      rows.map((row) => Object.values(row).join(' ')),
      [3, 4, 5].map((count) => {
        const [agent, context] = count === 3 ? ['one', 'a'] : ['two', count === 4 ? 'b' : 'a'];
        return `t ${context} ${agent} user ACTIVE ${count} intent_1  1 2 ses_${count}`;
      }),
    );
  });

  test(`an upgrade on ${engine.name} keeps what windows are counted from, and sums no intent twice`, async (t) => {
    const id = firstIdAt('', 100_000);
    const bucket = bucketOfIntent(`intent_${id}`);
    const sum = (scope: string, bucket: string) =>
      `INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)
       VALUES ('t', '${scope}', '${bucket}', 'USD', 1, 0, 1)`;
    const sums = ['buyer', 'policy'].flatMap((scope) => [sum(scope, bucket), sum(scope, coarseOf(bucket))]);
    const store = await upgraded(t, 21, [intent(id, 'buyer', 'mere name'), ...sums]);
    for (const scope of ['buyer', 'policy']) {
      const { transactions, amounts } = await store.read(() => useOf('t', scope, 90_000, 150_000));
      assert.deepEqual({ transactions, amounts }, { transactions: 1, amounts: { USD: 1 } });
    }
    assert.equal(await store.read(() => countUnlisted('t', 10)), 0);
  });

  for (const version of versions()) {
    test(`an upgrade from schema ${version} on ${engine.name} keeps every row of every table, and a purchase goes through`, async (t) => {
      let kept: Record<string, Record<string, unknown>[]> = {};
      const store = await upgraded(t, version, [], async (old) => {
        for (const [table, columns] of await columnsOf(old)) {
          const values = columns.map(({ type }) => (type.toUpperCase() === 'TEXT' ? SAME : 7));
          const places = values.map(() => '?').join(', ');
          const names = columns.map(({ name }) => name).join(', ');
          await old.write('t', () => run(`INSERT INTO ${table} (${names}) VALUES (${places})`, ...values));
        }
        kept = await rowsOf(old);
      });
      const now = await rowsOf(store);
      for (const [table, rows] of Object.entries(kept)) {
        for (const row of rows) {
          if (table === 'sandbox_rail') {
            // It has gone to what the rail was asked.
            assert.equal(now.rail_attempts?.[0]?.outcome, row.outcome);
            continue;
          }
          const [same] = now[table] ?? [];
          assert.ok(same !== undefined, `the row of ${table} is gone`);
          for (const [column, value] of Object.entries(row)) {
            if (column in same) assert.deepEqual(same[column], value, `${table}.${column}`);
          }
        }
      }
      const folder = await schemaOf(t, version);
      const world = await makeWorld({ name: engine.name, open: () => engine.open({ schemaFolder: folder }) });
      t.after(() => world.close());
      await purchase(world, 5);
      if (version === LATEST) {
        noteFigure(
          `Upgrades on ${engine.name}`,
          `from schemas 1 to ${LATEST}, one at a time: every row kept, and a purchase paid`,
        );
      }
    });
  }

  /** A store made by the first `version` files of the schema and these statements, then opened by the present program. */
  async function upgraded(
    t: TestContext,
    version: number,
    statements: readonly string[],
    fill: (store: Store) => Promise<void> = async () => {},
  ): Promise<Store> {
    const folder = await schemaOf(t, version);
    const database = await engine.open({ schemaFolder: folder });
    await database.store.write('t', function* () {
      for (const sql of statements) yield* run(sql);
    });
    await fill(database.store);
    const store = await openStore({ databaseUrl: database.url, file: database.file ?? '', clock: () => 100 });
    t.after(async () => {
      await store.close();
      await database.drop();
    });
    return store;
  }
}

/** Every earlier schema in a long run, else the first, one in the middle and the last. */
function versions(): number[] {
  const all = Array.from({ length: LATEST }, (_, index) => index + 1);
  return rounds(1, 0) === 1 ? all : all.filter((version) => version === 1 || version === 9 || version === LATEST);
}

interface Column {
  readonly name: string;
  readonly type: string;
}

/** The tables that hold a node's data, each with its columns. */
async function columnsOf(store: Store): Promise<Map<string, Column[]>> {
  const rows = await store.read(() =>
    all<Column & { readonly owner: string }>(
      store.engine === 'sqlite'
        ? `SELECT tables.name AS owner, columns.name AS name, columns.type AS type
           FROM sqlite_master AS tables JOIN pragma_table_info(tables.name) AS columns
           WHERE tables.type = 'table' AND tables.name NOT LIKE 'sqlite_%' ORDER BY tables.name <> 'tenants', 1, columns.cid`
        : `SELECT table_name AS owner, column_name AS name, data_type AS type FROM information_schema.columns
           WHERE table_schema = 'public' AND is_generated = 'NEVER' ORDER BY table_name <> 'tenants', 1, ordinal_position`,
    ),
  );
  const tables = new Map<string, Column[]>();
  for (const { owner, name, type } of rows) {
    if (owner !== 'schema_migrations') tables.set(owner, [...(tables.get(owner) ?? []), { name, type }]);
  }
  return tables;
}

async function rowsOf(store: Store): Promise<Record<string, Record<string, unknown>[]>> {
  const found: Record<string, Record<string, unknown>[]> = {};
  for (const table of (await columnsOf(store)).keys()) {
    found[table] = await store.read(() => all<Record<string, unknown>>(`SELECT * FROM ${table}`));
  }
  return found;
}

function intent(id: string, agent: string, principal: string): string {
  return `INSERT INTO intents (tenant_id, mandate_id, transaction_id, agent_did, principal_did, status, max_minor, reserved_minor,
      currency, policy_id, policy_version, policy_hash, credential, created_at, expires_at)
    VALUES ('t', 'intent_${id}', 'txn_${id}', '${agent}', '${principal}', 'USED', 1, 1, 'USD', 'pol_1', 1, '', '{}', 1, 2)`;
}

function passkey(agent: string): string {
  return `INSERT INTO passkeys (id, tenant_id, agent_did, credential_id, public_key, counter, transports, device_name, is_synced, created_at)
    VALUES ('psk_${agent}', 't', '${agent}', '${agent}', 'AA', 0, 'internal', 'phone', 0, 7)`;
}

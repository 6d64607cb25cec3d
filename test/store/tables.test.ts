/** The tables as statements declare them, against the schema that migrations make on each engine. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Table } from '../../src/store/statements/tableDefinition.ts';
import { TABLES } from '../../src/store/statements/tables.ts';
import { all, type Script, type Store } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';

interface Found {
  readonly name: string;
  readonly type: string;
  readonly nullable: 0 | 1;
  readonly has_default: 0 | 1;
  /** Its place in the primary key, from 1 on; 0 outside of it. */
  readonly place: number;
}

/** SQLite lets the column of a primary key be null unless it is said to be NOT NULL, which the schema does not repeat. */
const SQLITE_COLUMNS = `SELECT name, type, "notnull" = 0 AND pk = 0 AS nullable, dflt_value IS NOT NULL AS has_default,
  pk AS place FROM pragma_table_xinfo(?)`;
const POSTGRES_COLUMNS = `SELECT columns.column_name AS name, upper(data_type) AS type, is_nullable = 'YES' AS nullable,
    column_default IS NOT NULL AS has_default, coalesce(keys.ordinal_position, 0) AS place
  FROM information_schema.columns AS columns
  LEFT JOIN information_schema.key_column_usage AS keys ON keys.table_name = columns.table_name
    AND keys.column_name = columns.column_name AND keys.constraint_name = columns.table_name || '_pkey'
  WHERE columns.table_schema = 'public' AND columns.table_name = ?`;

const TABLE_NAMES = {
  sqlite: "SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'",
  postgres:
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'public' AND table_type = 'BASE TABLE'",
};

function columnsOf(store: Store, { name }: Table): Promise<Found[]> {
  const sql = store.engine === 'sqlite' ? SQLITE_COLUMNS : POSTGRES_COLUMNS;
  return store.read((): Script<Found[]> => all(sql, name));
}

for (const engine of engines()) {
  test(`every table of the schema on ${engine.name} is declared, column by column`, async (t) => {
    const database = await engine.open();
    t.after(() => database.drop());
    const { store } = database;
    const made = await store.read(() => all<{ name: string }>(TABLE_NAMES[store.engine]));
    const names = made.map(({ name }) => name).filter((name) => name !== 'schema_migrations');
    assert.deepEqual(TABLES.map(({ name }) => name).sort(), names.sort());
    for (const table of TABLES) {
      const found = await columnsOf(store, table);
      const shown = ({ name, type, nullable }: Found) => `${name} ${type} ${nullable}`;
      const declared = Object.entries(table.columns).map(([name, column]) =>
        shown({ name, type: column.type, nullable: column.nullable ? 1 : 0, has_default: 0, place: 0 }),
      );
      assert.deepEqual(declared.sort(), found.map(shown).sort(), table.name);
      const key = found.filter(({ place }) => place > 0).sort((one, other) => one.place - other.place);
      assert.deepEqual(
        table.key,
        key.map(({ name }) => name),
        table.name,
      );
      for (const { name, nullable, has_default: hasDefault } of found) {
        const column = table.columns[name];
        const isLeft = column?.inserted === false;
        if (isLeft) assert.ok(nullable === 1 || hasDefault === 1, `${table.name}.${name} can be left out of an INSERT`);
      }
    }
  });
}

/** What a new SQLite database is made from: the tables and indexes that the schema files give an empty one, as one text. */

import { migrate, type SchemaFile } from '../src/store/schema/migrate.ts';
import { NO_CLOCK, openSqlite } from '../src/store/sqlite/sqliteStore.ts';
import { all } from '../src/store/store.ts';

const MADE = `SELECT sql FROM sqlite_master WHERE sql IS NOT NULL AND name <> 'schema_migrations' ORDER BY rowid`;
const TABLES = `SELECT name FROM sqlite_master WHERE type = 'table' AND name <> 'schema_migrations'`;

/**
 * @param files the schema files to stand for, all from 001
 * @throws Error where they leave a row in an empty database, which no such text holds
 */
export async function baselineText(files: readonly SchemaFile[]): Promise<string> {
  const store = openSqlite(':memory:', NO_CLOCK);
  try {
    await migrate(store, files);
    const statements = await store.read(function* () {
      for (const { name } of yield* all<{ name: string }>(TABLES)) {
        const [row] = yield* all(`SELECT 1 AS one FROM "${name}" LIMIT 1`);
        if (row !== undefined) throw new Error(`The schema files store rows in ${name}, which a baseline cannot hold.`);
      }
      return yield* all<{ sql: string }>(MADE);
    });
    const head = `-- What ${files.length} schema files make of an empty SQLite database. Written by "npm run baseline"; not to be edited.\n`;
    return head + statements.map(({ sql }) => `\n${sql};\n`).join('');
  } finally {
    await store.close();
  }
}

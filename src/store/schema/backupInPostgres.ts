/** Copies the tables of a PostgreSQL database beside themselves before their schema changes, so that nothing is lost by it. */
import { all, run, type Script, type Store } from '../store.ts';
import { appliedVersion, MIGRATION } from './migrate.ts';

const PREFIX = 'countersign_before_';

/**
 * Copies every table of an older schema into the PostgreSQL schema `countersign_before_NNN`, NNN being the version that
 * the database is brought to. The copy of the upgrade before is dropped.
 * @param version of the schema that the database is about to be migrated to
 * @throws Error with the remedy, where this user may not make a schema
 */
export async function backUpInPostgres(store: Store, version: number): Promise<void> {
  try {
    await store.write(MIGRATION, () => copyTables(version));
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new Error(
      `The tables could not be copied before their schema changes: ${reason}. ` +
        'Let the user of DATABASE_URL make schemas: GRANT CREATE ON DATABASE … TO …',
      { cause: error },
    );
  }
}

function* copyTables(version: number): Script<void> {
  const applied = yield* appliedVersion('postgres');
  if (applied === 0 || applied >= version) return;
  const copies = yield* all<{ name: string }>(
    'SELECT schema_name AS name FROM information_schema.schemata WHERE schema_name LIKE ?',
    `${PREFIX}%`,
  );
  for (const { name } of copies) yield* run(`DROP SCHEMA "${name}" CASCADE`);
  const copy = PREFIX + String(version).padStart(3, '0');
  yield* run(`CREATE SCHEMA ${copy}`);
  const tables = yield* all<{ name: string }>(
    `SELECT table_name AS name FROM information_schema.tables
     WHERE table_schema = current_schema() AND table_type = 'BASE TABLE' ORDER BY table_name`,
  );
  for (const { name } of tables) yield* run(`CREATE TABLE ${copy}."${name}" AS TABLE "${name}"`);
}

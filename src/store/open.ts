/** Opens the store that the configuration names, with its schema up to date. */
import { keepBeforeMigration } from './schema/backupBeforeMigration.ts';
import { migrate, type SchemaFile } from './schema/migrate.ts';
import { readSchema } from './schema/schema.ts';
import { openSqlite } from './sqlite/sqliteStore.ts';
import type { Store } from './store.ts';

export interface StoreSource {
  /** `postgres://…`; without it the file is used. */
  readonly databaseUrl?: string | undefined;
  /** The SQLite file, made with its folder when missing, or `:memory:`. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** In place of the program's own schema. */
  readonly schemaFolder?: string | undefined;
}

/** @throws Error that says what is wrong with the database and what to do about it */
export async function openStore(source: StoreSource): Promise<Store> {
  const schema = await readSchema(source.schemaFolder);
  if (source.databaseUrl !== undefined) return openMigratedPostgres(source.databaseUrl, schema, source.clock);
  const store = openSqlite(source.file, source.clock);
  await orClose(store, async () => {
    await keepBeforeMigration(store, source.file, schema.length);
    await migrate(store, schema);
  });
  return store;
}

async function openMigratedPostgres(url: string, schema: readonly SchemaFile[], clock: () => number): Promise<Store> {
  // Loaded only here: a node on SQLite does without the driver.
  const { openPostgres } = await import('./postgres/postgresStore.ts');
  const migrating = await openPostgres(url, clock, { maxConnections: 1, timeLimits: false });
  await orClose(migrating, () => migrate(migrating, schema));
  await migrating.close();
  return openPostgres(url, clock);
}

async function orClose(store: Store, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}

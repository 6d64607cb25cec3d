/** Opens the store that the configuration names, and migrates it to the current schema. */
import { backUpBeforeMigration } from './schema/backupBeforeMigration.ts';
import { migrate, type SchemaFile } from './schema/migrate.ts';
import { readSchema } from './schema/readSchema.ts';
import { openSqlite } from './sqlite/sqliteStore.ts';
import type { Store } from './store.ts';

export interface StoreSource {
  /** `postgres://…`; the file is used when not given. */
  readonly databaseUrl?: string | undefined;
  /** The SQLite file, created with its folder when missing, or `:memory:`. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Used instead of the program's own schema, in tests. */
  readonly schemaFolder?: string | undefined;
}

/** @throws Error that says what is wrong with the database, with the remedy */
export async function openStore(source: StoreSource): Promise<Store> {
  const schema = await readSchema(source.schemaFolder);
  if (source.databaseUrl !== undefined) return openMigratedPostgres(source.databaseUrl, schema, source.clock);
  const store = openSqlite(source.file, source.clock);
  await closeOnError(store, async () => {
    await backUpBeforeMigration(store, source.file, schema.length);
    await migrate(store, schema);
  });
  return store;
}

async function openMigratedPostgres(url: string, schema: readonly SchemaFile[], clock: () => number): Promise<Store> {
  // Loaded only here, since a node on SQLite does not need the driver.
  const { openPostgres } = await import('./postgres/postgresStore.ts');
  const migrating = await openPostgres(url, clock, { maxConnections: 1, timeLimits: false });
  await closeOnError(migrating, () => migrate(migrating, schema));
  await migrating.close();
  return openPostgres(url, clock);
}

async function closeOnError(store: Store, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}

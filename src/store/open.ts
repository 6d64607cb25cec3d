/** Opens the store that the configuration names, with its schema up to date. */
import { fileURLToPath } from 'node:url';
import { migrate } from './migrate.ts';
import { openSqlite } from './sqlite.ts';
import type { Store } from './store.ts';

const SCHEMA_FOLDER = fileURLToPath(new URL('../../data/schema/', import.meta.url));

export interface StoreSource {
  /** `postgres://…`; without it the file is used. */
  readonly databaseUrl?: string | undefined;
  /** The SQLite file, made with its folder when missing, or `:memory:`. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  readonly schemaFolder?: string | undefined;
}

/** @throws Error that says what is wrong with the database and what to do about it */
export async function openStore(source: StoreSource): Promise<Store> {
  const folder = source.schemaFolder ?? SCHEMA_FOLDER;
  if (source.databaseUrl !== undefined) return openMigratedPostgres(source.databaseUrl, folder, source.clock);
  const store = openSqlite(source.file);
  await migrateOrClose(store, folder, source.clock);
  return store;
}

async function openMigratedPostgres(url: string, folder: string, clock: () => number): Promise<Store> {
  // Loaded only here: a node on SQLite does without the driver.
  const { openPostgres } = await import('./postgres.ts');
  const migrating = await openPostgres(url, { maxConnections: 1, timeLimits: false });
  await migrateOrClose(migrating, folder, clock);
  await migrating.close();
  return openPostgres(url);
}

async function migrateOrClose(store: Store, folder: string, clock: () => number): Promise<void> {
  try {
    await migrate(store, folder, clock);
  } catch (error) {
    await store.close();
    throw error;
  }
}

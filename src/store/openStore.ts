/** Opens the store that the configuration names: to bring it to the current schema, or only if it has that. */

import { openedToWrite } from './openedToWrite.ts';
import { backUpBeforeMigration } from './schema/backupBeforeMigration.ts';
import { backUpInPostgres } from './schema/backupInPostgres.ts';
import { appliedVersion, migrate, refuseUnread, requireSchema, type SchemaFile } from './schema/migrate.ts';
import { readSchema } from './schema/readSchema.ts';
import { openSqlite } from './sqlite/sqliteStore.ts';
import type { Store } from './store.ts';

export interface StoreSource {
  /** `postgres://…`; the file is used when not given. */
  readonly databaseUrl?: string | undefined;
  /** A replica of that database, for long reads. */
  readonly replicaUrl?: string | undefined;
  /** Told when long reads go to the replica from now on, and when they do not, with the reason. */
  readonly onReplica?: ((unused: string | undefined) => void) | undefined;
  /** The SQLite file, created with its folder when missing, or `:memory:`. */
  readonly file: string;
  /** Milliseconds since the epoch. */
  readonly clock: () => number;
  /** Looks at a database that has a schema before that is changed; what it throws ends the opening. */
  readonly check?: ((store: Store) => Promise<void>) | undefined;
  /** Told what SQLite says of a page that it cannot use. */
  readonly onDamage?: ((finding: string) => void) | undefined;
  /** With how many frames SQLite copies its log into the database, where it is not the usual number. */
  readonly checkpointAt?: number | undefined;
  /** Whether SQLite keeps views in a file beside its own (src/store/views), as a node that serves does. */
  readonly views?: boolean | undefined;
  /** Used instead of the program's own schema, in tests. */
  readonly schemaFolder?: string | undefined;
}

/**
 * Opens the store of a node that starts, or of `countersign migrate`: an older schema is copied and brought up first.
 * @throws Error that says what is wrong with the database, with the remedy
 */
export async function openStore(source: StoreSource): Promise<Store> {
  const schema = await readSchema(source.schemaFolder);
  if (source.databaseUrl !== undefined) return openMigratedPostgres(source.databaseUrl, schema, source);
  const store = openSqlite(source.file, source.clock, { checkpointAt: source.checkpointAt, onDamage: source.onDamage });
  await closeOnError(store, async () => {
    await refuseUnread(store);
    await look(store, source.check);
    await backUpBeforeMigration(store, source.file, schema.length);
    await migrate(store, schema);
  });
  if (source.views === true && source.file !== ':memory:') await store.serveViews();
  return store;
}

async function openMigratedPostgres(
  url: string,
  schema: readonly SchemaFile[],
  { clock, check, replicaUrl, onReplica = () => {} }: StoreSource,
): Promise<Store> {
  // Loaded only here, since a node on SQLite does not need the driver.
  const { openPostgres } = await import('./postgres/postgresStore.ts');
  const migrating = await openPostgres(url, clock, { maxConnections: 1, timeLimits: false });
  await closeOnError(migrating, async () => {
    await refuseUnread(migrating);
    await look(migrating, check);
    await backUpInPostgres(migrating, schema.length);
    await migrate(migrating, schema);
  });
  await migrating.close();
  const replica = replicaUrl === undefined ? undefined : { url: replicaUrl, onChange: onReplica };
  return openPostgres(url, clock, { replica });
}

async function look(store: Store, check: StoreSource['check']): Promise<void> {
  if (check !== undefined && (await store.read(() => appliedVersion(store.engine))) > 0) await check(store);
}

/**
 * Opens the store for any other command, which changes no schema. One that only reads changes no byte of an SQLite file either.
 * @throws Error that names the command to run, where the schema is older or newer; nothing has changed then
 */
export async function openCurrentStore({ databaseUrl, file, clock }: StoreSource): Promise<Store> {
  const schema = await readSchema();
  if (databaseUrl !== undefined) {
    const { openPostgres } = await import('./postgres/postgresStore.ts');
    const store = await openPostgres(databaseUrl, clock);
    await closeOnError(store, () => requireSchema(store, schema));
    return store;
  }
  const reading = openSqlite(file, clock, { unchanged: true });
  await closeOnError(reading, () => requireSchema(reading, schema));
  return openedToWrite(reading, () => openSqlite(file, clock));
}

async function closeOnError(store: Store, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (error) {
    await store.close();
    throw error;
  }
}

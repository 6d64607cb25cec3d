/** Keeps an SQLite database as it was before its schema changes, so that an upgrade can be taken back. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copySqlite } from '../sqlite/copyDatabase.ts';
import { get, type Store } from '../store.ts';

const KEPT = 3;

/**
 * Copies the database to `backups/schema-NNN.db` beside it, NNN being the version it has, when it has one and not the
 * newest. Named for the version, so that a start that fails again and again does not push older copies out.
 * @param version of the schema that the database is about to be brought to
 */
export async function keepBeforeMigration(store: Store, file: string, version: number): Promise<void> {
  if (file === ':memory:') return;
  const applied = await appliedVersion(store);
  if (applied === 0 || applied >= version) return;
  const folder = join(dirname(file), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `schema-${String(applied).padStart(3, '0')}.db`;
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    await copySqlite(file, join(draft, name));
    renameSync(join(draft, name), join(folder, name));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const kept = readdirSync(folder).filter((entry) => /^schema-\d{3}\.db$/.test(entry));
  for (const old of kept.sort().slice(0, -KEPT)) rmSync(join(folder, old));
}

/** 0 for a database without a schema. */
async function appliedVersion(store: Store): Promise<number> {
  const row = await store.read(function* () {
    const table = yield* get("SELECT name FROM sqlite_master WHERE type = 'table' AND name = 'schema_migrations'");
    if (table === undefined) return undefined;
    return yield* get<{ version: number | null }>('SELECT MAX(version) AS version FROM schema_migrations');
  });
  return row?.version ?? 0;
}

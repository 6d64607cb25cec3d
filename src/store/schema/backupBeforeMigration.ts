/** Backs up an SQLite database before its schema changes, so that an upgrade can be undone. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyDatabase } from '../sqlite/copyDatabase.ts';
import type { Store } from '../store.ts';
import { appliedVersion } from './migrate.ts';

const KEPT_COPIES = 3;

/**
 * Copies a database with an older schema to `backups/schema-NNN.db` beside it, NNN being its version. The name contains
 * the version, so that a start that fails repeatedly does not replace older copies.
 * @param version of the schema that the database is about to be migrated to
 */
export async function backUpBeforeMigration(store: Store, file: string, version: number): Promise<void> {
  if (file === ':memory:') return;
  const applied = await store.read(() => appliedVersion(store.engine));
  if (applied === 0 || applied >= version) return;
  const folder = join(dirname(file), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const name = `schema-${String(applied).padStart(3, '0')}.db`;
  const draft = mkdtempSync(join(folder, 'draft-'));
  try {
    await copyDatabase(file, join(draft, name));
    renameSync(join(draft, name), join(folder, name));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const kept = readdirSync(folder).filter((entry) => /^schema-\d{3}\.db$/.test(entry));
  for (const old of kept.sort().slice(0, -KEPT_COPIES)) rmSync(join(folder, old));
}

/** Backs up an SQLite database before its schema changes, so that an upgrade can be undone. */
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { copyDatabase } from '../sqlite/copyDatabase.ts';
import type { Store } from '../store.ts';
import { appliedVersion } from './migrate.ts';

const KEPT_COPIES = 3;
/** A draft that was not written to for so long was left by a start that was killed. */
const LEFT_MS = 3_600_000;
const DRAFT = 'draft-';

/**
 * Copies a database with an older schema to `backups/schema-NNN.db` beside it, NNN being its version. The name contains
 * the version, so that a start that fails repeatedly does not replace older copies.
 * @param version of the schema that the database is about to be migrated to
 */
export async function backUpBeforeMigration(store: Store, file: string, version: number): Promise<void> {
  if (file === ':memory:') return;
  const { applied, now } = await store.read(function* (at) {
    return { applied: yield* appliedVersion(store.engine), now: at };
  });
  if (applied === 0 || applied >= version) return;
  const folder = join(dirname(file), 'backups');
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  removeLeftDrafts(folder, now);
  const name = `schema-${String(applied).padStart(3, '0')}.db`;
  const draft = mkdtempSync(join(folder, DRAFT));
  try {
    await copyDatabase(file, join(draft, name));
    renameSync(join(draft, name), join(folder, name));
  } finally {
    rmSync(draft, { recursive: true, force: true });
  }
  const kept = readdirSync(folder).filter((entry) => /^schema-\d{3}\.db$/.test(entry));
  for (const old of kept.sort().slice(0, -KEPT_COPIES)) rmSync(join(folder, old));
}

/** A draft is a whole copy of the database. Another process may be writing one at the same time. @param now in milliseconds */
function removeLeftDrafts(folder: string, now: number): void {
  for (const entry of readdirSync(folder).filter((name) => name.startsWith(DRAFT))) {
    const draft = join(folder, entry);
    if (writtenAt(draft) < now - LEFT_MS) rmSync(draft, { recursive: true, force: true });
  }
}

/** When a folder or a file in it was last written to, in milliseconds; never where it has gone meanwhile. */
function writtenAt(folder: string): number {
  try {
    const parts = [folder, ...readdirSync(folder).map((name) => join(folder, name))];
    return Math.max(...parts.map((part) => statSync(part).mtimeMs));
  } catch {
    return Number.POSITIVE_INFINITY;
  }
}

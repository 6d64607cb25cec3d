/** Backs up a node's SQLite database while the node runs, into one file with a manifest. */
import { createHash } from 'node:crypto';
import { createReadStream, existsSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { copyDatabase, leaveWalMode } from '../store/sqlite/copyDatabase.ts';
import { writeArchive } from './archive.ts';
import { findDamage } from './damage.ts';
import { DATABASE, KEY, MANIFEST, type Manifest, ROOT_KEY, readContents } from './manifest.ts';
import { moveDurably } from './moveDurably.ts';

interface BackupOptions {
  /** The database to copy. */
  readonly database: string;
  /** The key files to include. */
  readonly keys: { readonly issuer: string; readonly root: string } | undefined;
  /** The archive to write. */
  readonly target: string;
  /** Of this program. */
  readonly version: string;
  readonly clock: () => number;
  /** Whether to refuse a damaged database, whose backup no restore would take. */
  readonly check: boolean;
  readonly onProgress?: (done: number, total: number) => void;
}

/** @throws Error when the target exists or there is no database; no file is left behind then */
export async function makeBackup(suite: Suite, options: BackupOptions): Promise<Manifest> {
  const { database, keys, target, version, clock, check } = options;
  if (!existsSync(database)) throw new Error(`There is no database at ${database}; set DATA_DIR to the node's folder.`);
  if (existsSync(target)) throw new Error(`${target} exists already; a backup overwrites nothing.`);
  // Beside the target and not in /tmp: the copy is as large and as confidential as the database.
  const work = mkdtempSync(join(dirname(target), '.countersign-backup-'));
  try {
    const copy = join(work, DATABASE);
    await copyDatabase(database, copy, options.onProgress);
    const damage = check ? findDamage(copy, true) : undefined;
    if (damage !== undefined) throw new Error(`${database} is damaged: ${damage}.`);
    // Read from the copy, so that the manifest describes exactly what is kept.
    const contents = await readContents(suite, copy, database);
    leaveWalMode(copy);
    const manifest: Manifest = {
      format: 'countersign-backup',
      formatVersion: 1,
      createdAt: new Date(clock()).toISOString(),
      version,
      sha256: await hashFile(copy),
      bytes: statSync(copy).size,
      includesKey: keys !== undefined,
      ...contents,
    };
    writeFileSync(join(work, MANIFEST), `${JSON.stringify(manifest, null, 2)}\n`);
    const entries = [
      { name: MANIFEST, path: join(work, MANIFEST) },
      ...keyEntries(keys),
      { name: DATABASE, path: copy },
    ];
    writeArchive(join(work, 'archive'), entries, clock);
    moveDurably(join(work, 'archive'), target);
    return manifest;
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** The root key is missing in a folder that no node of this version was started on. */
function keyEntries(keys: BackupOptions['keys']) {
  if (keys === undefined) return [];
  const root = existsSync(keys.root) ? [{ name: ROOT_KEY, path: keys.root }] : [];
  return [{ name: KEY, path: keys.issuer }, ...root];
}

/** @returns the SHA-256 of a file, in hexadecimal */
export async function hashFile(file: string): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(createReadStream(file), hash);
  return hash.digest('hex');
}

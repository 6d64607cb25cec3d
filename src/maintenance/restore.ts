/** Replaces a node's data with a verified backup, and keeps the former data in a folder. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
} from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { loadIssuerKey } from '../crypto/issuerKey.ts';
import { readSchema } from '../store/schema/readSchema.ts';
import { leaveWalMode } from '../store/sqlite/copyDatabase.ts';
import { openDatabase } from '../store/sqlite/openDatabase.ts';
import { NO_CLOCK, openSqlite } from '../store/sqlite/sqliteStore.ts';
import { deleteNodesBefore } from '../store/statements/node/nodes.ts';
import { readArchive } from './archive.ts';
import { verifyChains } from './chains.ts';
import { type Contents, DATABASE, KEY, MANIFEST, Manifest, readContents } from './manifest.ts';
import { moveDurably } from './moveDurably.ts';

interface RestoreOptions {
  /** An archive written by a backup, or an SQLite file such as those copied before a migration. */
  readonly source: string;
  readonly dataDir: string;
  /** The path of the issuer's key file. */
  readonly keyFile: string;
  readonly clock: () => number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface Restored extends Contents {
  /** When the backup was written; undefined for an SQLite file. */
  readonly createdAt: string | undefined;
  /** The folder with the former data; undefined when there was none. */
  readonly aside: string | undefined;
  readonly restoredKey: boolean;
}

/** @throws Error that says what is wrong; nothing has been changed then */
export async function restoreBackup(suite: Suite, given: RestoreOptions): Promise<Restored> {
  const options = { ...given, dataDir: resolve(given.dataDir), keyFile: resolve(given.keyFile) };
  const { source, dataDir, keyFile } = options;
  if (!existsSync(source)) throw new Error(`There is no file ${source}.`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const work = mkdtempSync(join(dataDir, 'restore-'));
  try {
    const manifest = unpack(source, work);
    const contents = await verify(suite, join(work, DATABASE), manifest, options);
    const key = existsSync(join(work, KEY)) ? join(work, KEY) : undefined;
    checkKey(suite, key ?? keyFile, contents.issuer);
    const database = join(dataDir, DATABASE);
    refuseWhileInUse(database);
    const aside = setAside(options, [database, ...journalsOf(database), ...(key === undefined ? [] : [keyFile])]);
    moveDurably(join(work, DATABASE), database);
    if (key !== undefined) {
      mkdirSync(dirname(keyFile), { recursive: true, mode: 0o700 });
      copyFileSync(key, `${keyFile}.draft`);
      moveDurably(`${keyFile}.draft`, keyFile);
    }
    return { ...contents, createdAt: manifest?.createdAt, aside, restoredKey: key !== undefined };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Extracts a backup. @returns its manifest; undefined for an SQLite file, which has none */
function unpack(source: string, work: string): Manifest | undefined {
  if (isSqlite(source)) {
    copyFileSync(source, join(work, DATABASE));
    return undefined;
  }
  const hashes = readArchive(source, (name) =>
    [MANIFEST, DATABASE, KEY].includes(name) ? join(work, name) : undefined,
  );
  const manifest = Manifest.safeParse(hashes.has(MANIFEST) ? readJson(join(work, MANIFEST)) : undefined);
  if (!manifest.success) throw new Error(`${source} has no manifest that this program understands.`);
  const found = hashes.get(DATABASE);
  if (found === undefined) throw new Error(`${source} holds no database.`);
  if (found !== manifest.data.sha256) {
    throw new Error(`${source} was changed or damaged: its database has the hash ${found}, not that of its manifest.`);
  }
  return manifest.data;
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
}

function isSqlite(file: string): boolean {
  const start = Buffer.alloc(16);
  const descriptor = openSync(file, 'r');
  readSync(descriptor, start, 0, start.length, 0);
  closeSync(descriptor);
  return start.toString('latin1') === 'SQLite format 3\0';
}

async function verify(
  suite: Suite,
  file: string,
  manifest: Manifest | undefined,
  { onProgress }: RestoreOptions,
): Promise<Contents> {
  checkIntegrity(file);
  const contents = await readContents(suite, file);
  const known = (await readSchema()).length;
  if (contents.schemaVersion > known) {
    throw new Error(
      `The backup has schema version ${contents.schemaVersion}, this program knows versions up to ${known}: ` +
        'restore it with the program that made it, or a newer one.',
    );
  }
  const store = openSqlite(file, NO_CLOCK);
  try {
    const broken = await verifyChains(suite, store, contents.issuer, onProgress);
    if (broken.length > 0) throw new Error(broken.join('\n'));
  } finally {
    await store.close();
  }
  if (manifest !== undefined) {
    for (const member of ['schemaVersion', 'issuer', 'chains', 'rows'] as const) {
      if (JSON.stringify(contents[member]) === JSON.stringify(manifest[member])) continue;
      throw new Error(`The backup does not hold what its manifest says: ${member} differ.`);
    }
  }
  await forgetNodes(file);
  leaveWalMode(file);
  return contents;
}

/** The nodes that ran on the database when the backup was made do not run on the restored copy. */
async function forgetNodes(file: string): Promise<void> {
  const store = openSqlite(file, NO_CLOCK);
  try {
    await store.write('restore', () => deleteNodesBefore(Number.MAX_SAFE_INTEGER));
  } finally {
    await store.close();
  }
}

/** @throws Error with SQLite's own first finding */
function checkIntegrity(file: string): void {
  let finding: string;
  try {
    const database = openDatabase(file, { fileMustExist: true });
    try {
      finding = String(database.pragma('integrity_check(1)', { simple: true }));
    } finally {
      database.close();
    }
  } catch (error) {
    finding = error instanceof Error ? error.message : String(error);
  }
  if (finding !== 'ok') throw new Error(`The database of the backup is damaged: ${finding}.`);
}

/** The key must be that of the issuer in the genesis hashes: the first one, which stays in the file after rotations. */
function checkKey(suite: Suite, file: string, issuer: string): void {
  if (!existsSync(file)) {
    throw new Error(`The backup has no issuer key. Put the key file of ${issuer} at ${file} first.`);
  }
  const { seed, retired } = loadIssuerKey(file, () => {
    throw new Error(`The issuer key file ${file} vanished.`);
  });
  const { did } = suite.signer(retired[0] ?? seed);
  if (did === issuer) return;
  throw new Error(`The key file ${file} is that of ${did}, but the database belongs to ${issuer}.`);
}

function refuseWhileInUse(database: string): void {
  if (!existsSync(database)) return;
  let free = true;
  try {
    free = leaveWalMode(database);
  } catch {
    // No node uses what is not a database; it is kept like the rest of the former data.
  }
  if (!free) throw new Error(`A node runs on ${dirname(database)}: stop it first.`);
}

function journalsOf(database: string): string[] {
  return [`${database}-wal`, `${database}-shm`];
}

/** @returns the folder, or undefined when there was nothing to move */
function setAside({ dataDir, clock }: RestoreOptions, files: readonly string[]): string | undefined {
  const present = files.filter((file) => existsSync(file));
  if (present.length === 0) return undefined;
  const time = new Date(clock()).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = mkdtempSync(join(dataDir, `before-restore-${time}-`));
  for (const file of present) {
    const kept = join(folder, file.slice(file.lastIndexOf('/') + 1));
    if (dirname(file) === dataDir) moveDurably(file, kept);
    else {
      copyFileSync(file, kept);
      rmSync(file);
    }
  }
  return folder;
}

/** Replaces a node's data with a verified backup, and keeps the former data in a folder. */
import { closeSync, existsSync, mkdirSync, mkdtempSync, openSync, readFileSync, readSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { firstDidOf, readIssuerKey } from '../crypto/issuerKey.ts';
import { type KeysOfDatabase, markOf, readRootKey } from '../crypto/rootKey.ts';
import { FIRST_ISSUER, ROOT_MARK } from '../domain/operator/claimDatabase.ts';
import { readSchema } from '../store/schema/readSchema.ts';
import { copyDatabase, leaveWalMode } from '../store/sqlite/copyDatabase.ts';
import { NO_CLOCK, openSqlite } from '../store/sqlite/sqliteStore.ts';
import { viewsFilesOf } from '../store/sqlite/viewsFile.ts';
import { deleteNodesBefore } from '../store/statements/node/nodes.ts';
import { findSetting } from '../store/statements/node/settings.ts';
import { readArchive } from './archive.ts';
import { verifyChains } from './chains.ts';
import { findDamage } from './damage.ts';
import { CHECKPOINT, type Contents, DATABASE, KEY, MANIFEST, Manifest, ROOT_KEY, readContents } from './manifest.ts';
import { putInPlace } from './putInPlace.ts';

interface RestoreOptions {
  /** An archive written by a backup, or an SQLite file such as those copied before a migration. */
  readonly source: string;
  readonly dataDir: string;
  /** The path of the issuer's key file. */
  readonly keyFile: string;
  /** The path of the root key file. */
  readonly rootKeyFile: string;
  readonly clock: () => number;
  readonly onProgress?: (done: number, total: number) => void;
}

export interface RestoreResult extends Contents {
  /** When the backup was written; undefined for an SQLite file. */
  readonly createdAt: string | undefined;
  /** The folder with the former data; undefined when there was none. */
  readonly aside: string | undefined;
  readonly restoredKey: boolean;
}

/** @throws Error that says what is wrong; nothing has been changed then */
export async function restoreBackup(suite: Suite, given: RestoreOptions): Promise<RestoreResult> {
  const options = {
    ...given,
    dataDir: resolve(given.dataDir),
    keyFile: resolve(given.keyFile),
    rootKeyFile: resolve(given.rootKeyFile),
  };
  const { source, dataDir, keyFile, rootKeyFile } = options;
  if (!existsSync(source)) throw new Error(`There is no file ${source}.`);
  mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  const work = mkdtempSync(join(dataDir, 'restore-'));
  try {
    const manifest = await unpack(source, work);
    const contents = await verify(suite, join(work, DATABASE), manifest, options);
    await checkKeys(suite, work, options);
    const database = join(dataDir, DATABASE);
    refuseWhileInUse(database);
    const places = [[DATABASE, database] as const, [KEY, keyFile] as const, [ROOT_KEY, rootKeyFile] as const];
    const files = new Map(
      places.filter(([name]) => existsSync(join(work, name))).map(([name, place]) => [join(work, name), place]),
    );
    const restoredKey = files.has(join(work, KEY));
    // A restored chain may be shorter than the last checkpoint, which is kept with the former data.
    const obsolete = [...journalsOf(database), ...viewsFilesOf(database), join(dataDir, CHECKPOINT)];
    const aside = putInPlace({ dataDir, source, files, obsolete, now: options.clock() });
    return { ...contents, createdAt: manifest?.createdAt, aside, restoredKey };
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Extracts a backup. @returns its manifest; undefined for an SQLite file, which has none */
async function unpack(source: string, work: string): Promise<Manifest | undefined> {
  if (isSqlite(source)) {
    // By SQLite's own backup, since the newest commits may be in a write-ahead log beside the file.
    await copyDatabase(source, join(work, DATABASE));
    return undefined;
  }
  const hashes = readArchive(source, (name) =>
    [MANIFEST, DATABASE, KEY, ROOT_KEY].includes(name) ? join(work, name) : undefined,
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
  { source, onProgress }: RestoreOptions,
): Promise<Contents> {
  checkIntegrity(file);
  const contents = await readContents(suite, file, source);
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
  const damage = findDamage(file, true);
  if (damage !== undefined) throw new Error(`The database of the backup is damaged: ${damage}.`);
}

/**
 * The keys must be those of the database: the backup's own, or else the folder's. The first issuer stays in the key file
 * through rotations.
 */
async function checkKeys(suite: Suite, work: string, { keyFile, rootKeyFile }: RestoreOptions): Promise<void> {
  const { firstIssuer, rootMark } = await readKeysOf(join(work, DATABASE));
  const issuerFile = restoredOr(work, KEY, keyFile);
  const key = readIssuerKey(issuerFile);
  if (key === undefined) {
    throw new Error(`The backup has no issuer key. Put the key file of ${firstIssuer} at ${keyFile} first.`);
  }
  const did = firstDidOf(suite, key);
  if (did !== firstIssuer) {
    throw new Error(`The key file ${issuerFile} is that of ${did}, but the database belongs to ${firstIssuer}.`);
  }
  const rootFile = restoredOr(work, ROOT_KEY, rootKeyFile);
  const root = readRootKey(rootFile);
  if (root === undefined) throw new Error(`The backup has no root key. Put its file at ${rootKeyFile} first.`);
  if (markOf(root) !== rootMark) throw new Error(`The key file ${rootFile} is not the root key of the database.`);
}

function restoredOr(work: string, name: string, own: string): string {
  return existsSync(join(work, name)) ? join(work, name) : own;
}

async function readKeysOf(file: string): Promise<KeysOfDatabase> {
  const store = openSqlite(file, NO_CLOCK);
  try {
    return await store.read(function* () {
      return { firstIssuer: yield* findSetting(FIRST_ISSUER), rootMark: yield* findSetting(ROOT_MARK) };
    });
  } finally {
    await store.close();
  }
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

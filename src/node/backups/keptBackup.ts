/** The backup that a node on SQLite makes when it is asked to, and keeps to be downloaded until the next one is whole. */
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  statfsSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { lastBackup, noteBackup } from '../../maintenance/backupMark.ts';
import { type ContentCounts, countContents, DATABASE } from '../../maintenance/manifest.ts';
import { moveDurably } from '../../maintenance/moveDurably.ts';
import type { BackupAttempt, BackupFile, Backups } from '../../usecase/deps.ts';
import type { Config } from '../config/config.ts';
import { version } from '../version.ts';
import { backUpBeside, restoreBeside } from './backupBeside.ts';

/** Within the data folder. Nothing else is kept in the folder of the archive. */
const BACKUPS = 'backups';
const FOLDER = join(BACKUPS, 'download');
const TRIAL = join(BACKUPS, 'trial');
const RECORD = 'latest.json';
/** A database is copied, and the copy is packed. */
const COPIES = 2;
const SPARE_BYTES = 64 * 1024 ** 2;
const PIECE_BYTES = 256 * 1024;

/** Of a node, where its archive is kept. */
type DataPaths = Pick<Config, 'dataDir' | 'issuerKeyFile' | 'rootKeyFile'>;

/**
 * @param stopping ends what is being made or tried
 * @param clock milliseconds since the epoch
 */
export function keptBackup(places: DataPaths, stopping: AbortSignal, clock: () => number): Backups {
  const { dataDir } = places;
  const folder = join(dataDir, FOLDER);
  let attempt: BackupAttempt = { state: 'NONE' };
  let latest = readRecord(folder);

  async function make(startedAt: number): Promise<void> {
    const fileName = `countersign-${new Date(startedAt).toISOString().replaceAll(/[-:.]/g, '')}.tar`;
    const progress = (done: number, total: number) => {
      attempt = { state: 'RUNNING', startedAt, done, total };
    };
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 });
      const target = join(folder, fileName);
      rmSync(target, { force: true });
      const task = { database: join(dataDir, DATABASE), target, version };
      const { manifest, sha256 } = await backUpBeside(task, progress, stopping);
      const { createdAt, schemaVersion } = manifest;
      const bytes = statSync(target).size;
      const facts = { fileName, createdAt: Date.parse(createdAt), bytes, sha256, schemaVersion };
      latest = { ...facts, ...countContents(manifest) };
      writeRecord(folder, latest);
      clear(folder, fileName);
      attempt = { state: 'NONE' };
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      attempt = { state: 'FAILED', startedAt, reason };
      // A process that was killed could not: its copy is as large as the database.
      clear(folder, latest?.fileName);
    }
  }

  return {
    folder: join(dataDir, BACKUPS),
    lastAt: () => lastBackup(dataDir),
    attempt: () => attempt,
    latest: () => latest,
    start() {
      if (attempt.state === 'RUNNING') return attempt;
      const startedAt = clock();
      // Before the room is measured, or what a crash left would refuse every other backup.
      clear(folder, latest?.fileName);
      const reason = lackingSpace(dataDir);
      attempt =
        reason === undefined
          ? { state: 'RUNNING', startedAt, done: 0, total: 0 }
          : { state: 'FAILED', startedAt, reason };
      if (reason === undefined) void make(startedAt);
      return attempt;
    },
    async read({ fileName }, onEnd) {
      // Open from here on: another backup may take its place meanwhile.
      const file = await open(join(folder, fileName)).catch(() => undefined);
      return file === undefined ? undefined : piecesOf(file, onEnd);
    },
    // What is saved is the data of the time at which it was copied, however late that is taken elsewhere.
    noteKept: ({ createdAt }) => noteBackup(dataDir, Math.max(createdAt, lastBackup(dataDir) ?? createdAt)),
    tryRestore: (archive) => tryRestore(places, archive, stopping),
  };
}

/** @throws Error that says why the archive cannot be restored */
async function tryRestore(
  { dataDir, issuerKeyFile, rootKeyFile }: DataPaths,
  archive: string,
  stopping: AbortSignal,
): Promise<ContentCounts> {
  const trial = join(dataDir, TRIAL);
  rmSync(trial, { recursive: true, force: true });
  const reason = lackingSpace(dataDir, 'its trial');
  if (reason !== undefined) throw new Error(reason);
  mkdirSync(trial, { mode: 0o700 });
  try {
    const task = { archive, folder: trial, issuerKey: issuerKeyFile, rootKey: rootKeyFile };
    return await restoreBeside(task, stopping);
  } finally {
    rmSync(trial, { recursive: true, force: true });
  }
}

/** @returns why there is no room for a backup; undefined where there is */
function lackingSpace(dataDir: string, whose = 'a backup'): string | undefined {
  const database = join(dataDir, DATABASE);
  const sizes = [database, `${database}-wal`].map((file) => (existsSync(file) ? statSync(file).size : 0));
  const needed = COPIES * sizes.reduce((sum, size) => sum + size, 0) + SPARE_BYTES;
  const { bavail, bsize } = statfsSync(dataDir);
  if (bavail * bsize >= needed) return undefined;
  const [free, wanted] = [bavail * bsize, needed].map((bytes) => `${Math.ceil(bytes / 1024 ** 2)} MiB`);
  return `${dataDir} has ${free} free and ${whose} needs ${wanted}; make room, or run: countersign backup FILE`;
}

function piecesOf(file: FileHandle, onEnd: () => void = () => {}): AsyncIterable<Uint8Array> {
  const end = async (): Promise<IteratorResult<Uint8Array>> => {
    await file.close();
    return { done: true, value: undefined };
  };
  const next = async (): Promise<IteratorResult<Uint8Array>> => {
    const { bytesRead, buffer } = await file.read(new Uint8Array(PIECE_BYTES));
    if (bytesRead > 0) return { done: false, value: buffer.subarray(0, bytesRead) };
    onEnd();
    return end();
  };
  // No generator: one that was never begun would leave the file open.
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

/** Removes what an earlier backup, or one that was broken off, has left; what cannot be removed, the next backup tries again. */
function clear(folder: string, kept: string | undefined): void {
  try {
    for (const name of existsSync(folder) ? readdirSync(folder) : []) {
      if (name !== RECORD && name !== kept) rmSync(join(folder, name), { recursive: true, force: true });
    }
  } catch {
    // A backup that was made is whole all the same, and one that failed says why it did.
  }
}

/** @returns undefined where there is no whole backup */
function readRecord(folder: string): BackupFile | undefined {
  try {
    const record = JSON.parse(readFileSync(join(folder, RECORD), 'utf8')) as BackupFile;
    return statSync(join(folder, record.fileName)).size === record.bytes ? record : undefined;
  } catch {
    return undefined;
  }
}

function writeRecord(folder: string, record: BackupFile): void {
  const draft = join(folder, `${RECORD}.draft`);
  writeFileSync(draft, JSON.stringify(record), { mode: 0o600 });
  const file = openSync(draft, 'r');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
  moveDurably(draft, join(folder, RECORD));
}

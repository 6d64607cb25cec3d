/**
 * The issuer's key file: the seed as base64url on one line, created at first start, readable by its owner only. After a
 * rotation the new seed is on the first line and the seeds it replaced are below.
 */
import {
  closeSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  unlinkSync,
  writeSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';

export interface IssuerKey {
  /** The seed of the signing key. */
  readonly seed: Uint8Array;
  /** Seeds of former signing keys, the oldest first. */
  readonly retired: readonly Uint8Array[];
  /** Whether this call created the file. */
  readonly created: boolean;
}

/**
 * Reads the key file, or creates it. Of two nodes that start at once, one creates it and both read it.
 * @param randomBytes unpredictable bytes
 * @throws Error when anyone but the owner may read the file, or it holds no seed
 */
export function loadIssuerKey(file: string, randomBytes: (size: number) => Uint8Array): IssuerKey {
  const existing = readSeeds(file);
  if (existing !== undefined) return { ...existing, created: false };
  const created = writeSeed(file, randomBytes);
  const seeds = readSeeds(file);
  if (seeds === undefined) throw new Error(`The issuer key file ${file} vanished while it was being created.`);
  return { ...seeds, created };
}

/** The seed that everything except signatures is derived from; a rotation of the signing key does not change it. */
export function rootSeed(key: Pick<IssuerKey, 'seed' | 'retired'>): Uint8Array {
  return key.retired[0] ?? key.seed;
}

/**
 * Replaces the signing key with a new one; the former key stays in the file.
 * @throws Error when there is no key yet, otherwise as loadIssuerKey
 */
export function rotateIssuerKey(file: string, randomBytes: (size: number) => Uint8Array): void {
  const existing = readSeeds(file);
  if (existing === undefined) throw new Error(`There is no issuer key at ${file} yet.`);
  const seeds = [randomBytes(SEED_BYTES), existing.seed, ...existing.retired.toReversed()];
  const draft = writeDraft(file, seeds, randomBytes);
  renameSync(draft, file);
  syncFolder(dirname(file));
}

function readSeeds(file: string): Pick<IssuerKey, 'seed' | 'retired'> | undefined {
  const descriptor = unless('ENOENT', () => openSync(file, 'r'));
  if (descriptor === undefined) return undefined;
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`The issuer key file ${file} is not a file.`);
    // Windows has no such bits; the folder's access list protects the file there.
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      throw new Error(`The issuer key file ${file} is open to others than its owner: chmod 600 ${file}`);
    }
    const lines = readFileSync(descriptor, 'utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
    const seeds = lines
      .map((line) => fromBase64url(line))
      .filter((seed) => seed?.length === SEED_BYTES) as Uint8Array[];
    const [seed, ...older] = seeds;
    if (seed !== undefined && seeds.length === lines.length) return { seed, retired: older.toReversed() };
    throw new Error(
      `The issuer key file ${file} must hold one line for each key: ${SEED_BYTES} bytes as base64url (43 characters).`,
    );
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Writes a draft, syncs it and links it to its final name: no process reads half a key, no key is overwritten, and a
 * key that has been used survives a power cut.
 * @returns false when another process was first
 */
function writeSeed(file: string, randomBytes: (size: number) => Uint8Array): boolean {
  const draft = writeDraft(file, [randomBytes(SEED_BYTES)], randomBytes);
  try {
    const linked = unless('EEXIST', () => {
      linkSync(draft, file);
      return true;
    });
    return linked ?? false;
  } finally {
    unlinkSync(draft);
    syncFolder(dirname(file));
  }
}

/** @returns the path of a synced draft beside the file */
function writeDraft(file: string, seeds: readonly Uint8Array[], randomBytes: (size: number) => Uint8Array): string {
  const draft = `${file}.${toBase64url(randomBytes(9))}.tmp`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    writeSync(descriptor, seeds.map((seed) => `${toBase64url(seed)}\n`).join(''));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Runs an action; undefined when it fails with this code. */
function unless<T>(code: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}

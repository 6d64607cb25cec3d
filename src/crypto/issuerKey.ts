/** The issuer's key file: the seed as base64url on one line, made at first start, readable by its owner only. */
import { closeSync, fstatSync, fsyncSync, linkSync, openSync, readFileSync, unlinkSync, writeSync } from 'node:fs';
import { dirname } from 'node:path';
import { fromBase64url, toBase64url } from '../../protocol/credential/base64url.ts';
import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';

export interface IssuerKey {
  readonly seed: Uint8Array;
  /** Whether the file was made by this call. */
  readonly created: boolean;
}

/**
 * Reads the key file, or makes it where there is none; of two nodes that start at once one makes it, both read it.
 * @param randomBytes unpredictable bytes
 * @throws Error when others than the owner may read the file, or it holds no seed
 */
export function loadIssuerKey(file: string, randomBytes: (size: number) => Uint8Array): IssuerKey {
  const existing = readSeed(file);
  if (existing !== undefined) return { seed: existing, created: false };
  const created = writeSeed(file, randomBytes);
  const seed = readSeed(file);
  if (seed === undefined) throw new Error(`The issuer key file ${file} vanished while it was being made.`);
  return { seed, created };
}

function readSeed(file: string): Uint8Array | undefined {
  const descriptor = unless('ENOENT', () => openSync(file, 'r'));
  if (descriptor === undefined) return undefined;
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`The issuer key file ${file} is not a file.`);
    // Windows has no such bits; there the folder's access list must do.
    if (process.platform !== 'win32' && (status.mode & 0o077) !== 0) {
      throw new Error(`The issuer key file ${file} is open to others than its owner: chmod 600 ${file}`);
    }
    const seed = fromBase64url(readFileSync(descriptor, 'utf8').replace(/\r?\n$/, ''));
    if (seed?.length === SEED_BYTES) return seed;
    throw new Error(
      `The issuer key file ${file} must hold one line: ${SEED_BYTES} bytes as base64url (43 characters).`,
    );
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Written beside its place, synced, then linked into it: nobody ever reads half a key, nobody's key is overwritten,
 * and a key that was used survives a power cut.
 * @returns false when another process was first
 */
function writeSeed(file: string, randomBytes: (size: number) => Uint8Array): boolean {
  const draft = `${file}.${toBase64url(randomBytes(9))}.tmp`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    try {
      writeSync(descriptor, `${toBase64url(randomBytes(SEED_BYTES))}\n`);
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
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

function syncFolder(folder: string): void {
  if (process.platform === 'win32') return;
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

function unless<T>(code: string, action: () => T): T | undefined {
  try {
    return action();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === code) return undefined;
    throw error;
  }
}

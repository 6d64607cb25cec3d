/**
 * Files that hold a secret key: readable by their owner only, and on disk before anything relies on them. A new file is
 * written as a synced draft and then linked or renamed to its name, so that no process reads half of it.
 */
import {
  chownSync,
  closeSync,
  existsSync,
  fstatSync,
  fsyncSync,
  linkSync,
  openSync,
  readFileSync,
  renameSync,
  statSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { SEED_BYTES } from '../../protocol/credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';

export type RandomBytes = (size: number) => Uint8Array;

/**
 * @param name what a person calls the file
 * @returns its lines; undefined when there is no such file
 * @throws Error when another user than its owner may read it, save the service's group where root owns it
 */
export function readKeyLines(file: string, name: string): readonly string[] | undefined {
  const descriptor = unless('ENOENT', () => openSync(file, 'r'));
  if (descriptor === undefined) return undefined;
  try {
    const status = fstatSync(descriptor);
    if (!status.isFile()) throw new Error(`The ${name} ${file} is not a file.`);
    // Windows has no such bits; the folder's access list protects the file there.
    if (process.platform !== 'win32' && isOpen(status)) {
      throw new Error(`The ${name} ${file} is open to others than its owner: chmod 600 ${file}`);
    }
    return readFileSync(descriptor, 'utf8')
      .replace(/\r?\n$/, '')
      .split(/\r?\n/);
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Container platforms mount secrets as files of root that the service's group may read: PostgreSQL takes its own key so as well
 * (ssl_key_file: 0600 at most, or 0640 where root owns it).
 */
function isOpen({ mode, uid }: { readonly mode: number; readonly uid: number }): boolean {
  const isMounted = uid === 0 && process.geteuid?.() !== 0;
  return (mode & (isMounted ? 0o037 : 0o077)) !== 0;
}

/** The key in a line, or undefined where the line is no key. */
export function seedIn(line: string): Uint8Array | undefined {
  const seed = fromBase64url(line);
  return seed?.length === SEED_BYTES ? seed : undefined;
}

/** Creates a file; one that exists is left as it is. @returns false when another process was first */
export function createKeyFile(file: string, lines: readonly string[], randomBytes: RandomBytes): boolean {
  const draft = writeDraft(file, lines, randomBytes);
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

/** Replaces a file, whose owner stays the same. */
export function replaceKeyFile(file: string, lines: readonly string[], randomBytes: RandomBytes): void {
  const draft = writeDraft(file, lines, randomBytes);
  giveTo(statSync(existsSync(file) ? file : dirname(file)), draft);
  moveKeyFile(draft, file);
}

/** Renames a file, so that after a power cut it has one of the two names. */
export function moveKeyFile(from: string, to: string): void {
  renameSync(from, to);
  syncFolder(dirname(to));
}

/** Gives a file to the owner of another, where this process may: a file made by root is of no use to a service. */
export function giveTo(owner: { readonly uid: number; readonly gid: number }, file: string): void {
  if (process.getuid?.() === 0) chownSync(file, owner.uid, owner.gid);
}

/** @returns the path of a synced draft beside the file */
function writeDraft(file: string, lines: readonly string[], randomBytes: RandomBytes): string {
  const draft = `${file}.${toBase64url(randomBytes(9))}.tmp`;
  const descriptor = openSync(draft, 'wx', 0o600);
  try {
    // On a nearly full disk writeSync writes a part and returns its length; this writes all, or throws.
    writeFileSync(descriptor, lines.map((line) => `${line}\n`).join(''));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  return draft;
}

export function syncFolder(folder: string): void {
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

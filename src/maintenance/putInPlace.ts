/** Puts restored files in the place of a folder's own, which are kept aside. The old data is moved away last. */
import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { giveTo, syncFolder } from '../crypto/keyFile.ts';
import { moveDurably } from './moveDurably.ts';
import { markRestore, unmarkRestore } from './restoreMark.ts';

interface Replacement {
  readonly dataDir: string;
  /** What is restored, as it was given. */
  readonly source: string;
  /** Each finished file, and the place it goes to. */
  readonly files: ReadonlyMap<string, string>;
  /** Files that the restored ones do not go with. */
  readonly obsolete: readonly string[];
  readonly now: number;
}

/** @returns the folder with what was there; undefined when there was nothing */
export function putInPlace({ dataDir, source, files, obsolete, now }: Replacement): string | undefined {
  const staged = new Map([...files].map(([from, place]) => [stage(from, place, dataDir), place]));
  const former = [...obsolete, ...files.values()].filter((file) => existsSync(file));
  const aside = former.length === 0 ? undefined : makeAside(dataDir, now);
  markRestore(dataDir, { source, aside: aside ?? dataDir });
  if (aside !== undefined) {
    for (const file of former) keep(file, join(aside, basename(file)));
    syncFolder(aside);
  }
  // A log that belongs to the former database must be gone before the new one comes.
  for (const file of obsolete) rmSync(file, { force: true });
  for (const [from, place] of staged) moveDurably(from, place);
  syncFolder(dataDir);
  unmarkRestore(dataDir);
  return aside;
}

/** Copies a file to the folder of its place, on disk and with the owner of what it replaces. */
function stage(from: string, place: string, dataDir: string): string {
  const staged = `${place}.restored`;
  mkdirSync(dirname(place), { recursive: true, mode: 0o700 });
  rmSync(staged, { force: true });
  // What lies in the data folder is on its file system already.
  if (dirname(place) === dataDir) moveDurably(from, staged);
  else copyFileSync(from, staged);
  sync(staged);
  giveTo(statSync(existsSync(place) ? place : dirname(place)), staged);
  return staged;
}

function makeAside(dataDir: string, now: number): string {
  const time = new Date(now).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  const folder = mkdtempSync(join(dataDir, `before-restore-${time}-`));
  giveTo(statSync(dataDir), folder);
  return folder;
}

/** Gives a file a second name, or copies it to where that is not possible. */
function keep(file: string, kept: string): void {
  try {
    linkSync(file, kept);
  } catch {
    copyFileSync(file, kept);
    sync(kept);
    giveTo(statSync(file), kept);
  }
}

function sync(file: string): void {
  const descriptor = openSync(file, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** The mark of a restore that is under way: should it be cut off, the next program that opens the folder reports it. */
import { closeSync, existsSync, fsyncSync, openSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { syncFolder } from '../crypto/keyFile.ts';

const MARK = 'restore-in-progress';

interface RestoreMark {
  /** What is restored. */
  readonly source: string;
  /** Where the former data is. */
  readonly aside: string;
}

export function markRestore(dataDir: string, restore: RestoreMark): void {
  const descriptor = openSync(join(dataDir, MARK), 'w', 0o600);
  try {
    writeFileSync(descriptor, JSON.stringify(restore));
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  syncFolder(dataDir);
}

export function unmarkRestore(dataDir: string): void {
  rmSync(join(dataDir, MARK), { force: true });
  syncFolder(dataDir);
}

/** @throws Error when a restore into this folder was cut off */
export function refuseHalfRestored(dataDir: string): void {
  const file = join(dataDir, MARK);
  if (!existsSync(file)) return;
  const { source, aside } = JSON.parse(readFileSync(file, 'utf8')) as RestoreMark;
  throw new Error(
    `A restore of ${source} into ${dataDir} was cut off, so what is there may be of two ages. ` +
      `Run it again: countersign restore ${source} --data-dir ${dataDir}. What was there before is in ${aside}.`,
  );
}

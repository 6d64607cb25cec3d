/** One writer of a file at a time, also among processes: a lock beside it, held for as long as a function runs, which waits for nothing. */
import { closeSync, fstatSync, linkSync, openSync, renameSync, statSync, unlinkSync } from 'node:fs';

/** A change takes milliseconds: a lock that is older was left behind by a process that was killed. */
const ABANDONED_MS = 10_000;
const WAIT_MS = 5;

/**
 * @param file the path of what is locked
 * @param run is given whether the lock is still its own: it is not where the machine slept, say, and another process took it for abandoned
 * @throws Error where no lock can be made, such as in a folder that cannot be written
 */
export function whileLocked<Value>(file: string, run: (isHeld: () => boolean) => Value): Value {
  const lock = `${file}.lock`;
  let own = take(lock);
  while (own === undefined) {
    if (!isRemoved(lock)) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, WAIT_MS);
    own = take(lock);
  }
  const isHeld = () => stampAt(lock) === own;
  try {
    return run(isHeld);
  } finally {
    if (isHeld()) unlinkSync(lock);
  }
}

/** @returns which lock it is; undefined where another is there */
function take(lock: string): string | undefined {
  try {
    const made = openSync(lock, 'wx', 0o600);
    try {
      return stampOf(fstatSync(made));
    } finally {
      closeSync(made);
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return undefined;
    throw error;
  }
}

function stampOf({ ino, mtimeMs }: { readonly ino: number; readonly mtimeMs: number }): string {
  return `${ino} ${mtimeMs}`;
}

function stampAt(path: string): string | undefined {
  const found = statSync(path, { throwIfNoEntry: false });
  return found === undefined ? undefined : stampOf(found);
}

/** @returns whether no lock is there any more, an abandoned one by this */
function isRemoved(lock: string): boolean {
  const found = statSync(lock, { throwIfNoEntry: false });
  if (found === undefined) return true;
  if (Math.abs(Date.now() - found.mtimeMs) < ABANDONED_MS) return false;
  const aside = `${lock}.${process.pid}`;
  try {
    renameSync(lock, aside);
  } catch {
    return true;
  }
  try {
    // Another process may have removed the abandoned one first, and hold a lock of its own: it gets that back.
    if (stampAt(aside) !== stampOf(found)) linkSync(aside, lock);
  } catch {
    // Yet another holds it by now, and the former finds out before it writes.
  } finally {
    unlinkSync(aside);
  }
  return true;
}

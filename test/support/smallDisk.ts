/** A disk of its own that a test fills and empties: a file system in memory, of a fixed size. */
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHUNK_BYTES = 64 * 1024;

export interface SmallDisk {
  readonly folder: string;
  /** Takes all the room that is left, to the last byte. */
  fill(): void;
  /** Gives that room back. */
  empty(): void;
  /** Unmounts it; what lay on it is gone. */
  remove(): void;
}

/** Why a test can mount none here; undefined where it can. */
export function missingMount(): string | undefined {
  if (process.platform !== 'linux' || process.getuid?.() !== 0) return 'only root may mount a file system, on Linux';
  const folder = mkdtempSync(join(tmpdir(), 'countersign-mount-'));
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=64k', 'tmpfs', folder]);
  if (status === 0) execFileSync('umount', [folder]);
  rmSync(folder, { recursive: true });
  return status === 0 ? undefined : 'this machine lets no process mount a file system';
}

export function mountSmallDisk(bytes: number): SmallDisk {
  const mountPoint = mkdtempSync(join(tmpdir(), 'countersign-disk-'));
  execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', mountPoint]);
  const folder = join(mountPoint, 'data');
  mkdirSync(folder, { mode: 0o700 });
  const filler = join(mountPoint, 'filler');
  return {
    folder,
    fill() {
      const file = openSync(filler, 'a');
      for (let size = CHUNK_BYTES; size >= 1; ) {
        try {
          writeSync(file, Buffer.alloc(size));
        } catch (error) {
          if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error;
          size = Math.floor(size / 2);
        }
      }
      closeSync(file);
    },
    empty: () => rmSync(filler),
    remove() {
      // Lazily: a process that was killed may be a moment away from its end.
      execFileSync('umount', ['-l', mountPoint]);
      rmSync(mountPoint, { recursive: true, force: true });
    },
  };
}

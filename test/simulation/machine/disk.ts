/**
 * What of a folder's files is on the disk, so that the power can be cut. SQLite syncs each commit before it returns, and the
 * world cuts the power between statements, so what a cut takes is the log's index, which is written through memory alone.
 * Cuts within a commit or a copy of the log are those of test/store/sqlite/powerCut.test.ts.
 */
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Chance } from './chance.ts';

export class Disk {
  readonly folder: string;

  constructor(folder: string) {
    this.folder = folder;
  }

  /** All files as they are, for a process that is killed: what it wrote stays. */
  copy(): ReadonlyMap<string, Buffer> {
    return new Map(this.#names().map((name) => [name, readFileSync(join(this.folder, name))]));
  }

  /** All files as a cut of the power now leaves them. */
  copyAfterCut(chance: Chance): ReadonlyMap<string, Buffer> {
    const files = new Map(this.copy());
    const keepsIndex = chance.permille(500);
    for (const name of files.keys()) if (name.endsWith('-shm') && !keepsIndex) files.delete(name);
    return files;
  }

  /** Puts files in the place of those that are there. */
  put(files: ReadonlyMap<string, Buffer>): void {
    for (const name of this.#names()) rmSync(join(this.folder, name));
    for (const [name, bytes] of files) writeFileSync(join(this.folder, name), bytes, { mode: 0o600 });
  }

  #names(): string[] {
    const entries = readdirSync(this.folder, { withFileTypes: true });
    return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
  }
}

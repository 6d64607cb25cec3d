/** Backups in a folder of another disk, or of another machine's that is mounted. */
import { createReadStream, existsSync, readFileSync, realpathSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { moveDurably } from '../../../maintenance/moveDurably.ts';
import type { BackupTarget } from './backupTarget.ts';

/** Lies in the folder: where it is missing, what should be mounted there is not. */
const MARK = '.countersign-backups';

/** @param folder an absolute path @param dataDir of the node, which keeps no backup of itself */
export function folderTarget(folder: string, dataDir: string): BackupTarget {
  const requireFolder = () => {
    if (!isFolder(folder)) throw new Error(`There is no folder ${folder}; make it first, or mount its disk`);
  };
  const requireMark = () => {
    requireFolder();
    if (existsSync(join(folder, MARK))) return;
    throw new Error(
      `${folder} is not the folder that was chosen: ${MARK} is missing; mount its disk, or choose it again`,
    );
  };
  const draftOf = (fileName: string) => join(folder, `${fileName}.part`);
  return {
    async prepare() {
      requireFolder();
      const [place, data] = [realpathSync(folder), realpathSync(dataDir)];
      if (place === data || place.startsWith(data + sep)) {
        throw new Error(`${folder} lies in the node's data folder; choose one on another disk`);
      }
      const text = 'Backups of a Countersign node go here. Without this file it makes none.\n';
      // Moved there: what lies by that name is replaced, and no link of others is followed.
      const draft = join(folder, `${MARK}.part`);
      rmSync(draft, { force: true });
      writeFileSync(draft, text, { mode: 0o600, flag: 'wx' });
      moveDurably(draft, join(folder, MARK));
      readFileSync(join(folder, MARK));
    },
    async put(fileName, pieces, bytes) {
      requireMark();
      const draft = draftOf(fileName);
      await rm(draft, { force: true });
      try {
        const file = await open(draft, 'wx', 0o600);
        try {
          for await (const piece of pieces) await file.writeFile(piece);
          await file.sync();
        } finally {
          await file.close();
        }
        const written = statSync(draft).size;
        if (written !== bytes) throw new Error(`${written} of ${bytes} bytes were written`);
        moveDurably(draft, join(folder, fileName));
      } catch (error) {
        await rm(draft, { force: true });
        throw error;
      }
    },
    async read(fileName) {
      requireMark();
      return createReadStream(join(folder, fileName));
    },
    async remove(fileName) {
      requireMark();
      // A node that was killed while it wrote has left a part.
      for (const path of [join(folder, fileName), draftOf(fileName)]) await rm(path, { force: true });
    },
  };
}

/** Whether both lie on one disk, which takes the backup with it where it breaks. */
export function isOnDiskOf(dataDir: string, folder: string): boolean {
  try {
    return statSync(folder).dev === statSync(dataDir).dev;
  } catch {
    return false;
  }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

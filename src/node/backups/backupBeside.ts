/**
 * Makes a backup in a process of its own, with low priority: it reads the whole database and writes it twice, which a node
 * that answers meanwhile must not wait for.
 */
import { setPriority } from 'node:os';
import { startProcess } from '../../assets/beside.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { hashFile, makeBackup } from '../../maintenance/backup.ts';
import type { Manifest } from '../../maintenance/manifest.ts';

interface BackupTask {
  /** The database to copy. */
  readonly database: string;
  /** The archive to write; its folder exists. */
  readonly target: string;
  /** Of this program. */
  readonly version: string;
}

interface MadeBackup {
  readonly manifest: Manifest;
  /** Of the archive, in hexadecimal. */
  readonly sha256: string;
}

type Message =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'made'; readonly made: MadeBackup }
  | { readonly kind: 'failed'; readonly reason: string };

/** Lets other processes run first; what cannot be had is done without. */
const LOW_PRIORITY = 10;

/**
 * @param onProgress receives how many pages of how many were copied
 * @param signal ends the process, and with it the backup
 * @throws Error when no backup was made
 */
export function backUpBeside(
  task: BackupTask,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<MadeBackup> {
  const child = startProcess('backup');
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  return new Promise<MadeBackup>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, by) => reject(new Error(`The process that made the backup ended (${by ?? code}).`)));
    child.on('message', (message: Message) => {
      if (message.kind === 'progress') onProgress(message.done, message.total);
      else if (message.kind === 'made') resolve(message.made);
      else reject(new Error(message.reason));
    });
    child.send(task);
    if (signal.aborted) end();
  }).finally(() => signal.removeEventListener('abort', end));
}

/** What runs beside the node. */
export function runBackup(): void {
  // A signal to all processes of the node is meant for the first one, which ends this one.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  process.once('disconnect', () => process.exit(1));
  process.once('message', (task) => {
    make(task as BackupTask)
      .then((made) => say({ kind: 'made', made }))
      .catch((error: unknown) =>
        say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => process.disconnect());
  });
}

async function make({ database, target, version }: BackupTask): Promise<MadeBackup> {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // It is made all the same.
  }
  const onProgress = (done: number, total: number) => say({ kind: 'progress', done, total });
  // Without the keys: who reads a download by a stolen login must not sign as this node, nor open its secrets.
  const options = { database, target, version, keys: undefined, clock: Date.now, check: true, onProgress };
  const manifest = await makeBackup(nativeSuite(), options);
  return { manifest, sha256: await hashFile(target) };
}

function say(message: Message): void {
  process.send?.(message);
}

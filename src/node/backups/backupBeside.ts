/**
 * Makes a backup, or restores one to try it, in a process of its own with low priority: it reads the whole database and writes it
 * twice, which a node that answers meanwhile must not wait for.
 */
import { copyFileSync } from 'node:fs';
import { setPriority } from 'node:os';
import { join } from 'node:path';
import { startProcess } from '../../assets/beside.ts';
import { nativeSuite } from '../../crypto/nativeSuite.ts';
import { hashFile, makeBackup } from '../../maintenance/backup.ts';
import { type ContentCounts, countContents, KEY, type Manifest, ROOT_KEY } from '../../maintenance/manifest.ts';
import { restoreBackup } from '../../maintenance/restore.ts';

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

interface RestoreTask {
  readonly archive: string;
  /** An empty folder, to restore it into. */
  readonly folder: string;
  /** The files of the node's keys. */
  readonly issuerKey: string;
  readonly rootKey: string;
}

type Task =
  | { readonly kind: 'make'; readonly task: BackupTask }
  | { readonly kind: 'restore'; readonly task: RestoreTask };

type Message =
  | { readonly kind: 'progress'; readonly done: number; readonly total: number }
  | { readonly kind: 'done'; readonly result: unknown }
  | { readonly kind: 'failed'; readonly reason: string };

/** Lets other processes run first; what cannot be had is done without. */
const LOW_PRIORITY = 10;

/**
 * @param onProgress receives how many pages of how many were copied
 * @param signal ends the process, and with it the backup
 * @throws Error when no backup was made
 */
export async function backUpBeside(
  task: BackupTask,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<MadeBackup> {
  return (await runBeside({ kind: 'make', task }, onProgress, signal)) as MadeBackup;
}

/**
 * @param signal ends the process, and with it the trial
 * @throws Error that says why it cannot be restored
 */
export async function restoreBeside(task: RestoreTask, signal: AbortSignal): Promise<ContentCounts> {
  return (await runBeside({ kind: 'restore', task }, () => {}, signal)) as ContentCounts;
}

function runBeside(
  task: Task,
  onProgress: (done: number, total: number) => void,
  signal: AbortSignal,
): Promise<unknown> {
  const child = startProcess('backup');
  const end = () => child.kill('SIGKILL');
  signal.addEventListener('abort', end);
  return new Promise<unknown>((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', (code, by) =>
      reject(new Error(`The process that made or tried the backup ended (${by ?? code}).`)),
    );
    child.on('message', (message: Message) => {
      if (message.kind === 'progress') onProgress(message.done, message.total);
      else if (message.kind === 'done') resolve(message.result);
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
  process.once('message', (given) => {
    perform(given as Task)
      .then((result) => say({ kind: 'done', result }))
      .catch((error: unknown) =>
        say({ kind: 'failed', reason: error instanceof Error ? error.message : String(error) }),
      )
      .finally(() => process.disconnect());
  });
}

async function perform({ kind, task }: Task): Promise<MadeBackup | ContentCounts> {
  try {
    setPriority(LOW_PRIORITY);
  } catch {
    // It is done all the same.
  }
  return kind === 'make' ? make(task) : restore(task);
}

async function make({ database, target, version }: BackupTask): Promise<MadeBackup> {
  const onProgress = (done: number, total: number) => say({ kind: 'progress', done, total });
  // Without the keys: who reads a download by a stolen login must not sign as this node, nor open its secrets.
  const options = { database, target, version, keys: undefined, clock: Date.now, check: true, onProgress };
  const manifest = await makeBackup(nativeSuite(), options);
  return { manifest, sha256: await hashFile(target) };
}

/** With copies of the keys: an archive that holds others would replace them. */
async function restore({ archive, folder, issuerKey, rootKey }: RestoreTask): Promise<ContentCounts> {
  const [keyFile, rootKeyFile] = [join(folder, KEY), join(folder, ROOT_KEY)];
  copyFileSync(issuerKey, keyFile);
  copyFileSync(rootKey, rootKeyFile);
  const options = { source: archive, dataDir: folder, keyFile, rootKeyFile, clock: Date.now };
  return countContents(await restoreBackup(nativeSuite(), options));
}

function say(message: Message): void {
  process.send?.(message);
}

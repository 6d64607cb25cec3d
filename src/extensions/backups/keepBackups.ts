/** Makes the backups that are due, keeps each where the owner wants them, restores it from there to try it, and removes what is too old. */
import { createHash } from 'node:crypto';
import { createWriteStream, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as pause } from 'node:timers/promises';
import { Fault } from '../../../protocol/wire/fault.ts';
import { listTenants } from '../../store/statements/node/tenants.ts';
import type { BackupFile, Backups, Deps } from '../../usecase/deps.ts';
import type { Schedule } from '../../usecase/schedule.ts';
import {
  type BackupCopy,
  isOutcomeDamaged,
  readOutcome,
  readSchedule,
  type ScheduleOutcome,
  type StoredSchedule,
  writeOutcome,
} from './scheduleFiles.ts';
import { nextDue } from './slots.ts';
import type { BackupLocation, BackupTarget } from './targets/backupTarget.ts';
import { bucketTarget } from './targets/bucketTarget.ts';
import { folderTarget } from './targets/folderTarget.ts';

export const NAME = 'backups';

/** Before what failed is tried again. */
const RETRY_MS = 15 * 60_000;
const LOOK_MS = 200;
const ROUND_MS = 15_000;
const READ_BACK = 'read-back.tar';
/** What a trial that was killed leaves: as large as the database, and with copies of the node's keys. */
const LEFT_BEHIND = [READ_BACK, 'trial'];

/** What a node does for its schedule at the moment. */
export interface BackupProgress {
  /** Undefined while nothing is under way. */
  running: { readonly step: 'making' | 'sending' | 'trying'; readonly startedAt: number } | undefined;
  /** Of the newest attempt, where it failed. */
  failedAt: number | undefined;
}

type RoundDeps = Pick<Deps, 'clock' | 'data' | 'issuer' | 'log' | 'sealer' | 'settings' | 'stopping' | 'store'>;

export function keepSchedule(progress: BackupProgress): Schedule {
  return { name: NAME, pauseMs: ROUND_MS, work: (_waiting, deps) => keepBackups(deps, progress) };
}

/** One round. A failure is noted, and tried again later. */
export async function keepBackups(deps: RoundDeps, progress: BackupProgress): Promise<void> {
  const { backups } = deps.data;
  if (backups === undefined) return;
  const { folder } = backups;
  for (const name of LEFT_BEHIND) rmSync(join(folder, name), { recursive: true, force: true });
  const schedule = readOrNote(deps, folder, progress);
  if (schedule === undefined) return;
  if (isOutcomeDamaged(folder)) {
    deps.log.warn('backup.listLost', { note: 'kept.json is damaged: what lies at the place stays there.' });
  }
  const before = readOutcome(folder, schedule.place);
  progress.failedAt = before?.failure?.at;
  const startedAt = deps.clock();
  if (nextAt(schedule, before, startedAt) > startedAt) return;
  const { kept = [], begun = [] } = before ?? {};
  const begin = { kept, begun, place: schedule.place, startedAt };
  try {
    const kept = await keepOne(deps, backups, schedule, begin, progress);
    progress.failedAt = undefined;
    deps.log.info('backup.kept', { file: kept.fileName, bytes: kept.bytes, events: kept.events });
  } catch (error) {
    // A node that stops makes it when it is started again.
    if (deps.stopping.aborted) return;
    const reason = error instanceof Error ? error.message : String(error);
    progress.failedAt = deps.clock();
    const failure = { at: progress.failedAt, reason };
    writeOutcome(folder, { ...(readOutcome(folder, schedule.place) ?? begin), startedAt, failure });
    deps.log.warn('backup.failed', { reason });
  } finally {
    progress.running = undefined;
  }
}

/** @returns undefined where none is set, or it is damaged, which people are told */
function readOrNote(deps: RoundDeps, folder: string, progress: BackupProgress): StoredSchedule | undefined {
  const before = progress.failedAt;
  progress.failedAt = undefined;
  try {
    return readSchedule(folder);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    progress.failedAt = before ?? deps.clock();
    if (before === undefined) deps.log.warn('backup.failed', { reason: error.message });
    return undefined;
  }
}

/** @param now milliseconds since the epoch @returns when the next one is made: now at the latest where it is due */
export function nextAt(schedule: StoredSchedule, outcome: ScheduleOutcome | undefined, now: number): number {
  const { askedAt } = schedule;
  // A clock that was set back must neither make one in each round, nor leave a wish unheard.
  const startedAt = outcome === undefined || outcome.startedAt > now ? 0 : outcome.startedAt;
  if (askedAt !== undefined && askedAt > startedAt && askedAt <= now) return now;
  const due = nextDue(schedule, outcome?.kept[0]?.createdAt, now);
  const failedAt = outcome?.failure?.at;
  return failedAt === undefined || failedAt > now ? due : Math.max(due, failedAt + RETRY_MS);
}

/** @throws Error where the place cannot be opened */
export function openPlace(
  deps: Pick<Deps, 'sealer' | 'settings' | 'stopping'>,
  backups: Backups,
  place: BackupLocation,
  sealedSecret: string | undefined,
): BackupTarget {
  if (place.kind === 'folder') return folderTarget(place.folder, dirname(backups.folder));
  let secret: string;
  try {
    secret = deps.sealer.open(sealedSecret ?? '', SECRET_CONTEXT);
  } catch {
    throw new Error('The secret key of the bucket was sealed with another root key; give it again');
  }
  return bucketTarget(place, secret, { allowPrivate: deps.settings.webhookAllowPrivate }, deps.stopping);
}

/** What the secret of a bucket is sealed for. */
export const SECRET_CONTEXT = 'backup-bucket';

async function keepOne(
  deps: RoundDeps,
  backups: Backups,
  schedule: StoredSchedule,
  begin: ScheduleOutcome,
  progress: BackupProgress,
): Promise<BackupCopy> {
  const { folder } = backups;
  const enter = (step: NonNullable<BackupProgress['running']>['step']) => {
    progress.running = { step, startedAt: begin.startedAt };
  };
  enter('making');
  await requireWhole(deps, schedule);
  const target = openPlace(deps, backups, schedule.place, schedule.sealedSecret);
  const archive = await make(deps, backups);
  const fileName = nameOf(deps, archive);
  const begun = [...begin.begun.filter((name) => name !== fileName), fileName];
  // Before anything lies there: what a crash leaves is removed by the next round.
  writeOutcome(folder, { ...begin, begun });
  enter('sending');
  // No upload of this node is under way now.
  await target.sweep?.(stemOf(deps), deps.clock()).catch((error: Error) => {
    deps.log.info('backup.notSwept', {
      reason: error.message,
      note: 'Parts of uploads that broke off may stay there.',
    });
  });
  const pieces = await backups.read(archive);
  if (pieces === undefined) throw new Error('Another backup took its place before it was sent');
  try {
    await target.put(fileName, pieces, archive.bytes);
  } finally {
    // A place that fails before it reads any leaves the file open.
    await pieces[Symbol.asyncIterator]().return?.();
  }
  enter('trying');
  const counts = await tryIt(backups, target, fileName, archive);
  backups.noteKept(archive);
  const { createdAt, bytes, sha256 } = archive;
  const newest = { fileName, createdAt, bytes, sha256, ...counts, triedAt: deps.clock() };
  const all = [newest, ...begin.kept.filter((each) => each.fileName !== fileName)];
  const kept = all.slice(0, schedule.keep);
  const gone = [...begin.begun.filter((name) => name !== fileName), ...all.slice(schedule.keep).map(nameOfKept)];
  // Noted first: what is listed can be restored, also where the rest fails.
  writeOutcome(folder, { ...begin, kept, begun: gone });
  for (const name of gone) await target.remove(name);
  writeOutcome(folder, { ...begin, kept, begun: [] });
  return newest;
}

function nameOfKept({ fileName }: BackupCopy): string {
  return fileName;
}

/** @throws Error where a tenant that was alone set it, and would have what others have from now on */
async function requireWhole({ store }: RoundDeps, { byNode = false }: StoredSchedule): Promise<void> {
  if (byNode || (await store.read(() => listTenants())).length === 1) return;
  throw new Error(
    'This node has several tenants by now, and a backup holds all of them; set the schedule where the node runs: countersign backup schedule set',
  );
}

/** Has a backup made beside the node, or takes the one that is being made. @throws Error that says why there is none */
async function make({ stopping }: Pick<Deps, 'stopping'>, backups: Backups): Promise<BackupFile> {
  backups.start();
  for (let attempt = backups.attempt(); attempt.state !== 'NONE'; attempt = backups.attempt()) {
    if (attempt.state === 'FAILED') throw new Error(attempt.reason);
    await pause(LOOK_MS, undefined, { signal: stopping });
  }
  const archive = backups.latest();
  if (archive === undefined) throw new Error('The backup that was made is gone');
  return archive;
}

/** Two nodes may keep theirs at one place. */
function stemOf({ issuer }: Pick<Deps, 'issuer'>): string {
  return `countersign-${issuer.did.slice(-8)}-`;
}

function nameOf(deps: Pick<Deps, 'issuer'>, { createdAt }: BackupFile): string {
  const time = new Date(createdAt).toISOString().replaceAll(/[-:]|\.\d+/g, '');
  return `${stemOf(deps)}${time}.tar`;
}

/** Reads a backup back from its place and restores it beside the node. @throws Error that says what is wrong with it */
async function tryIt(
  backups: Backups,
  target: BackupTarget,
  fileName: string,
  { bytes, sha256 }: BackupFile,
): Promise<{ readonly events: number; readonly rows: number }> {
  const file = join(backups.folder, READ_BACK);
  const changed = () => new Error(`${fileName} is not there as it was sent`);
  const hash = createHash('sha256');
  let left = bytes;
  const hashing = new Transform({
    transform(piece: Buffer, _encoding, done) {
      left -= piece.length;
      hash.update(piece);
      // A place that answers without end must not fill the disk of the node.
      if (left < 0) done(changed());
      else done(null, piece);
    },
  });
  try {
    await pipeline(
      Readable.from(await target.read(fileName, bytes)),
      hashing,
      createWriteStream(file, { mode: 0o600 }),
    );
    if (hash.digest('hex') !== sha256) throw changed();
    return await backups.tryRestore(file);
  } finally {
    rmSync(file, { force: true });
  }
}

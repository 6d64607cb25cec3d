/** The schedule of a node's backups, set and ended by its owner. What is shown never has a secret in it. */
import { dirname, isAbsolute, resolve } from 'node:path';
import { z } from 'zod';
import { compact } from '../../../protocol/wire/compact.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import type { Caller } from '../../access/caller.ts';
import { recordAdminEvent } from '../../domain/evidence/recordEvent.ts';
import { requireBackups, requireWholeNode } from '../../domain/operator/requireWholeNode.ts';
import { faultOfTarget } from '../../fetch/target.ts';
import type { Backups, Deps } from '../../usecase/deps.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';
import { type BackupProgress, NAME, nextAt, openPlace, SECRET_CONTEXT } from './keepBackups.ts';
import { isSamePlace, readOutcome, readSchedule, type StoredSchedule, writeSchedule } from './scheduleFiles.ts';
import type { BackupLocation } from './targets/backupTarget.ts';
import { isOnDiskOf } from './targets/folderTarget.ts';

const NoInput = z.object({});

const Every = z.enum(['hour', 'day', 'week']).describe('How often one is made. week: each Monday.');
const Hour = z.int().min(0).max(23).describe('Of the day, by UTC. It means nothing where one is made each hour.');
const Keep = z.int().min(1).max(1000).describe('How many stay; older ones are removed once a newer one was tried.');

const Folder = z.strictObject({
  kind: z.literal('folder'),
  folder: z
    .string()
    .min(1)
    .max(1000)
    .describe('An absolute path on the node’s machine, best of another disk. It exists.'),
});
const Bucket = z.strictObject({
  kind: z.literal('bucket'),
  endpoint: z
    .string()
    .min(1)
    .max(1000)
    .describe(
      'Of Amazon S3 or a service that speaks its protocol, without the bucket: https://s3.eu-central-1.amazonaws.com.',
    ),
  region: z
    .string()
    .regex(/^[\w-]{1,100}$/, 'must be of letters, digits and hyphens, such as eu-central-1')
    .default('us-east-1')
    .describe('Such as eu-central-1; some services take “auto”.'),
  bucket: z
    .string()
    .regex(
      /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/,
      'must be the name of a bucket: 3 to 63 small letters, digits, dots and hyphens',
    ),
  prefix: z
    .string()
    .max(200)
    .regex(
      /^(?!\/)(?!(.*\/)?\.{1,2}\/)[\w./-]*$/,
      'must be of letters, digits, dots, hyphens and slashes, begin with no slash, and have no part “.” or “..”',
    )
    .default('')
    .describe('What the names of its files begin with, such as node-1/.'),
  accessKeyId: z.string().regex(/^[\w.+=@-]{1,128}$/, 'must be the id of an access key'),
});

const SetSchedule = z.strictObject({
  every: Every,
  hour: Hour.default(2),
  keep: Keep.default(14),
  target: z.discriminatedUnion('kind', [
    Folder,
    Bucket.extend({
      secretAccessKey: z
        .string()
        .min(1)
        .max(256)
        .optional()
        .describe(
          'It is sealed, and never shown. Without it the one that was given with this key for this bucket stays.',
        ),
    }),
  ]),
});

const BackupCopy = z.object({
  fileName: z.string(),
  createdAt: z.string(),
  bytes: z.int(),
  sha256: z.string().describe('Of the archive, in hexadecimal.'),
  events: z.int().describe('Of evidence, which were verified when it was restored.'),
  rows: z.int().describe('Of all tables.'),
  triedAt: z.string().describe('When it was read back from there and restored beside the node.'),
});

const BackupSchedule = z.object({
  schedule: z
    .object({ every: Every, hour: Hour, keep: Keep, target: z.discriminatedUnion('kind', [Folder, Bucket]) })
    .optional()
    .describe('Absent where none is set.'),
  nextAt: z.string().optional().describe('When the next one is made.'),
  running: z
    .object({ step: z.enum(['making', 'sending', 'trying']), startedAt: z.string() })
    .optional()
    .describe('trying: it is read back, and restored beside the node.'),
  failure: z
    .object({ at: z.string(), reason: z.string() })
    .optional()
    .describe('Of the newest attempt. It is repeated each quarter of an hour.'),
  isOnNodesDisk: z
    .boolean()
    .optional()
    .describe('Whether the folder lies on the disk that its backups are to replace.'),
  kept: z.array(BackupCopy).describe('What lies there, the newest first; each was restored once.'),
});
type BackupSchedule = z.infer<typeof BackupSchedule>;

export const showBackupSchedule = useCase({
  summary: 'Shows when backups are made, where they are kept, and which of them there are.',
  input: NoInput,
  output: BackupSchedule,
  permission: 'admin',
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof NoInput>, BackupSchedule>(async (deps, caller) => {
    await deps.store.read(() => requireWholeNode(caller));
    const backups = requireBackups(deps);
    return show(deps, backups);
  }),
});

export const setBackupSchedule = useCase({
  summary: 'Sets when backups are made and where they are kept, after trying the place. The first one is made at once.',
  input: SetSchedule,
  output: BackupSchedule,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof SetSchedule>, BackupSchedule>(async (deps, caller, input) => {
    await deps.store.read(() => requireWholeNode(caller));
    const backups = requireBackups(deps);
    const schedule = { ...scheduleOf(deps, backups, input), byNode: caller.kind === 'node' };
    await prepare(deps, backups, schedule);
    await record(deps, caller, { ...input, target: schedule.place });
    writeSchedule(backups.folder, schedule);
    deps.wake.schedules.wake(NAME);
    return show(deps, backups);
  }),
});

export const endBackupSchedule = useCase({
  summary: 'Ends the schedule. What was kept stays where it is.',
  input: NoInput,
  output: BackupSchedule,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof NoInput>, BackupSchedule>(async (deps, caller) => {
    await deps.store.read(() => requireWholeNode(caller));
    const backups = requireBackups(deps);
    if (formerSchedule(backups) !== undefined) {
      await record(deps, caller, { ended: true });
      writeSchedule(backups.folder, undefined);
      deps.wake.schedules.wake(NAME);
    }
    return show(deps, backups);
  }),
});

export const startScheduledBackup = useCase({
  summary: 'Has a backup made now, kept where the schedule says, and tried.',
  input: NoInput,
  output: BackupSchedule,
  permission: 'admin',
  stepUp: true,
  faults: ['FORBIDDEN', 'CONFLICT'],
  run: inSteps<z.output<typeof NoInput>, BackupSchedule>(async (deps, caller) => {
    await deps.store.read(() => requireWholeNode(caller));
    const backups = requireBackups(deps);
    if (readSchedule(backups.folder) === undefined) {
      throw new Fault('CONFLICT', `There is no schedule that says where to keep it; set one first (PUT ${PATH}).`);
    }
    await deps.store.write(caller.tenantId, (now) => recordAdminEvent(deps, caller, 'BACKUP_STARTED', {}, now));
    // Read again: it may have been changed or ended meanwhile.
    const current = readSchedule(backups.folder);
    if (current !== undefined) writeSchedule(backups.folder, { ...current, askedAt: deps.clock() });
    deps.wake.schedules.wake(NAME);
    return show(deps, backups);
  }),
});

const PATH = '/ap2/admin/backups/schedule';

function record(deps: Deps, caller: Caller, facts: Record<string, unknown>): Promise<void> {
  return deps.store.write(caller.tenantId, (now) =>
    recordAdminEvent(deps, caller, 'BACKUP_SCHEDULE_CHANGED', facts, now),
  );
}

/** @throws Fault BAD_REQUEST for a place that cannot be one */
function scheduleOf(
  deps: Deps,
  backups: Backups,
  { every, hour, keep, target }: z.output<typeof SetSchedule>,
): StoredSchedule {
  if (target.kind === 'folder') {
    if (!isAbsolute(target.folder)) throw wrong('folder', 'must be an absolute path, such as /mnt/backups');
    return { every, hour, keep, place: { ...target, folder: resolve(target.folder) } };
  }
  const { secretAccessKey, endpoint, ...rest } = target;
  // One place has one name, or what is kept there would be forgotten.
  const place = { ...rest, endpoint: endpoint.trim().replace(/\/+$/, '') };
  const fault = faultOfTarget(place.endpoint, { allowPrivate: deps.settings.webhookAllowPrivate });
  if (fault !== undefined) {
    const local = deps.settings.webhookAllowPrivate
      ? ''
      : '; a service in your own network needs WEBHOOK_ALLOW_PRIVATE=true';
    throw wrong('endpoint', `${fault}${local}`);
  }
  if (/[?#]/.test(place.endpoint)) throw wrong('endpoint', 'must have no query and no fragment');
  const sealedSecret =
    secretAccessKey === undefined ? formerSecret(backups, place) : deps.sealer.seal(secretAccessKey, SECRET_CONTEXT);
  return { every, hour, keep, place, sealedSecret };
}

/** A damaged one can be ended and replaced, too. */
function formerSchedule({ folder }: Backups): StoredSchedule | 'damaged' | undefined {
  try {
    return readSchedule(folder);
  } catch (error) {
    if (error instanceof Fault) return 'damaged';
    throw error;
  }
}

/** For the same key at the same place alone: another one could be its reader's. @throws Fault BAD_REQUEST */
function formerSecret(backups: Backups, place: BackupLocation & { readonly kind: 'bucket' }): string {
  const former = formerSchedule(backups);
  const isSame =
    former !== undefined &&
    former !== 'damaged' &&
    former.place.kind === 'bucket' &&
    isSamePlace(former.place, place) &&
    former.place.accessKeyId === place.accessKeyId;
  if (isSame && former.sealedSecret !== undefined) return former.sealedSecret;
  throw wrong('secretAccessKey', 'must be given with another key or bucket');
}

/** @throws Fault BAD_REQUEST where nothing can be kept there */
async function prepare(deps: Deps, backups: Backups, schedule: StoredSchedule): Promise<void> {
  const { place } = schedule;
  try {
    await openPlace(deps, backups, place, schedule.sealedSecret).prepare();
  } catch (error) {
    const member = place.kind === 'folder' ? 'folder' : 'bucket';
    const reason = error instanceof Error ? error.message : String(error);
    throw wrong(member, `must take a backup: ${reason}`);
  }
}

function wrong(member: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `target.${member} ${message}.`, [{ path: `target.${member}`, message }]);
}

function show(deps: Deps, backups: Backups): BackupSchedule {
  const schedule = readSchedule(backups.folder);
  if (schedule === undefined) return { kept: [] };
  const outcome = readOutcome(backups.folder, schedule.place);
  const { running } = deps.operations.services.get(NAME) as BackupProgress;
  const { every, hour, keep, place } = schedule;
  const { failure, kept = [] } = outcome ?? {};
  return compact({
    schedule: { every, hour, keep, target: place },
    nextAt: isoTime(nextAt(schedule, outcome, deps.clock())),
    running: running && { step: running.step, startedAt: isoTime(running.startedAt) },
    failure: failure && { at: isoTime(failure.at), reason: failure.reason },
    isOnNodesDisk: place.kind === 'folder' ? isOnDiskOf(dirname(backups.folder), place.folder) : undefined,
    kept: kept.map((each) => ({ ...each, createdAt: isoTime(each.createdAt), triedAt: isoTime(each.triedAt) })),
  });
}

/**
 * The schedule of a node's backups, and what became of it: two files beside the backups, in none of them, since a restored node
 * must not take away what the one before it keeps. The owner's alone is written by operations, the other by the node that serves.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';
import { moveDurably } from '../../maintenance/moveDurably.ts';
import type { BackupLocation } from './targets/backupTarget.ts';

const Place: z.ZodType<BackupLocation> = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('folder'), folder: z.string() }),
  z.object({
    kind: z.literal('bucket'),
    endpoint: z.string(),
    region: z.string(),
    bucket: z.string(),
    prefix: z.string(),
    accessKeyId: z.string(),
  }),
]);

const Schedule = z.object({
  every: z.enum(['hour', 'day', 'week']),
  /** Of the day, by UTC. */
  hour: z.int().min(0).max(23),
  /** How many backups stay. */
  keep: z.int().min(1),
  place: Place,
  /** The secret that belongs to the place's accessKeyId; absent for a folder. */
  sealedSecret: z.string().optional(),
  /** Whether the data folder set it, which has what all tenants have. */
  byNode: z.boolean().optional(),
  /** When one was asked for besides, in milliseconds since the epoch. */
  askedAt: z.number().optional(),
});
export type StoredSchedule = z.infer<typeof Schedule>;

const Kept = z.object({
  fileName: z.string(),
  createdAt: z.number(),
  bytes: z.number(),
  /** Of the archive, in hexadecimal. */
  sha256: z.string(),
  events: z.number(),
  rows: z.number(),
  /** When it was read back from its place and restored, in milliseconds since the epoch. */
  triedAt: z.number(),
});
export type BackupCopy = z.infer<typeof Kept>;

const Outcome = z.object({
  /** Where what is kept lies. */
  place: Place,
  /** The newest first. */
  kept: z.array(Kept),
  /** What may lie there without being whole, or being known as such. */
  begun: z.array(z.string()),
  startedAt: z.number(),
  /** Of the newest attempt; absent once one was made. */
  failure: z.object({ at: z.number(), reason: z.string() }).optional(),
});
export type ScheduleOutcome = z.infer<typeof Outcome>;

const SCHEDULE = 'schedule.json';
const OUTCOME = 'kept.json';

/**
 * @param folder of the node's backups
 * @returns undefined where none is set
 * @throws Fault CONFLICT where its file is damaged: which one was meant is for its owner to say
 */
export function readSchedule(folder: string): StoredSchedule | undefined {
  const file = join(folder, SCHEDULE);
  const found = read(Schedule, file);
  if (found !== DAMAGED) return found;
  throw new Fault('CONFLICT', `The schedule of backups cannot be read: ${file} is damaged; set it again, or end it.`);
}

/** @param schedule undefined where none is to be set any more */
export function writeSchedule(folder: string, schedule: StoredSchedule | undefined): void {
  write(folder, SCHEDULE, schedule);
}

/** @returns what became of a schedule that keeps backups at the place; undefined where nothing did, or what did is lost */
export function readOutcome(folder: string, place: BackupLocation): ScheduleOutcome | undefined {
  const found = read(Outcome, join(folder, OUTCOME));
  return found !== DAMAGED && found !== undefined && isSamePlace(found.place, place) ? found : undefined;
}

/** Whether what became of a schedule cannot be read: what is kept is not known any more. */
export function isOutcomeDamaged(folder: string): boolean {
  return read(Outcome, join(folder, OUTCOME)) === DAMAGED;
}

export function writeOutcome(folder: string, outcome: ScheduleOutcome): void {
  write(folder, OUTCOME, outcome);
}

/** Whether both are one place, by whichever key it is opened. */
export function isSamePlace(one: BackupLocation, other: BackupLocation): boolean {
  return addressOf(one) === addressOf(other);
}

function addressOf(place: BackupLocation): string {
  if (place.kind === 'folder') return JSON.stringify([place.folder]);
  const { endpoint, bucket, prefix } = place;
  return JSON.stringify([endpoint, bucket, prefix]);
}

const DAMAGED = Symbol('damaged');

function read<Schema extends z.ZodType>(schema: Schema, file: string): z.infer<Schema> | typeof DAMAGED | undefined {
  try {
    return schema.nullable().parse(JSON.parse(readFileSync(file, 'utf8'))) ?? undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? undefined : DAMAGED;
  }
}

function write(folder: string, name: string, content: object | undefined): void {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const draft = join(folder, `${name}.draft`);
  writeFileSync(draft, JSON.stringify(content ?? null), { mode: 0o600, flush: true });
  moveDurably(draft, join(folder, name));
}

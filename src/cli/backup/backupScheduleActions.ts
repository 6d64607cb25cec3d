/** What `countersign backup schedule` does with the schedule of a node's backups. */
import { resolve } from 'node:path';
import type { Operations } from '../../../client/operations.ts';
import { compact } from '../../../protocol/wire/compact.ts';
import { WrongUse } from '../commandFailure.ts';
import { columns, facts, localTime } from '../output/layout.ts';
import { colour, print } from '../output/print.ts';
import type { TargetOptions } from '../target/targetOptions.ts';
import { type Target, withTarget } from '../target/withTarget.ts';

type Env = NodeJS.ProcessEnv;
type ShownSchedule = Operations['showBackupSchedule']['output'];
type SetInput = Operations['setBackupSchedule']['input'];

interface SetOptions extends TargetOptions {
  readonly every: 'hour' | 'day' | 'week';
  readonly hour?: number;
  readonly keep: number;
  readonly endpoint?: string;
  readonly region?: string;
}

export function showSchedule(env: Env, options: TargetOptions): Promise<void> {
  return act(env, options, ({ client }) => client.showBackupSchedule());
}

/** @param place a folder, or s3://bucket/prefix */
export function setSchedule(env: Env, place: string, options: SetOptions): Promise<void> {
  const { every, hour, keep } = options;
  const input = { every, keep, target: targetOf(env, place, options), ...compact({ hour }) } as SetInput;
  return act(env, options, ({ client }) => client.setBackupSchedule(input));
}

export function startBackup(env: Env, options: TargetOptions): Promise<void> {
  return act(env, options, ({ client }) => client.startScheduledBackup());
}

export function endSchedule(env: Env, options: TargetOptions): Promise<void> {
  return act(env, options, ({ client }) => client.endBackupSchedule());
}

function act(env: Env, options: TargetOptions, ask: (target: Target) => Promise<ShownSchedule>): Promise<void> {
  return withTarget(env, options, async (target) => {
    const shown = await ask(target);
    print(options, shown, describe(shown));
  });
}

function targetOf(env: Env, place: string, { endpoint, region, url }: SetOptions): SetInput['target'] {
  const bucket = /^s3:\/\/([^/]+)(?:\/(.*))?$/.exec(place);
  // A folder of the machine that the node runs on, which a running node elsewhere is told as it is.
  if (bucket === null) return { kind: 'folder', folder: url === undefined ? resolve(place) : place };
  const { AWS_ACCESS_KEY_ID: accessKeyId, AWS_SECRET_ACCESS_KEY: secretAccessKey } = env;
  if (accessKeyId === undefined)
    throw new WrongUse('A bucket wants a key: set AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY.');
  const [, name = '', path = ''] = bucket;
  const prefix = path === '' || path.endsWith('/') ? path : `${path}/`;
  const service = endpoint ?? `https://s3.${region ?? 'us-east-1'}.amazonaws.com`;
  return {
    kind: 'bucket',
    endpoint: service,
    bucket: name,
    prefix,
    accessKeyId,
    ...compact({ region, secretAccessKey }),
  };
}

function describe({ schedule, nextAt, running, failure, isOnNodesDisk, kept }: ShownSchedule): string {
  if (schedule === undefined) return 'No schedule is set. Set one: countersign backup schedule set <place>';
  const { every, hour, keep, target } = schedule;
  const lines = facts({
    Made: every === 'hour' ? 'each hour' : `each ${every === 'day' ? 'day' : 'Monday'} at ${hour}:00 UTC`,
    Kept: `the newest ${keep}, ${target.kind === 'folder' ? target.folder : `s3://${target.bucket}/${target.prefix}`}`,
    At: target.kind === 'folder' ? undefined : target.endpoint,
    Now: running && STEPS[running.step],
    Next: nextAt && localTime(nextAt),
    Failed: failure && { text: `${localTime(failure.at)}: ${failure.reason}`, paint: colour.red },
    Note: isOnNodesDisk
      ? 'That folder is on the node’s own disk, which takes them with it where it breaks.'
      : undefined,
  });
  const rows = kept.map(({ fileName, createdAt, triedAt, events, bytes }) => [
    fileName,
    localTime(createdAt),
    localTime(triedAt),
    `${events}`,
    `${bytes}`,
  ]);
  const list = columns(['FILE', 'OF', 'RESTORED TO TRY IT', 'EVENTS', 'BYTES'], rows);
  return `${lines}\n\n${rows.length === 0 ? 'No backup is kept there yet.' : list}`;
}

const STEPS = {
  making: 'one is being made',
  sending: 'one is being sent there',
  trying: 'one is read back and restored to try it',
} as const;

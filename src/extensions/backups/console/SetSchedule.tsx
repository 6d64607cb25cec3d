/** Sets when the node backs itself up, and where to. The node tries the place before it takes it. */
import { useState } from 'preact/hooks';
import type { Operations } from '../../../../client/operations.ts';
import { node } from '../../../../console/node/node.ts';
import { Choice, Field } from '../../../../console/parts/form/Field.tsx';
import { Form } from '../../../../console/parts/form/Form.tsx';
import { say } from '../../../../console/parts/toasts.ts';

type SetInput = Operations['setBackupSchedule']['input'];
export type ScheduleTerms = NonNullable<Operations['showBackupSchedule']['output']['schedule']>;

const TYPED = { autoComplete: 'off', autoCapitalize: 'none', spellcheck: false } as const;
const PERIODS = [
  ['hour', 'hour'],
  ['day', 'day'],
  ['week', 'Monday'],
] as const;
const KINDS = [
  ['folder', 'A folder there'],
  ['bucket', 'A bucket (S3)'],
] as const;

/** @param hour by UTC @returns such as "02:00 UTC (04:00 here)" */
export function hourText(hour: number): string {
  const two = (value: number) => String(value).padStart(2, '0');
  const at = new Date();
  at.setUTCHours(hour, 0, 0, 0);
  const here = `${two(at.getHours())}:${two(at.getMinutes())}`;
  const there = `${two(hour)}:00`;
  return here === there ? `${there} UTC` : `${there} UTC (${here} here)`;
}

const HOURS = Array.from({ length: 24 }, (_, hour) => [String(hour), hourText(hour)] as const);

const NEW = {
  every: 'day',
  hour: '2',
  keep: '14',
  kind: 'folder',
  folder: '',
  endpoint: 'https://s3.us-east-1.amazonaws.com',
  region: 'us-east-1',
  bucket: '',
  prefix: '',
  accessKeyId: '',
  secretAccessKey: '',
};

function givenBy(schedule: ScheduleTerms | undefined): typeof NEW {
  if (schedule === undefined) return NEW;
  const { every, hour, keep, target } = schedule;
  return { ...NEW, every, hour: String(hour), keep: String(keep), ...target };
}

interface SetScheduleProps {
  /** That holds now. */
  readonly schedule: ScheduleTerms | undefined;
  onDone(): void;
  onLeave(): void;
}

export function SetSchedule({ schedule, onDone, onLeave }: SetScheduleProps) {
  const [given, setGiven] = useState(() => givenBy(schedule));
  const put = (name: keyof typeof NEW) => (value: string) => setGiven({ ...given, [name]: value });
  const { every, hour, keep, kind, folder } = given;
  const set = async () => {
    const target = kind === 'folder' ? { kind, folder: folder.trim() } : bucketOf(given);
    await node.setBackupSchedule({ every, hour: Number(hour), keep: Number(keep), target } as SetInput);
    say('Set. The first backup is made now.');
    onLeave();
    onDone();
  };
  return (
    <Form act={schedule === undefined ? 'Set the schedule' : 'Change the schedule'} onSubmit={set} onLeave={onLeave}>
      <Choice label="A backup each" value={every} options={PERIODS} onChange={put('every')} />
      {every !== 'hour' && <Choice label="At" value={hour} options={HOURS} onChange={put('hour')} />}
      <Field
        label="How many stay"
        name="keep"
        value={keep}
        onInput={put('keep')}
        hint="Older ones are removed, once a newer one was restored to try it."
        input={{ type: 'number', min: 1, max: 1000, required: true }}
      />
      <Choice label="Where to" value={kind} options={KINDS} onChange={put('kind')} />
      {kind === 'folder' ? (
        <Field
          label="Folder"
          name="target.folder"
          value={folder}
          onInput={put('folder')}
          hint="It exists, best on another disk: /mnt/backups."
          input={{ ...TYPED, required: true }}
        />
      ) : (
        <BucketFields given={given} put={put} isKept={schedule?.target.kind === 'bucket'} />
      )}
    </Form>
  );
}

function bucketOf({ kind, endpoint, region, bucket, prefix, accessKeyId, secretAccessKey }: typeof NEW) {
  const secret = secretAccessKey === '' ? {} : { secretAccessKey };
  const typed = { endpoint, region, bucket, prefix, accessKeyId };
  return { kind, ...Object.fromEntries(Object.entries(typed).map(([name, value]) => [name, value.trim()])), ...secret };
}

interface BucketFieldsProps {
  readonly given: typeof NEW;
  readonly put: (name: keyof typeof NEW) => (value: string) => void;
  /** Whether the node has a secret already. */
  readonly isKept: boolean;
}

function BucketFields({ given, put, isKept }: BucketFieldsProps) {
  const field = (name: keyof typeof NEW, label: string, hint?: string, more = {}) => (
    <Field
      label={label}
      name={`target.${name}`}
      value={given[name]}
      onInput={put(name)}
      hint={hint}
      input={{ ...TYPED, required: true, ...more }}
    />
  );
  return (
    <>
      {field('endpoint', 'Address of the service', 'Amazon S3’s, or of one that speaks its protocol.', {
        inputMode: 'url',
      })}
      {field('region', 'Region')}
      {field('bucket', 'Bucket')}
      {field('prefix', 'Names begin with', 'Such as node-1/, or nothing.', { required: false })}
      {field('accessKeyId', 'Id of the access key')}
      {field(
        'secretAccessKey',
        'Secret of the access key',
        isKept ? 'Left empty, the one that the node has stays.' : 'It is sealed, and never shown again.',
        { type: 'password', required: !isKept },
      )}
    </>
  );
}

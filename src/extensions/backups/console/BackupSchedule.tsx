/** When the node backs itself up, where to, and which backups lie there: each was restored once to try it. */
import { useEffect } from 'preact/hooks';
import { CountersignError } from '../../../../client/error.ts';
import type { Operations } from '../../../../client/operations.ts';
import { isOwner } from '../../../../console/login/may.ts';
import { node } from '../../../../console/node/node.ts';
import { useLoaded } from '../../../../console/node/useLoaded.ts';
import { Button } from '../../../../console/parts/Button.tsx';
import { Card } from '../../../../console/parts/Card.tsx';
import { Empty } from '../../../../console/parts/Empty.tsx';
import { Fact } from '../../../../console/parts/Fact.tsx';
import { RiskyButton } from '../../../../console/parts/RiskyButton.tsx';
import { SheetButton } from '../../../../console/parts/SheetButton.tsx';
import { Shown } from '../../../../console/parts/Shown.tsx';
import { SubPlaces } from '../../../../console/parts/SubPlaces.tsx';
import { say } from '../../../../console/parts/toasts.ts';
import { When } from '../../../../console/parts/values/When.tsx';
import { sizeText } from '../../../../protocol/wire/sizeText.ts';
import { hourText, type ScheduleTerms, SetSchedule } from './SetSchedule.tsx';

type ShownSchedule = Operations['showBackupSchedule']['output'];

/** How often it is asked how far one is. */
const LOOK_MS = 2000;

export function BackupSchedule() {
  const found = useLoaded('backups', load, ['backup']);
  const { value, reload } = found;
  const isBusy = typeof value === 'object' && isDue(value);
  useEffect(() => {
    if (!isBusy) return undefined;
    const timer = setInterval(reload, LOOK_MS);
    return () => clearInterval(timer);
  }, [isBusy, reload]);
  return (
    <SubPlaces of="/settings">
      <Shown of={found} rows={2} height={11}>
        {(shown) =>
          typeof shown === 'string' ? <NoSchedule>{shown}</NoSchedule> : <Backups {...shown} onDone={reload} />
        }
      </Shown>
    </SubPlaces>
  );
}

/** @returns why there can be none here, in a sentence; else what there is */
async function load(signal: AbortSignal): Promise<ShownSchedule | string> {
  if (!isOwner()) return 'A backup holds everything there is, so that an owner alone decides where it goes.';
  try {
    return await node.showBackupSchedule({}, { signal });
  } catch (error) {
    // On PostgreSQL, and where the node has several tenants.
    if (error instanceof CountersignError && ['CONFLICT', 'FORBIDDEN'].includes(error.code)) return error.message;
    throw error;
  }
}

function isDue({ running, nextAt }: ShownSchedule): boolean {
  return running !== undefined || (nextAt !== undefined && Date.parse(nextAt) <= Date.now());
}

function NoSchedule({ children }: { readonly children: string }) {
  return (
    <Card title="Backups">
      <Empty title="No schedule here">
        <p>{children}</p>
      </Empty>
    </Card>
  );
}

function Backups({ onDone, ...shown }: ShownSchedule & { onDone(): void }) {
  const { schedule, failure, isOnNodesDisk, kept } = shown;
  return (
    <>
      <Card title="Backups">
        {schedule === undefined ? (
          <Empty title="The node does not back itself up yet">
            <p>Say how often, and where to: a folder on another disk, or a bucket (S3).</p>
          </Empty>
        ) : (
          <Facts {...shown} schedule={schedule} />
        )}
        {failure !== undefined && (
          <p class="note" role="alert">
            <When time={failure.at} />: {failure.reason}. It is tried again each quarter of an hour.
          </p>
        )}
        {isOnNodesDisk === true && (
          <p class="note">This folder is on the node’s own disk: what breaks that takes the backups with it.</p>
        )}
        <p class="quiet">
          These backups hold no key: keep <code>issuer.key</code> and <code>root.key</code> of the node apart.
        </p>
        <Acts schedule={schedule} onDone={onDone} />
      </Card>
      {schedule !== undefined && <Kept kept={kept} />}
    </>
  );
}

const STEPS = {
  making: 'One is being made…',
  sending: 'One is being sent there…',
  trying: 'One is read back and restored, to try it…',
} as const;

function Facts({ schedule, nextAt, running }: ShownSchedule & { readonly schedule: ScheduleTerms }) {
  const { every, hour, keep, target } = schedule;
  return (
    <dl class="facts">
      <Fact name="Made">
        {every === 'hour' ? 'each hour' : `each ${every === 'day' ? 'day' : 'Monday'} at ${hourText(hour)}`}
      </Fact>
      <Fact name="Kept">
        the newest {keep}, {target.kind === 'folder' ? 'in ' : 'in the bucket '}
        <bdi>{target.kind === 'folder' ? target.folder : `${target.bucket}/${target.prefix}`}</bdi>
        {target.kind === 'bucket' && (
          <>
            {' '}
            at <bdi>{new URL(target.endpoint).host}</bdi>
          </>
        )}
      </Fact>
      <Fact name={running === undefined ? 'Next' : 'Now'}>
        {running !== undefined ? STEPS[running.step] : nextAt !== undefined && <When time={nextAt} />}
      </Fact>
    </dl>
  );
}

interface ActsProps {
  /** That holds now. */
  readonly schedule: ScheduleTerms | undefined;
  onDone(): void;
}

function Acts({ schedule, onDone }: ActsProps) {
  const start = async () => {
    await node.startScheduledBackup({});
    onDone();
  };
  const end = async () => {
    await node.endBackupSchedule({});
    say('Ended. What was kept stays where it is.');
    onDone();
  };
  const act = schedule === undefined ? 'Set a schedule' : 'Change';
  return (
    <div class="buttons">
      <SheetButton act={act} title="Schedule of backups" isMain={schedule === undefined}>
        {(close) => <SetSchedule schedule={schedule} onDone={onDone} onLeave={close} />}
      </SheetButton>
      {schedule !== undefined && (
        <>
          <Button onClick={start}>Back up now</Button>
          <RiskyButton act="End" of="the schedule" onConfirm={end}>
            The node makes no further backup. What was kept stays where it is.
          </RiskyButton>
        </>
      )}
    </div>
  );
}

function Kept({ kept }: Pick<ShownSchedule, 'kept'>) {
  return (
    <Card title="Kept there">
      {kept.length === 0 ? (
        <Empty title="None yet" />
      ) : (
        <ul class="rows">
          {kept.map(({ fileName, createdAt, triedAt, events, bytes }) => (
            <li key={fileName} class="row">
              <span class="row-main">
                <strong>
                  <When time={createdAt} inLink />
                </strong>
                <span class="quiet">
                  test restore <When time={triedAt} inLink />: {events.toLocaleString('en-US')} events verified,{' '}
                  {sizeText(bytes)} · <bdi>{fileName}</bdi>
                </span>
              </span>
            </li>
          ))}
        </ul>
      )}
    </Card>
  );
}

/** The scheduled work of a node, and how often it runs. */
import type { Deps } from '../usecase/deps.ts';
import type { Patience } from '../usecase/schedule.ts';
import { storeKeyUse } from '../workers/accessRecords.ts';
import { watchClock } from '../workers/clockSetBack.ts';
import { escalateApprovals } from '../workers/escalateApprovals.ts';
import { examineFile } from '../workers/examineFile.ts';
import { expireApprovals } from '../workers/expireApprovals.ts';
import { expireHolds, warnOfHolds } from '../workers/expireHolds.ts';
import { expireIntents } from '../workers/expireIntents.ts';
import { sendHeartbeat } from '../workers/heartbeat.ts';
import { keepHouse } from '../workers/housekeeping.ts';
import { patience } from '../workers/patience.ts';
import { startReconciling } from '../workers/reconcile.ts';
import { remindOfApprovals } from '../workers/remindOfApprovals.ts';
import { repeat, type Worker } from '../workers/repeat.ts';
import { restoreHolds } from '../workers/restoreHolds.ts';
import { deleteOldBuckets, rollUpLimits } from '../workers/rollUpLimits.ts';
import { signDueCheckpoints } from '../workers/signCheckpoints.ts';

/** When to look again for what was announced. */
const LOOK_AGAIN_MS = [20, 200];

export function startWorkers(deps: Deps): Worker[] {
  const failed = (name: string) => (error: unknown) => deps.log.error('worker.failed', { name, error: String(error) });
  /** A worker that sets rows aside when they fail, and knows them from one round to the next. */
  const patient = (pauseMs: number, name: string, work: (deps: Deps, waiting: Patience) => Promise<unknown>) => {
    const waiting = patience(deps, name);
    return repeat(pauseMs, async () => void (await work(deps, waiting)), failed(name));
  };
  const scheduled = new Map(
    deps.operations.schedules.map(({ name, pauseMs, work }) => [
      name,
      patient(pauseMs, name, (_, waiting) => work(waiting, deps)),
    ]),
  );
  deps.wake.schedules.onWake((name) => {
    const wake = () => scheduled.get(name)?.wake();
    wake();
    if (deps.store.engine === 'sqlite') return;
    // The commit may still be under way.
    for (const delay of LOOK_AGAIN_MS) setTimeout(wake, delay).unref();
  });
  return [
    ...scheduled.values(),
    repeat(2000, () => sendHeartbeat(deps), failed('heartbeat')),
    repeat(1000, watchClock(deps), failed('clock')),
    patient(1000, 'expire', expireIntents),
    patient(1000, 'lapsed approvals', restoreHolds),
    startReconciling(deps, failed('reconcile')),
    patient(1000, 'approvals', expireApprovals),
    patient(1000, 'reminders', remindOfApprovals),
    patient(1000, 'escalations', escalateApprovals),
    patient(5000, 'checkpoints', signDueCheckpoints),
    patient(1000, 'hold warnings', warnOfHolds),
    patient(1000, 'holds', expireHolds),
    repeat(60_000, () => storeKeyUse(deps), failed('keys')),
    repeat(60_000, () => rollUpLimits(deps), failed('limits')),
    repeat(24 * 3_600_000, () => deleteOldBuckets(deps), failed('old limits')),
    repeat(600_000, () => keepHouse(deps), failed('housekeeping')),
    repeat(24 * 3_600_000, () => examineFile(deps), failed('file')),
  ];
}

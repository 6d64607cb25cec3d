/** The scheduled work of a node, and how often it runs. */
import type { Deps } from '../handlers/core/deps.ts';
import { storeKeyUse } from '../workers/accessRecords.ts';
import { watchClock } from '../workers/clockSetBack.ts';
import { examineFile } from '../workers/examineFile.ts';
import { expireApprovals } from '../workers/expireApprovals.ts';
import { expireHolds, expireTokens } from '../workers/expireHolds.ts';
import { expireIntents } from '../workers/expireIntents.ts';
import { sendHeartbeat } from '../workers/heartbeat.ts';
import { keepHouse } from '../workers/housekeeping.ts';
import { startReconciling } from '../workers/reconcile.ts';
import { repeat, type Worker } from '../workers/repeat.ts';
import { signDueCheckpoints } from '../workers/signCheckpoints.ts';

export function startWorkers(deps: Deps): Worker[] {
  const failed = (name: string) => (error: unknown) => deps.log.error('worker.failed', { name, error: String(error) });
  return [
    repeat(2000, () => sendHeartbeat(deps), failed('heartbeat')),
    repeat(1000, watchClock(deps), failed('clock')),
    repeat(1000, async () => void (await expireIntents(deps)), failed('expire')),
    startReconciling(deps, failed('reconcile')),
    repeat(1000, () => expireApprovals(deps), failed('approvals')),
    repeat(5000, () => signDueCheckpoints(deps), failed('checkpoints')),
    repeat(1000, () => expireHolds(deps), failed('holds')),
    repeat(1000, () => expireTokens(deps), failed('tokens')),
    repeat(60_000, () => storeKeyUse(deps), failed('keys')),
    repeat(600_000, () => keepHouse(deps), failed('housekeeping')),
    repeat(24 * 3_600_000, () => examineFile(deps), failed('file')),
  ];
}

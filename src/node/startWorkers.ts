/** Everything a node does by itself, and how often. */
import type { Deps } from '../handlers/core/deps.ts';
import { forgetOldLogins, writeKeyUse } from '../workers/accessRecords.ts';
import { expireApprovals, forgetOldCeremonies } from '../workers/expireApprovals.ts';
import { endHolds, expireTokens, forgetOldRailEvents } from '../workers/expireHolds.ts';
import { expireIntents, forgetOldDeliveries, forgetOldRequests } from '../workers/expireIntents.ts';
import { sendHeartbeat } from '../workers/heartbeat.ts';
import { reconcile } from '../workers/reconcile.ts';
import { every, type Worker } from '../workers/repeat.ts';
import { makeDueCheckpoints } from '../workers/signCheckpoints.ts';

export function startWorkers(deps: Deps): Worker[] {
  const failed = (name: string) => (error: unknown) => deps.log.error('worker.failed', { name, error: String(error) });
  return [
    every(2000, () => sendHeartbeat(deps), failed('heartbeat')),
    every(1000, async () => void (await expireIntents(deps)), failed('expire')),
    every(1000, () => reconcile(deps), failed('reconcile')),
    every(1000, () => expireApprovals(deps), failed('approvals')),
    every(5000, () => makeDueCheckpoints(deps), failed('checkpoints')),
    every(1000, () => endHolds(deps), failed('holds')),
    every(1000, () => expireTokens(deps), failed('tokens')),
    every(3_600_000, () => forgetOldRailEvents(deps), failed('railEvents')),
    every(600_000, () => forgetOldCeremonies(deps), failed('ceremonies')),
    every(600_000, () => forgetOldRequests(deps), failed('forget')),
    every(60_000, () => writeKeyUse(deps), failed('keys')),
    every(600_000, () => forgetOldLogins(deps), failed('logins')),
    every(3_600_000, () => forgetOldDeliveries(deps), failed('deliveries')),
  ];
}

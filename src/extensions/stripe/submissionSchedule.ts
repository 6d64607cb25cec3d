/** Looks at Stripe for disputes whose evidence was to be submitted, where no answer was recorded: the node ended, or Stripe did not answer. */
import { recordSubmissions } from '../../domain/payments/recordSubmissions.ts';
import {
  type DisputeRow,
  findDispute,
  listUnrecordedSubmissions,
  updateSubmission,
} from '../../store/statements/purchases/disputes.ts';
import { findPayment } from '../../store/statements/purchases/payments.ts';
import type { Deps } from '../../usecase/deps.ts';
import type { Schedule } from '../../usecase/schedule.ts';
import { patience, workOff } from '../../workers/patience.ts';

/** So late no request is still on its way to Stripe: what it has not counted by then was never submitted. */
const LATEST_MS = 3_600_000;

export const submissionSchedule: Schedule = {
  name: 'submissions',
  pauseMs: 10_000,
  work: (waiting, deps) => recordUnrecorded(deps, waiting),
};

export async function recordUnrecorded(deps: Deps, waiting = patience(deps, 'submissions')): Promise<void> {
  const answerMs = 2 * deps.settings.rail.timeoutSeconds * 1000;
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listUnrecordedSubmissions(now - answerMs, limit)),
    keyOf: ({ id }) => id,
    settle: (dispute) => look(deps, dispute),
  });
}

/** @returns false while Stripe may still be about to take it, or does not say */
async function look(deps: Deps, dispute: DisputeRow): Promise<boolean> {
  const { tenant_id: tenantId, submitting_at: askedAt, rail_dispute_id: railDisputeId } = dispute;
  const payment = await deps.store.read(() => findPayment(tenantId, dispute.mandate_id));
  const submissions = await countAt(deps, payment?.rail, railDisputeId);
  return deps.store.write(tenantId, function* (now) {
    const current = yield* findDispute(dispute, railDisputeId);
    if (current === undefined || current.submitting_at === null) return true;
    if (submissions !== undefined) yield* recordSubmissions(deps, dispute, submissions, now);
    if ((submissions ?? 0) > current.submissions) return true;
    if (submissions === undefined || current.submitting_at !== askedAt || now - askedAt < LATEST_MS) return false;
    yield* updateSubmission({ ...current, submitting_at: null, submitting_by: null });
    return true;
  });
}

/** @returns undefined where the rail does not say */
async function countAt(deps: Deps, rail: string | undefined, railDisputeId: string): Promise<number | undefined> {
  try {
    return await deps.rails.get(String(rail))?.countSubmissions?.(railDisputeId);
  } catch (error) {
    deps.log.warn('dispute.notSeen', { rail, error: String(error) });
    return undefined;
  }
}

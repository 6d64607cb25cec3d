/** Expires approvals without a decision, and deletes expired challenges, presence proofs and enrollment links. */

import { settleApproval } from '../handlers/approvals/requestApproval.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { listOverdueApprovalRequests } from '../store/statements/people/approvals.ts';
import { deleteEnrollmentsBefore } from '../store/statements/people/enrollments.ts';
import { deletePresenceChallengesBefore } from '../store/statements/people/presenceChallenges.ts';
import { deleteIssuedPresenceBefore } from '../store/statements/people/presenceIssued.ts';

const BATCH = 200;

export async function expireApprovals(deps: Deps): Promise<void> {
  for (;;) {
    const overdue = await deps.store.read((now) => listOverdueApprovalRequests(now, BATCH));
    await Promise.all(
      overdue.map((request) =>
        deps.store.write(request.tenant_id, (now) => settleApproval(deps, request, { status: 'expired' }, now)),
      ),
    );
    if (overdue.length < BATCH) return;
  }
}

export async function deleteOldCeremonies(deps: Deps): Promise<void> {
  await deps.store.write('housekeeping', function* (now) {
    yield* deletePresenceChallengesBefore(now);
    yield* deleteEnrollmentsBefore(now);
    yield* deleteIssuedPresenceBefore(now);
  });
}

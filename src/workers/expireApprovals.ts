/** Expires approvals without a decision. */

import { settleApproval } from '../handlers/approvals/requestApproval.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { listOverdueApprovalRequests } from '../store/statements/people/approvals.ts';

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

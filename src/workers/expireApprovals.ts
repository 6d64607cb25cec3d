/** Expires approvals without a decision. */
import { settleApproval } from '../domain/approvals/requestApproval.ts';
import { listOverdueApprovalRequests } from '../store/statements/people/approvals.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience, workOff } from './patience.ts';

export async function expireApprovals(deps: Deps, waiting = patience(deps, 'approvals')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listOverdueApprovalRequests(now, limit)),
    keyOf: ({ id }) => id,
    settle: (request) =>
      deps.store.write(request.tenant_id, (now) => settleApproval(deps, request, { status: 'expired' }, now)),
  });
}

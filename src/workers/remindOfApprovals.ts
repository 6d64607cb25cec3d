/** Tells people once more of an approval that none of them has answered by half its time. */
import { remindOfApproval } from '../domain/approvals/requestApproval.ts';
import { listRequestsToRemind } from '../store/statements/people/approvals.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience, workOff } from './patience.ts';

export async function remindOfApprovals(deps: Deps, waiting = patience(deps, 'reminders')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listRequestsToRemind(now, limit)),
    keyOf: ({ id }) => id,
    // One that was answered in the meantime is listed no more.
    settle: async (request) => {
      await deps.store.write(request.tenant_id, (now) => remindOfApproval(deps, request, now));
    },
  });
}

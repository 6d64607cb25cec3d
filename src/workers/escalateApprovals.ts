/** Tells the next person of an approval that is not decided, once that person's turn has come. */
import { escalateApproval } from '../domain/approvals/escalation.ts';
import { listRequestsToEscalate } from '../store/statements/people/approvals.ts';
import type { Deps } from '../usecase/deps.ts';
import { patience, workOff } from './patience.ts';

export async function escalateApprovals(deps: Deps, waiting = patience(deps, 'escalations')): Promise<void> {
  await workOff(deps, waiting, {
    list: (limit) => deps.store.read((now) => listRequestsToEscalate(now, limit)),
    keyOf: ({ id }) => id,
    // One that was decided in the meantime is listed no more.
    settle: async (request) => {
      await deps.store.write(request.tenant_id, (now) => escalateApproval(deps, request, now));
    },
  });
}

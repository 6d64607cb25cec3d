/** The page of an approval: shown at once, or when anything of it changes. */
import { z } from 'zod';
import { ApprovalView, approvalStatusAt, FollowApproval } from '../../../protocol/approval.ts';
import { isId } from '../../../protocol/wire/id.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import { viewOpen } from '../../domain/approvals/viewApproval.ts';
import { listApprovingPasskeys } from '../../domain/passkeys/holder.ts';
import { approverOf, loadGovernance } from '../../domain/principals/governance.ts';
import { findApprovalStanding } from '../../store/statements/people/approvals.ts';
import { countTouches } from '../../store/statements/people/approvalTouches.ts';
import { findCurrentVersion } from '../../store/statements/registry/policies.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { holdPoll } from '../../usecase/holdPoll.ts';
import { lookUntil } from '../../usecase/lookUntil.ts';
import { openOperation } from '../../usecase/openOperation.ts';

const ById = z.object({ id: z.string() });

export const followApproval = openOperation({
  summary: 'Shows what the page of an approval shows, at once or when anything of it changes.',
  input: FollowApproval.extend(ById.shape),
  output: ApprovalView,
  run: (deps, { id, wait }) => follow(deps, id, wait),
});

/**
 * What the page shows, at once or when anything of it changes: a decision, the expiry, the first passkey, the policy.
 * @throws Fault NOT_FOUND, some time after it ended too: a link that is left lying about shows no purchase
 */
async function follow(
  deps: Pick<Deps, 'memory' | 'policies' | 'stopping' | 'store'>,
  id: string,
  wait: number,
): Promise<ApprovalView> {
  return holdPoll(deps, id, wait, async (seconds) => {
    const show = () => deps.store.read((now) => viewOpen(deps, id, now));
    if (seconds === 0) return show();
    const before = await deps.store.read((now) => standingOf(id, now));
    const first = await show();
    if (first.status !== 'pending') return first;
    await lookUntil(
      deps,
      seconds,
      (now) => standingOf(id, now),
      (seen) => seen !== before,
    );
    return show();
  });
}

/** All that may change of what the page shows, as one text: small rows alone, since a poll looks four times a second. */
function* standingOf(id: string, now: number): Script<string> {
  const standing = isId('apr_', id) ? yield* findApprovalStanding(id) : undefined;
  if (standing === undefined) return '';
  const { tenant_id: tenantId, agent_did: agentDid, status, expires_at: expiresAt } = standing;
  const agent = yield* loadAgent(tenantId, agentDid);
  const principal = yield* loadGovernance(tenantId, standing);
  const passkeys = yield* listApprovingPasskeys(tenantId, approverOf(standing, principal));
  const policy = yield* findCurrentVersion(tenantId);
  return JSON.stringify([
    approvalStatusAt({ status, expiresAt }, now),
    agent.status,
    principal,
    passkeys.length > 0,
    yield* countTouches(tenantId, id),
    policy?.id,
    policy?.version,
  ]);
}

/** Checks in this browser that people approved a purchase, by the same code that strangers use. See loadCheck.ts. */
import type { ApprovalState } from '../../client/operations.ts';
import type { ApprovalVerdict } from '../../protocol/approvals/approvalChecks.ts';
import { ApprovalDecision } from '../../protocol/approvals/approvalDecision.ts';
import { verifyApproval } from '../../protocol/approvals/verifyApproval.ts';
import { nobleSuite } from '../../protocol/credential/ed25519.ts';

/**
 * @param issuerDid whose word counts on whose key it is @param origin where that node is: people decide there
 * @param now milliseconds since the epoch @returns one of each person who decided
 */
export function checkDecisions(
  { decision, decisions, cartHash: documentHash, ...approval }: ApprovalState,
  issuerDid: string,
  origin: string,
  now: number,
): readonly ApprovalVerdict[] {
  const { id, agentDid, principalDid, amount, currency, merchant, expiresAt } = approval;
  const expect = { documentHash, id, agentDid, principalDid, amount, currency, merchant, expiresAt, origin };
  const given = decisions ?? (decision === undefined ? [] : [decision]);
  return given.map((each) =>
    verifyApproval(nobleSuite, ApprovalDecision.parse(each), expect, { issuers: [issuerDid], now }),
  );
}

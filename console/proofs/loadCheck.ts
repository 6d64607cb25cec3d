/** Loads what checks evidence, with the library of its schemas: more code than all of a first screen. */
import type { ApprovalState } from '../../client/operations.ts';
import type { ApprovalVerdict } from '../../protocol/approvals/approvalChecks.ts';
import type { BundleVerdict } from './checkBundle.ts';
import { interpretSchemas } from './interpretSchemas.ts';

/** As checkBundle. */
export async function checkEvidence(text: string, issuerDid: string, origin: string): Promise<BundleVerdict> {
  await interpretSchemas();
  const { checkBundle } = await import('./checkBundle.ts');
  return checkBundle(text, issuerDid, origin);
}

/** As checkDecisions, now. */
export async function checkApproval(
  approval: ApprovalState,
  issuerDid: string,
  origin: string,
): Promise<readonly ApprovalVerdict[]> {
  await interpretSchemas();
  const { checkDecisions } = await import('./checkDecision.ts');
  return checkDecisions(approval, issuerDid, origin, Date.now());
}

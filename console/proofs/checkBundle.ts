/** Checks a portable bundle in this browser, by the same code that the node and every auditor uses. See loadCheck.ts. */
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { describeApproval } from '../../protocol/evidence/bundleApproval.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';

export type BundleVerdict =
  | {
      readonly ok: true;
      /** How many events the signed checkpoint is over. */
      readonly chainSize: number;
      /** What the node did not sign, or the bundle alone cannot prove. */
      readonly unsigned: readonly string[];
      /** How the purchase was approved, in words. */
      readonly approved: string;
      /** Why a touch that the node states is not shown. */
      readonly notShown?: string;
    }
  | { readonly ok: false; readonly part: string; readonly reason: string };

/** @param issuerDid whose signature it must carry @param origin where that node is: touches must be made there */
export function checkBundle(text: string, issuerDid: string, origin: string): BundleVerdict {
  const checked = verifyBundle(nobleSuite, text, issuerDid, { origin });
  if (!checked.ok) return checked;
  const { checkpoint, unsigned, approval } = checked;
  const shown = { ok: true, chainSize: checkpoint.size, unsigned, approved: describeApproval(approval) } as const;
  return approval.by === 'node' ? { ...shown, notShown: approval.reason } : shown;
}

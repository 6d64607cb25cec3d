/** Checks a portable bundle in this browser, by the same code that the node and every auditor uses. See loadCheck.ts. */
import { nobleSuite } from '../../protocol/credential/ed25519.ts';
import { verifyBundle } from '../../protocol/evidence/verifyBundle.ts';

export type Checked =
  | {
      readonly ok: true;
      /** How many events the signed checkpoint is over. */
      readonly chainSize: number;
      /** What the node did not sign, or nobody can check by the bundle alone. */
      readonly unsigned: readonly string[];
    }
  | { readonly ok: false; readonly part: string; readonly reason: string };

/** @param issuerDid whose signature it must carry */
export function checkBundle(text: string, issuerDid: string): Checked {
  const checked = verifyBundle(nobleSuite, text, issuerDid);
  if (!checked.ok) return checked;
  return { ok: true, chainSize: checked.checkpoint.size, unsigned: checked.unsigned };
}

/** A suite that counts how often it verifies a signature. */
import type { Suite } from '../../protocol/credential/ed25519.ts';

export function countingSuite(suite: Suite): { readonly suite: Suite; verified(): number } {
  let verified = 0;
  return {
    suite: {
      ...suite,
      verify(...given) {
        verified++;
        return suite.verify(...given);
      },
    },
    verified: () => verified,
  };
}

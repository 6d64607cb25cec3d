/**
 * Remembers the signatures that a node made, so that a credential of its own that comes back costs a comparison of
 * bytes and not a verification. What differs in a single byte is verified as ever.
 */
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { KEY_BYTES } from '../../protocol/credential/publicKey.ts';

const REMEMBERED_SIGNATURES = 10_000;
/** Longer messages are hardly ever shown to the node again. */
const MAX_MESSAGE_BYTES = 256;

/** @param limit signatures held; the oldest goes first */
export function rememberOwnSignatures(suite: Suite, limit: number = REMEMBERED_SIGNATURES): Suite {
  /** Key and message by signature. */
  const made = new Map<string, string>();
  return {
    ...suite,
    verify(publicKey, message, signature) {
      const known = publicKey.length === KEY_BYTES ? made.get(textOf(signature)) : undefined;
      const same = known !== undefined && known === subjectOf(publicKey, message);
      return same || suite.verify(publicKey, message, signature);
    },
    signer(seed) {
      const signer = suite.signer(seed);
      return {
        ...signer,
        sign(message) {
          const signature = signer.sign(message);
          if (message.length <= MAX_MESSAGE_BYTES) {
            if (made.size >= limit) made.delete(made.keys().next().value as string);
            made.set(textOf(signature), subjectOf(signer.publicKey, message));
          }
          return signature;
        },
      };
    },
  };
}

/** Keys are all of one length, so that nothing can pass from one part into the other. */
function subjectOf(publicKey: Uint8Array, message: Uint8Array): string {
  return textOf(publicKey) + textOf(message);
}

function textOf(bytes: Uint8Array): string {
  return bytes.length > MAX_MESSAGE_BYTES ? '' : String.fromCharCode.apply(null, bytes as unknown as number[]);
}

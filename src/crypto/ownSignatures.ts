/**
 * A cache of the signatures this node made: a credential of its own that comes back costs a comparison of bytes
 * instead of a verification. Whatever differs in a single byte is verified as usual.
 */
import { SIGNATURE_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { KEY_BYTES } from '../../protocol/credential/publicKey.ts';

const CACHED_SIGNATURES = 10_000;
/** The signed bytes of a document are 112; longer messages hardly ever come back to the node. */
const MAX_MESSAGE_BYTES = 128;
const SLOT_BYTES = SIGNATURE_BYTES + KEY_BYTES + 1 + MAX_MESSAGE_BYTES;

/** @param limit how many signatures are cached; the oldest is dropped first */
export function rememberOwnSignatures(suite: Suite, limit: number = CACHED_SIGNATURES): Suite {
  // One array for all of them: strings as keys would cost half as much as a signature.
  const slots = new Uint8Array(limit * SLOT_BYTES);
  const slotOf = new Map<number, number>();
  let next = 0;

  function remember(signature: Uint8Array, publicKey: Uint8Array, message: Uint8Array): void {
    const slot = next;
    next = (next + 1) % limit;
    const start = slot * SLOT_BYTES;
    const former = hashOf(slots, start);
    if (slotOf.get(former) === slot) slotOf.delete(former);
    slots.set(signature, start);
    slots.set(publicKey, start + SIGNATURE_BYTES);
    slots[start + SIGNATURE_BYTES + KEY_BYTES] = message.length;
    slots.set(message, start + SIGNATURE_BYTES + KEY_BYTES + 1);
    slotOf.set(hashOf(signature, 0), slot);
  }

  function isOwn(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
    if (signature.length !== SIGNATURE_BYTES || publicKey.length !== KEY_BYTES) return false;
    const slot = slotOf.get(hashOf(signature, 0));
    if (slot === undefined) return false;
    const start = slot * SLOT_BYTES;
    return (
      slots[start + SIGNATURE_BYTES + KEY_BYTES] === message.length &&
      isAt(slots, start, signature) &&
      isAt(slots, start + SIGNATURE_BYTES, publicKey) &&
      isAt(slots, start + SIGNATURE_BYTES + KEY_BYTES + 1, message)
    );
  }

  return {
    ...suite,
    verify: (publicKey, message, signature) =>
      isOwn(publicKey, message, signature) || suite.verify(publicKey, message, signature),
    signer(seed) {
      const signer = suite.signer(seed);
      return {
        ...signer,
        sign(message) {
          const signature = signer.sign(message);
          if (message.length <= MAX_MESSAGE_BYTES) remember(signature, signer.publicKey, message);
          return signature;
        },
      };
    },
  };
}

/** 30 bits of a signature: enough to find its slot, whose content is then compared. */
function hashOf(bytes: Uint8Array, start: number): number {
  return (
    ((bytes[start] as number) << 22) |
    ((bytes[start + 1] as number) << 14) |
    ((bytes[start + 2] as number) << 6) |
    ((bytes[start + 3] as number) >> 2)
  );
}

function isAt(memory: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (memory[start + i] !== bytes[i]) return false;
  return true;
}

/**
 * Remembers the signatures that a node made, so that a credential of its own that comes back costs a comparison of
 * bytes and not a verification. What differs in a single byte is verified as ever.
 */
import { SIGNATURE_BYTES, type Suite } from '../../protocol/credential/ed25519.ts';
import { KEY_BYTES } from '../../protocol/credential/publicKey.ts';

const REMEMBERED_SIGNATURES = 10_000;
/** What is signed of a document has 112 bytes; longer messages are hardly ever shown to the node again. */
const MAX_MESSAGE_BYTES = 128;
const SLOT_BYTES = SIGNATURE_BYTES + KEY_BYTES + 1 + MAX_MESSAGE_BYTES;

/** @param limit signatures held; the oldest goes first */
export function rememberOwnSignatures(suite: Suite, limit: number = REMEMBERED_SIGNATURES): Suite {
  // One piece of memory for all of them: strings as keys would cost as much as half a signature.
  const slots = new Uint8Array(limit * SLOT_BYTES);
  const slotOf = new Map<number, number>();
  let next = 0;

  function remember(signature: Uint8Array, publicKey: Uint8Array, message: Uint8Array): void {
    const slot = next;
    next = (next + 1) % limit;
    const start = slot * SLOT_BYTES;
    const leaving = nameOf(slots, start);
    if (slotOf.get(leaving) === slot) slotOf.delete(leaving);
    slots.set(signature, start);
    slots.set(publicKey, start + SIGNATURE_BYTES);
    slots[start + SIGNATURE_BYTES + KEY_BYTES] = message.length;
    slots.set(message, start + SIGNATURE_BYTES + KEY_BYTES + 1);
    slotOf.set(nameOf(signature, 0), slot);
  }

  function isOwn(publicKey: Uint8Array, message: Uint8Array, signature: Uint8Array): boolean {
    if (signature.length !== SIGNATURE_BYTES || publicKey.length !== KEY_BYTES) return false;
    const slot = slotOf.get(nameOf(signature, 0));
    if (slot === undefined) return false;
    const start = slot * SLOT_BYTES;
    return (
      slots[start + SIGNATURE_BYTES + KEY_BYTES] === message.length &&
      holds(slots, start, signature) &&
      holds(slots, start + SIGNATURE_BYTES, publicKey) &&
      holds(slots, start + SIGNATURE_BYTES + KEY_BYTES + 1, message)
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

/** 30 bits of a signature: enough to find it, and what is found is compared. */
function nameOf(bytes: Uint8Array, start: number): number {
  return (
    ((bytes[start] as number) << 22) |
    ((bytes[start + 1] as number) << 14) |
    ((bytes[start + 2] as number) << 6) |
    ((bytes[start + 3] as number) >> 2)
  );
}

function holds(memory: Uint8Array, start: number, bytes: Uint8Array): boolean {
  for (let i = 0; i < bytes.length; i++) if (memory[start + i] !== bytes[i]) return false;
  return true;
}

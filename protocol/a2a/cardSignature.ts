/** The signature of an agent card: a JWS over its canonical JSON (A2A v1.0 section 8.4). */
import { z } from 'zod';
import { canonical } from '../credential/canonical.ts';
import { keyId } from '../credential/did.ts';
import type { Signer } from '../credential/ed25519.ts';
import { toBase64url } from '../credential/encodings.ts';

export const CardSignature = z.object({ protected: z.string(), signature: z.string() });
export type CardSignature = z.infer<typeof CardSignature>;

const utf8 = new TextEncoder();

/**
 * @param card without signatures, and without members that are empty, which readers leave out
 * @param keySet the address of the JSON Web Key Set that has the signer's key
 */
export function signCard(signer: Signer, card: object, keySet: string): CardSignature {
  const header = { alg: 'EdDSA', typ: 'JOSE', kid: keyId(signer.did), jku: keySet };
  const [protectedHeader, payload] = [JSON.stringify(header), canonical(card)].map((text) =>
    toBase64url(utf8.encode(text)),
  ) as [string, string];
  const signature = signer.sign(utf8.encode(`${protectedHeader}.${payload}`));
  return { protected: protectedHeader, signature: toBase64url(signature) };
}

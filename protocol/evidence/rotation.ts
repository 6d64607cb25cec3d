/** Rotation of the issuer's key: the old key signs the new one, so that whoever trusts one can verify both. */
import { z } from 'zod';
import type { Signer, Suite } from '../credential/ed25519.ts';
import { checkProof, Proof, signDocument } from '../credential/proof.ts';

export const IssuerRotation = z.strictObject({
  type: z.literal('IssuerRotation'),
  from: z.string(),
  to: z.string(),
  proof: Proof.describe('By the key of `from`.'),
});
export type IssuerRotation = z.infer<typeof IssuerRotation>;

/** @param now milliseconds since the epoch */
export function signRotation(suite: Suite, from: Signer, to: string, now: number): IssuerRotation {
  const created = new Date(now).toISOString();
  const statement = { type: 'IssuerRotation', from: from.did, to } as const;
  return signDocument(suite, from, statement, { created, proofPurpose: 'assertionMethod' }).document;
}

/**
 * Follows rotations to the issuer they end at.
 * @param rotations the oldest first
 * @returns every DID the issuer has had, the oldest first; undefined when a rotation is not valid
 */
export function issuersThrough(
  suite: Suite,
  rotations: readonly IssuerRotation[],
  issuer: string,
): readonly string[] | undefined {
  const dids: string[] = [];
  for (const [index, rotation] of rotations.entries()) {
    const next = rotations[index + 1]?.from ?? issuer;
    const check = checkProof(suite, rotation, { proofPurpose: 'assertionMethod', did: rotation.from });
    if (!check.ok || rotation.to !== next) return undefined;
    dids.push(rotation.from);
  }
  return [...dids, issuer];
}

/** Rotation of the issuer's key: the old key signs the new one, so that a verifier who trusts one can verify both. */
import { z } from 'zod';
import type { Signer, Suite } from '../credential/ed25519.ts';
import { checkProof, Proof, signDocument } from '../credential/proof.ts';
import type { EvidenceEvent } from './chain.ts';

export const IssuerRotation = z.strictObject({
  type: z.literal('IssuerRotation'),
  from: z.string(),
  to: z.string(),
  compromised: z.literal(true).optional().describe('The key of `from` was stolen.'),
  proof: Proof.describe('By the key of `from`, whose last moment is `created`.'),
});
export type IssuerRotation = z.infer<typeof IssuerRotation>;

/** @param at when the old key is retired, in milliseconds since the epoch */
export function signRotation(
  suite: Suite,
  from: Signer,
  { to, at, compromised = false }: { readonly to: string; readonly at: number; readonly compromised?: boolean },
): IssuerRotation {
  const created = new Date(at).toISOString();
  const statement = { type: 'IssuerRotation', from: from.did, to, ...(compromised && { compromised }) } as const;
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

/**
 * What speaks against something that an issuer signed: a retired key signs nothing any more.
 * @param dates every date that it bears, ISO 8601
 * @returns one sentence, or undefined
 */
export function retirementFault(
  rotations: readonly IssuerRotation[],
  issuer: string,
  dates: readonly string[],
): string | undefined {
  const end = rotations.find(({ from }) => from === issuer)?.proof.created;
  if (end === undefined || dates.every((date) => Date.parse(date) <= Date.parse(end))) return undefined;
  return `it is dated after ${end}, when the key of ${issuer} was retired`;
}

/**
 * The DIDs the issuer has had, as far as the rotations that a chain records are valid.
 * @param events in their order; others than rotations may be among them
 * @param first DID, which the chain begins with
 */
export function issuersRecorded(
  suite: Suite,
  events: readonly Pick<EvidenceEvent, 'eventType' | 'data'>[],
  first: string,
): readonly string[] {
  let issuers: readonly string[] = [first];
  for (const { data } of events.filter(({ eventType }) => eventType === 'ISSUER_ROTATED')) {
    const rotation = IssuerRotation.safeParse(data.rotation);
    if (!rotation.success || rotation.data.from !== issuers.at(-1)) return issuers;
    const [, next] = issuersThrough(suite, [rotation.data], rotation.data.to) ?? [];
    if (next === undefined) return issuers;
    issuers = [...issuers, next];
  }
  return issuers;
}

/** Human presence: the signed statement that a person used their passkey, and the check whether it covers a cart. */
import { z } from 'zod';
import { canonical } from './credential/canonical.ts';
import type { Suite } from './credential/ed25519.ts';
import { checkProof, Proof } from './credential/proof.ts';

/**
 * Whose passkey touched. A user's is one that the user enrolled; one that a link or a key enrolled for an agent or a principal is in hands
 * that the node does not know, also where that principal's DID is a user's.
 */
export const PasskeyOf = z
  .enum(['user', 'agent', 'principal'])
  .describe(
    'user: a passkey that this user enrolled. agent, principal: one that a link or a key enrolled, so that the person is the passkey ' +
      'holder of that agent or principal, and no user.',
  );

/** The touch of one of several people. */
export const PresenceApproval = z.object({
  hpId: z.string().regex(/^hp_/).describe('Of the HP_VERIFIED event that has the touch.'),
  by: z.string().describe('DID of the person.'),
  passkeyOf: PasskeyOf.optional(),
});
export type PresenceApproval = z.infer<typeof PresenceApproval>;

export const HpProof = z.looseObject({
  type: z.literal('HumanPresenceProof'),
  id: z.string().regex(/^hp_/),
  issuer: z.string(),
  agentDid: z.string(),
  principalDid: z.string().optional().describe('The governed principal whose passkey it was.'),
  instrument: z.string().optional().describe('What the person was shown that would be paid with.'),
  intentId: z.string().optional(),
  cartHash: z.string().optional(),
  credentialId: z.string().describe('The passkey; of several people, that of the last one.'),
  approvedBy: z.string().optional().describe('DID of the person; of several people, that of the last one.'),
  passkeyOf: PasskeyOf.optional(),
  approvals: z
    .array(PresenceApproval)
    .optional()
    .describe('Where the policy asks several people: each one’s touch, this one last.'),
  verifiedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  proof: Proof,
});
export type HpProof = z.infer<typeof HpProof>;

/** How long a person has for an assertion, and how long its proof is valid. */
export const CHALLENGE_SECONDS = 300;
export const HP_PROOF_SECONDS = 300;

/** What an assertion is bound to, as far as it is known when the ceremony begins. */
export interface PresenceBinding {
  readonly agentDid: string;
  readonly principalDid?: string;
  readonly intentId?: string;
  readonly cartHash?: string;
  /** In units of the currency. */
  readonly amount?: number;
  readonly currency?: string;
  readonly merchant?: string;
  /** The payment method by its name at the rail; none is the rail's default. */
  readonly instrument?: string;
  /** The person's decision on an approval request, so that an assertion made to deny cannot be used to approve. */
  readonly decision?: 'approve' | 'deny';
  /** The person and their login, where it is not about a purchase. */
  readonly userDid?: string;
  readonly loginId?: string;
}

/**
 * The WebAuthn challenge of an assertion that is bound to a purchase: the passkey signs the binding with it.
 * @param random 32 unpredictable bytes
 */
export function presenceChallenge(suite: Suite, random: Uint8Array, binding: object): Uint8Array {
  const bound = suite.sha256(canonical(binding));
  const input = new Uint8Array(random.length + bound.length);
  input.set(random);
  input.set(bound, random.length);
  return suite.sha256Bytes(input);
}

/** Clocks of one deployment may differ by this much. */
const SKEW_MS = 60_000;

/** What a presence proof must cover. */
interface PresenceExpectation {
  readonly agentDid: string;
  /** The governed principal whose passkey alone counts; undefined where any passkey of the agent does. */
  readonly principalDid: string | undefined;
  /** The payment method that would be paid with; undefined for the rail's default. */
  readonly instrument: string | undefined;
  readonly intentId: string;
  readonly cartHash: string;
  /** True when the policy requires a proof that is bound to this cart. */
  readonly bound: boolean;
  /** True where the store has it as the node signed it: then its signature is not verified again. */
  readonly isStored?: boolean;
  /** DIDs that the node has signed as. */
  readonly trustedIssuers: readonly string[];
  /** The key of the sandbox's demo person, who stands for any person; undefined in production. */
  readonly demoIssuer: string | undefined;
}

/**
 * Checks the content of a presence proof; whether it was used before is a fact of the store.
 * @returns undefined when it is valid, or one sentence that names the check that failed
 */
export function presenceFault(
  suite: Suite,
  hpProof: unknown,
  expected: PresenceExpectation,
  now: number,
): string | undefined {
  const parsed = HpProof.safeParse(hpProof);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return `The presence proof is malformed at "${issue?.path.join('.')}".`;
  }
  const proof = parsed.data;
  const isDemo = proof.issuer === expected.demoIssuer;
  if (!isDemo && !expected.trustedIssuers.includes(proof.issuer)) {
    return 'The presence proof was not issued by this node.';
  }
  if (expected.isStored !== true) {
    const signature = checkProof(suite, hpProof as Record<string, unknown>, {
      proofPurpose: 'assertionMethod',
      did: proof.issuer,
    });
    if (!signature.ok) return `The presence proof's signature does not hold: ${signature.reason}`;
  }
  if (proof.agentDid !== expected.agentDid) return 'The presence proof was made for another agent.';
  if (!isDemo && proof.principalDid !== expected.principalDid) {
    return expected.principalDid === undefined
      ? 'The presence proof was made by the passkey of another holder.'
      : 'The presence proof was not made by a passkey of the person or company whose money it is.';
  }
  if (proof.intentId !== undefined && proof.intentId !== expected.intentId) {
    return 'The presence proof was made for another intent.';
  }
  if (proof.cartHash !== undefined && proof.cartHash !== expected.cartHash) {
    return 'The presence proof was made for another cart.';
  }
  if (!isDemo && proof.cartHash !== undefined && proof.instrument !== expected.instrument) {
    return 'The presence proof was made for another instrument.';
  }
  if (expected.bound && proof.cartHash === undefined) {
    return 'The policy wants a presence proof bound to this cart; this one names no cart.';
  }
  if (Date.parse(proof.verifiedAt) > now + SKEW_MS) return 'The presence proof lies in the future.';
  if (Date.parse(proof.expiresAt) <= now) return `The presence proof expired at ${proof.expiresAt}.`;
  return undefined;
}

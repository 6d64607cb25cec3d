/**
 * How a request for a person's approval ended, with the person's own signature: a WebAuthn assertion over the hash of the exact
 * action (W3C Web Authentication Level 3), which a stranger verifies with nothing of the node (verifyApproval.ts).
 */
import { z } from 'zod';
import { PublicJwk } from '../jwk/jwk.ts';
import { anyObject } from '../wire/json.ts';

const Id = z.string().min(1).max(100);
const Moment = z.iso.datetime({ offset: true });
const Base64url = z.string().regex(/^[\w-]+$/, 'must be base64url');
export const Sha256 = z.string().regex(/^sha256:[0-9a-f]{64}$/, 'must be sha256: and 64 hexadecimal digits');
const Name = z.string().max(512);

/** Members of a binding that this version does not know are signed as well. */
const Scalar = z.union([z.string().max(2048), z.number(), z.boolean()]);

export const ApprovalBinding = z
  .object({
    agentDid: Name.describe('The agent that asks.'),
    principalDid: Name.optional().describe('Whose money would be spent.'),
    intentId: Name.optional(),
    cartHash: Sha256.optional().describe('SHA-256 of the canonical JSON of the cart without its proof.'),
    documentHash: Sha256.optional().describe('The same, of an action that is no cart.'),
    amount: z.number().optional().describe('In units of the currency.'),
    currency: z.string().max(10).optional(),
    merchant: Name.optional(),
    instrument: Name.optional().describe('What would be paid with; the usual payment method when absent.'),
    decision: z.enum(['approve', 'deny']).describe('What the person decided.'),
  })
  .catchall(Scalar)
  .refine((binding) => Object.keys(binding).length <= 32, 'has more than 32 members')
  .describe('What the passkey signed the hash of, every member of it.');
export type ApprovalBinding = z.infer<typeof ApprovalBinding>;

/** What a person's touch left. */
const touch = {
  binding: ApprovalBinding.optional(),
  random: Base64url.max(64).optional().describe('The 32 random bytes of the challenge.'),
  key: PublicJwk.optional().describe('The public key of the passkey (RFC 7517).'),
  rpId: z.string().max(253).optional(),
  origin: z.string().max(300).optional().describe('Where the person decided.'),
  assertion: z
    .object({
      credentialId: Base64url.max(1400),
      authenticatorData: Base64url.max(4096),
      clientDataJSON: Base64url.max(4096),
      signature: Base64url.max(1400),
    })
    .optional()
    .describe('What the authenticator and its browser made, base64url.'),
  enrolment: anyObject()
    .optional()
    .describe('The node’s credential PasskeyEnrolment, which says whose purchases the key approves since when.'),
};

const OUTCOMES = ['approved', 'denied', 'expired', 'withdrawn'] as const;
/** What an approved one has. */
export const TOUCHED = [
  'binding',
  'random',
  'key',
  'rpId',
  'origin',
  'assertion',
] as const satisfies (keyof typeof touch)[];

export const ApprovalDecision = z
  .object({
    id: Id.describe('Of the request.'),
    outcome: z
      .enum(OUTCOMES)
      .describe('withdrawn: the agent asks no more. An approved one has every member of the touch.'),
    decidedAt: Moment,
    by: z
      .enum(['link', 'operator'])
      .optional()
      .describe('Of a denial without a touch: by the holder of the link, or by a user or key of the node.'),
    ...touch,
  })
  .superRefine((decision, context) => {
    if (decision.outcome !== 'approved') return;
    for (const name of TOUCHED) {
      if (decision[name] === undefined) context.addIssue({ code: 'custom', path: [name], message: 'is missing' });
    }
  });
export type ApprovalDecision = z.infer<typeof ApprovalDecision>;

/** What is asked and answered where a chain of mandates is verified for its bearer, by a node or without one. */
import { z } from 'zod';
import { PublicJwk } from '../ap2/jwk.ts';
import { anyObject } from '../wire/anyObject.ts';
import { compact } from '../wire/compact.ts';
import { verifyAp2Chain } from './ap2.ts';
import type { SignatureCheck } from './hop.ts';
import type { ChainResult } from './mandateChain.ts';
import { CHAIN_BOUNDS } from './sdJwt.ts';

const Chain = z.string().min(1).max(CHAIN_BOUNDS.characters);
const Text = z.string().min(1).max(2000);
const Presentation = z.strictObject({
  aud: Text.optional().describe('Who the hop must be made for.'),
  nonce: Text.optional().describe('The nonce that the hop must have.'),
});

export const VerifyMandate = z.strictObject({
  token: Chain.describe('The chain as it was presented: SD-JWTs joined by `~~`, ending with `~`.'),
  trustedJwk: PublicJwk.refine(({ kty }) => kty === 'EC', 'must be a P-256 key: chains are signed by ES256')
    .optional()
    .describe('The key of who signs the first token. Without it no chain is valid.'),
  aud: Text.optional().describe('The verifier’s name, which the last hop must be made for; not compared when absent.'),
  nonce: Text.optional().describe('The nonce that was asked for; not compared when absent.'),
  hops: z
    .array(Presentation)
    .max(CHAIN_BOUNDS.hops)
    .optional()
    .describe('What is expected of each hop by its place, the first token at 0.'),
  checkoutJwtHash: Text.optional().describe('The hash of the checkout JWT that the mandate must be for, in base64url.'),
  checkoutJwt: Chain.optional().describe('The checkout JWT itself, of which the hash is computed.'),
  checkoutMandate: Chain.optional().describe('The chain of checkout mandates beside a payment; verified with it.'),
  openCheckoutHash: Text.optional().describe('The `sd_hash` of the open checkout mandate.'),
  merchantJwk: PublicJwk.optional().describe('The merchant’s key; with it, what the merchant signed is verified too.'),
  at: z
    .int()
    .min(0)
    .max(8.64e12)
    .optional()
    .describe('Seconds since the epoch (NumericDate of RFC 7519); now when absent.'),
});
export type VerifyMandate = z.output<typeof VerifyMandate>;

const Hop = z.object({
  typ: z.string().optional().describe('The type in the header of its JWT.'),
  kid: z.string().optional().describe('The name of its key.'),
  vct: z.string().optional().describe('The type of its mandate.'),
  binding: z.enum(['sd_hash', 'issuer_jwt_hash']).optional().describe('By what it is bound to the hop before.'),
  aud: z.string().optional().describe('Who it is made for.'),
  disclosed: z.int().describe('How many disclosures were presented.'),
  hidden: z.int().describe('How many digests name something that was withheld.'),
  checks: z
    .array(
      z.object({
        name: z.string().describe('header, signature, disclosures, binding, audience, time or mandate.'),
        holds: z.boolean().describe('Whether it holds.'),
      }),
    )
    .describe('What was checked of the hop.'),
});

const Limit = z.object({
  hop: z.int().describe('The hop of the open mandate, from 0.'),
  jwtHash: z.string().describe('SHA-256 of its JWT, by which uses are counted.'),
  isSingleUse: z.boolean().describe('Whether it is good for one purchase.'),
  recurrence: z.object({ frequency: z.string(), maxOccurrences: z.int().optional() }).optional(),
  budget: z
    .object({ currency: z.string(), maxMinor: z.int() })
    .optional()
    .describe('What all uses together may come to, in minor units.'),
});

const FoundViolation = z.object({
  code: z.string().describe('A reason code.'),
  detail: z.string().describe('What is wrong, in a sentence.'),
  clause: z.string().describe('The clause of the standard that is broken.'),
  hop: z.int().optional().describe('In which hop, from 0.'),
  ucp: z.string().optional().describe('How the Universal Commerce Protocol calls it.'),
});

export const MandateVerification = z.object({
  valid: z.boolean().describe('Whether every hop holds and every constraint is kept.'),
  reason: z.string().optional().describe('What is wrong first, in a sentence; absent where it is valid.'),
  hops: z.array(Hop),
  violations: z.array(FoundViolation),
  kind: z.enum(['payment', 'checkout']).optional().describe('What is mandated; absent unless every hop holds.'),
  content: anyObject().optional().describe('The closed mandate with every member that was disclosed.'),
  open: z
    .array(z.object({ hop: z.int(), constraints: z.array(z.unknown()) }))
    .optional()
    .describe('What each open mandate behind it allows.'),
  transactionId: z.string().optional().describe('The hash of the checkout JWT that it is for.'),
  rootJwtHash: z.string().optional().describe('SHA-256 of the first JWT.'),
  leafJwtHash: z.string().optional().describe('SHA-256 of the last JWT, to which receipts refer.'),
  leafSdHash: z.string().optional().describe('The `sd_hash` of the last token as presented.'),
  openHash: z
    .string()
    .optional()
    .describe('The `sd_hash` of the first token as presented, where it is an open mandate.'),
  limits: z.array(Limit).optional().describe('How often it may be used: what a verifier has to remember.'),
});
export type MandateVerification = z.output<typeof MandateVerification>;

/**
 * Verifies without any memory: whether a mandate was used before is another question.
 * @param now milliseconds since the epoch
 * @throws Fault BAD_REQUEST for a text that is no chain
 */
export function verifyMandateAt(input: VerifyMandate, now: number, isSigned: SignatureCheck): MandateVerification {
  const { token, trustedJwk, aud, hops, merchantJwk, at = Math.floor(now / 1000), ...expected } = input;
  return described(
    verifyAp2Chain(token, {
      ...expected,
      rootKey: () => trustedJwk,
      merchantKey: merchantJwk,
      aud: listOf(aud),
      hops: hops?.map((hop) => ({ aud: listOf(hop.aud), nonce: hop.nonce })),
      at,
      isSigned,
    }),
  );
}

function listOf(aud: string | undefined): readonly string[] | undefined {
  return aud === undefined ? undefined : [aud];
}

function described({ chain, ...result }: ChainResult): MandateVerification {
  const { hops, violations } = result;
  const found = {
    ...result,
    hops: hops.map((hop) => ({ ...compact(hop), checks: [...hop.checks] })),
    violations: [...violations],
  };
  if (chain === undefined) return found;
  const { open, limits, content, ...hashes } = chain;
  return {
    ...found,
    ...hashes,
    content: { ...content },
    open: open.map(({ hop, constraints }) => ({ hop, constraints: [...constraints] })),
    limits: [...limits],
  };
}

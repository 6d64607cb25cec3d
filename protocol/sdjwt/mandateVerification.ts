/** What is asked and answered where a chain of mandates is verified for its bearer, by a node or without one. */
import { z } from 'zod';
import { algorithmOf, PublicJwk } from '../jwk/jwk.ts';
import { compact } from '../wire/compact.ts';
import { Fault } from '../wire/fault.ts';
import { anyObject } from '../wire/json.ts';
import { leftOut, NotCompared } from '../wire/notCompared.ts';
import { verifyAp2Chain } from './ap2.ts';
import type { SignatureCheck } from './hop.ts';
import type { ChainResult } from './mandateChain.ts';
import { CHAIN_BOUNDS, type SdJwt } from './sdJwt.ts';
import { verifyIntent } from './vi.ts';

const Chain = z.string().min(1).max(CHAIN_BOUNDS.characters);
const Text = z.string().min(1).max(2000);
const Presentation = z.strictObject({
  aud: Text.optional().describe('Who the hop must be made for.'),
  nonce: Text.optional().describe('The nonce that the hop must have.'),
});

const Layer = Chain.optional();
const LAYERS = ['l1', 'l2', 'l3Payment', 'l3Checkout', 'l2Checkout'] as const;
const OF_AP2 = ['token', 'checkoutMandate', 'openCheckoutHash'] as const;

const Asked = z.strictObject({
  profile: z.enum(['ap2', 'vi']).default('ap2').describe('AP2 v0.2, or Verifiable Intent 0.1.'),
  token: Chain.optional().describe('The chain of AP2 as it was presented: SD-JWTs joined by `~~`, ending with `~`.'),
  l1: Layer.describe('Layer 1 of Verifiable Intent: the credential of the card issuer.'),
  l2: Layer.describe('Layer 2: what the person signed, as the recipient of the payment is given it.'),
  l3Payment: Layer.describe('Layer 3a: the payment that the agent closed.'),
  l3Checkout: Layer.describe('Layer 3b: the checkout that the agent closed.'),
  l2Checkout: Layer.describe('Layer 2 as the recipient of the checkout is given it, where that is another view.'),
  trustedJwk: PublicJwk.refine((jwk) => algorithmOf(jwk) === 'ES256', 'must be a P-256 key: chains are signed by ES256')
    .optional()
    .describe(
      'The key of who signs the first token, or layer 1; without it, an issuer that the tenant trusts must have signed it.',
    ),
  aud: Text.optional().describe('The verifier’s name, which the last hop must be made for; not compared when absent.'),
  nonce: Text.optional().describe('The nonce that was asked for; not compared when absent.'),
  hops: z
    .array(Presentation)
    .max(CHAIN_BOUNDS.hops)
    .optional()
    .describe(
      'What is expected of each hop by its place: the first token at 0; of Verifiable Intent, layers 1, 2, 3a and 3b.',
    ),
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

/** Each profile has members of its own. */
export const VerifyMandate = Asked.superRefine((asked, context) => {
  const isVi = asked.profile === 'vi';
  const needed = isVi ? (['l1', 'l2'] as const) : (['token'] as const);
  const strange = (isVi ? OF_AP2 : LAYERS).filter((name) => asked[name] !== undefined);
  const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
  for (const name of needed) if (asked[name] === undefined) say(name, `is missing for the profile ${asked.profile}`);
  for (const name of strange) say(name, `is no member for the profile ${asked.profile}`);
});
export type VerifyMandate = z.output<typeof VerifyMandate>;

const Hop = z.object({
  layer: z.string().optional().describe('Of Verifiable Intent: L1, L2, L3a or L3b.'),
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
  jwtHash: z.string().describe('SHA-256 of what its JWT signs, `header.payload`, by which uses are counted.'),
  pair: z.string().optional().describe('The digest of the checkout mandate, where one token delegates several pairs.'),
  isSingleUse: z.boolean().describe('Whether it is good for one purchase.'),
  recurrence: z.object({ frequency: z.string(), maxOccurrences: z.int().optional() }).optional(),
  budget: z
    .object({ currency: z.string(), maxMinor: z.int() })
    .optional()
    .describe('What all uses together may come to, in minor units.'),
  subscription: z
    .object({ frequency: z.string(), number: z.int().optional() })
    .optional()
    .describe('What is set up once with a merchant who charges by itself.'),
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
  notCompared: NotCompared,
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
  credential: anyObject().optional().describe('The claims of layer 1, the credential that names the person’s key.'),
  limits: z.array(Limit).optional().describe('How often it may be used: what a verifier has to remember.'),
});
export type MandateVerification = z.output<typeof MandateVerification>;

/**
 * Verifies without any memory: whether a mandate was used before is another question.
 * @param now milliseconds since the epoch
 * @param trusted the key of a first token, where the input has none
 * @throws Fault BAD_REQUEST for a text that is no chain
 */
export function verifyMandateAt(
  input: VerifyMandate,
  now: number,
  isSigned: SignatureCheck,
  trusted: (root: SdJwt) => PublicJwk | undefined = () => undefined,
): MandateVerification {
  const { token, l1, l2, l3Payment, l3Checkout, l2Checkout, trustedJwk, aud, hops, merchantJwk, ...expected } = input;
  const verifier = {
    ...expected,
    rootKey: (root: SdJwt) => trustedJwk ?? trusted(root),
    merchantKey: merchantJwk,
    aud: listOf(aud),
    hops: hops?.map((hop) => ({ aud: listOf(hop.aud), nonce: hop.nonce })),
    at: input.at ?? Math.floor(now / 1000),
    isSigned,
  };
  const layers = [l1, l2, l3Payment, l3Checkout];
  // Which of them are there was checked with the profile.
  const result =
    input.profile === 'vi'
      ? verifyIntent({ l1: l1 as string, l2: l2 as string, l3Payment, l3Checkout, l2Checkout }, verifier)
      : verifyAp2Chain(token as string, verifier);
  requireHops(hops, input.profile === 'vi' ? layers : result.hops);
  return { ...described(result), notCompared: notCompared(input, result) };
}

/** The checkout is compared by its hash, by itself or by its mandate: one of these is enough. */
function notCompared(asked: VerifyMandate, { hops }: ChainResult): string[] {
  return leftOut({
    aud: asked.aud,
    nonce: asked.nonce,
    hops: hops.length > 1 ? asked.hops : [],
    checkoutJwtHash: asked.checkoutJwtHash ?? asked.checkoutJwt ?? asked.checkoutMandate,
    openCheckoutHash: asked.profile === 'vi' ? '' : (asked.openCheckoutHash ?? asked.checkoutMandate),
    merchantJwk: asked.merchantJwk,
  });
}

/** @throws Fault BAD_REQUEST where something is expected of a hop that is not there, and would not be compared */
function requireHops(expected: VerifyMandate['hops'], there: readonly unknown[]): void {
  const place = expected?.findIndex((each, index) => Object.keys(each).length > 0 && there[index] === undefined) ?? -1;
  if (place < 0) return;
  const message = 'is of a hop that is not there; the first one is hops.0';
  throw new Fault('BAD_REQUEST', `hops.${place} ${message}.`, [{ path: `hops.${place}`, message }]);
}

function listOf(aud: string | undefined): readonly string[] | undefined {
  return aud === undefined ? undefined : [aud];
}

function described({ chain, ...result }: ChainResult): Omit<MandateVerification, 'notCompared'> {
  const { hops, violations } = result;
  const found = {
    ...result,
    hops: hops.map((hop) => ({ ...compact(hop), checks: [...hop.checks] })),
    violations: [...violations],
  };
  if (chain === undefined) return found;
  const { open, limits, content, credential, endsAt: _, refusedFrom: _from, closingKey: _key, ...hashes } = chain;
  return {
    ...found,
    ...hashes,
    content: { ...content },
    ...(credential === undefined ? {} : { credential: { ...credential } }),
    open: open.map(({ hop, constraints }) => ({ hop, constraints: [...constraints] })),
    limits: [...limits],
  };
}

/** Merchants that a tenant trusts: the key of a domain and, optionally, its account at the rail. */
import { z } from 'zod';
import { Did } from './credential/did.ts';
import { PublicJwk } from './jwk/jwk.ts';
import { MerchantCategory } from './policy/values/category.ts';
import { Country } from './policy/values/country.ts';
import { MerchantDomain } from './policy/values/domain.ts';

const DID_WEB = 'did:web:';
const MERCHANT_DID = 'must be the did:key of the merchant’s key, or did:web of the same domain';

const KeySetUrl = z
  .url({ protocol: /^https$/, error: 'must be an address that begins with https://' })
  .max(1000)
  .transform((text) => new URL(text).href);

/** An account on a chain of EVM (CAIP-10), in lower case: letters of both cases are a checksum, which no comparison needs. */
const ChainAccount = z
  .string()
  .max(128)
  .regex(/^eip155:[1-9]\d{0,31}:0x[0-9a-fA-F]{40}$/, 'must be a CAIP-10 account such as eip155:8453:0x…')
  .toLowerCase();

/** Verifiers read one form, and refuse the other: a text, or a dictionary whose member the signature names. */
export const SignatureAgentForm = z.enum(['string', 'dictionary']);
export type SignatureAgentForm = z.infer<typeof SignatureAgentForm>;

export const BindMerchant = z
  .strictObject({
    domain: MerchantDomain,
    did: z
      .union([z.string().startsWith(DID_WEB, MERCHANT_DID).max(260).toLowerCase(), Did], { error: MERCHANT_DID })
      .optional()
      .describe('Its key as a did:key, or did:web of its domain.'),
    jwk: PublicJwk.optional().describe('Its public key as a JSON Web Key: ES256, ES384, ES512, EdDSA or RS256.'),
    jwksUrl: KeySetUrl.optional().describe('Where its JSON Web Keys are; in place of its /.well-known/jwks.json.'),
    railAccountId: z.string().min(1).max(255).optional(),
    railProfileId: z
      .string()
      .min(1)
      .max(255)
      .optional()
      .describe('Its profile in the network of the rail, to which shared payment tokens are made out.'),
    payTo: z
      .array(ChainAccount)
      .min(1)
      .max(20)
      .optional()
      .describe('Its accounts on chains (CAIP-10), such as `eip155:8453:0x…`: what x402 pays.'),
    mcc: MerchantCategory.optional().describe('Its category, which wins over what an agent says.'),
    country: Country.optional().describe('Where it is, which wins over what an agent says.'),
    signatureAgentForm: SignatureAgentForm.optional().describe(
      'How it reads Signature-Agent of signed requests: as a text or as a dictionary.',
    ),
  })
  .refine(({ did, jwk, jwksUrl }) => [did, jwk, jwksUrl].filter((each) => each !== undefined).length <= 1, {
    path: ['did'],
    message: 'must be alone: only one of did, jwk and jwksUrl is bound',
  })
  .refine(
    ({ did, jwk, jwksUrl, railProfileId, payTo, signatureAgentForm }) =>
      [did, jwk, jwksUrl, railProfileId, payTo, signatureAgentForm].some((each) => each !== undefined),
    { path: ['did'], message: 'must be there, or jwk, jwksUrl, railProfileId, payTo or signatureAgentForm' },
  )
  // The domain's own did:web needs no binding; it is registered to give it an account.
  .refine(({ domain, did }) => did?.startsWith(DID_WEB) !== true || did === DID_WEB + domain, {
    path: ['did'],
    message: MERCHANT_DID,
  });
export type BindMerchant = z.infer<typeof BindMerchant>;

export const Merchant = z.object({
  id: z.string(),
  domain: z.string(),
  did: z.string().optional(),
  jwk: z.looseObject({ kty: z.string() }).optional(),
  jwksUrl: z.string().optional(),
  railAccountId: z.string().optional(),
  railProfileId: z.string().optional(),
  payTo: z.array(z.string()).optional(),
  mcc: z.string().optional(),
  country: z.string().optional(),
  signatureAgentForm: SignatureAgentForm.optional(),
  createdAt: z.string(),
});
export type Merchant = z.infer<typeof Merchant>;

/** Who may sign the first mandate of a chain (AP2 v0.2, Trust): a tenant trusts keys, and the names of issuers are for people. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { algorithmOf, PublicJwk } from '../jwk/jwk.ts';
import { visibleName } from '../wire/plainText.ts';
import { parseDistinguishedName } from './distinguishedName.ts';

const MANDATE_ISSUER_KINDS = ['agent-provider', 'user-credential', 'card-issuer'] as const;

/** Most that a tenant trusts: a chain may have to be tried with each of them. */
export const MOST_MANDATE_ISSUERS = 50;

const Kind = z
  .enum(MANDATE_ISSUER_KINDS)
  .describe('Who signs: an agent’s provider, a credential of the person, or the issuer of the person’s card.');

const Leaf = z
  .strictObject({
    'x5t#S256': z
      .string()
      .regex(/^[\w-]{43}$/, 'must be the SHA-256 of the certificate, base64url without padding')
      .optional()
      .describe('SHA-256 of the certificate (RFC 7515 section 4.1.8).'),
    subject: z
      .string()
      .min(1)
      .max(2000)
      .superRefine((text, context) => {
        const parsed = parseDistinguishedName(text);
        if ('fault' in parsed) context.addIssue({ code: 'custom', message: parsed.fault });
      })
      .optional()
      .describe('Its subject (RFC 4514), such as CN=Ada Lovelace,O=Bank: every attribute, no more and no fewer.'),
  })
  .refine((leaf) => (leaf['x5t#S256'] === undefined) !== (leaf.subject === undefined), {
    message: 'must name the certificate by exactly one of x5t#S256 and subject',
  })
  .describe(
    'The one certificate below x5cRoot that signs: that of one person, since a wallet’s root has many people’s.',
  );
export type Leaf = z.infer<typeof Leaf>;

export const AddMandateIssuer = z
  .strictObject({
    name: visibleName(200).describe('What people call it.'),
    kind: Kind,
    jwk: PublicJwk.refine((jwk) => algorithmOf(jwk) === 'ES256', 'must be a key of P-256: mandates are signed by ES256')
      .optional()
      .describe('Its public key. A `kid` in it must be that of a mandate which names one.'),
    x5cRoot: z
      .string()
      .min(1)
      .max(20_000)
      .optional()
      .describe('The certificate to which the `x5c` of its mandates must lead: PEM, or DER as base64.'),
    leaf: Leaf.optional(),
    principalDid: Did.optional().describe(
      'Whose credential it is: what it signs itself counts as a touch of the passkey of this registered person or company, and of no other. A root needs a ' +
        '`leaf` with it. Of a card issuer: whose ' +
        'cards all of its cards are; left out for a bank, which has many people’s.',
    ),
  })
  .refine(({ jwk, x5cRoot }) => (jwk === undefined) !== (x5cRoot === undefined), {
    path: ['jwk'],
    message: 'must be there, or x5cRoot: exactly one of the two',
  })
  .refine(({ leaf, x5cRoot }) => leaf === undefined || x5cRoot !== undefined, {
    path: ['leaf'],
    message: 'goes with x5cRoot, below which its certificate is',
  })
  .refine(
    ({ kind, x5cRoot, leaf, principalDid }) =>
      kind !== 'user-credential' || x5cRoot === undefined || leaf !== undefined || principalDid === undefined,
    {
      path: ['leaf'],
      message:
        'must be there with principalDid: below a wallet’s root are the certificates of all of its customers. Name this one’s by ' +
        'x5t#S256 or subject',
    },
  );
export type AddMandateIssuer = z.infer<typeof AddMandateIssuer>;

export const MandateIssuer = z.object({
  id: z.string(),
  name: z.string(),
  kind: Kind,
  jwk: z.looseObject({ kty: z.string() }).optional(),
  x5cRoot: z
    .object({
      subject: z.string(),
      sha256: z.string().describe('Of the certificate, in hexadecimal.'),
      validUntil: z.string(),
    })
    .optional(),
  leaf: z.object({ 'x5t#S256': z.string().optional(), subject: z.string().optional() }).optional(),
  principalDid: z.string().optional(),
  createdAt: z.string(),
});
export type MandateIssuer = z.infer<typeof MandateIssuer>;

/** A merchant's cart as a credential: of the data model 1.1, or of 2.0 with a proof of eddsa-jcs-2022. Both are hashed alike. */
import { z } from 'zod';
import { anyObject } from '../wire/json.ts';
import { checkIntegrity, VCDM_CONTEXT } from './dataIntegrity.ts';
import type { Suite } from './ed25519.ts';
import { type CredentialExpectation, checkCredential, isOfDataModel2, keyOfIssuer } from './vc.ts';

const Moment = z.iso.datetime({ offset: true });

export const CartDocument = z.looseObject({
  '@context': z
    .array(z.string().max(512))
    .max(16)
    .refine((contexts) => contexts[0] === VCDM_CONTEXT, `must begin with ${VCDM_CONTEXT}`),
  id: z.string().optional(),
  type: z.array(z.string()).refine((types) => types.includes('VerifiableCredential'), 'must name VerifiableCredential'),
  issuer: z
    .string()
    .max(512)
    .regex(/^did:(key|web):/, 'must be a did:key or did:web'),
  validFrom: Moment,
  validUntil: Moment.optional(),
  credentialSubject: anyObject(),
  proof: anyObject(),
});

type CartCheck =
  | {
      readonly ok: true;
      /** In canonical spelling. */
      readonly issuer: string;
      /** SHA-256 of its canonical form without the proof. */
      readonly documentHash: Uint8Array;
    }
  | { readonly ok: false; readonly reason: string };

/** How far the merchant's clock may run ahead. */
const SKEW_MS = 60_000;

/**
 * Checks who signed a cart. Whether its time is over is for its reader to say.
 * @returns the result, or one sentence naming the check that failed
 */
export function checkCart(
  suite: Suite,
  cart: Readonly<Record<string, unknown>>,
  options: Pick<CredentialExpectation, 'now' | 'resolveKey'>,
): CartCheck {
  if (!isOfDataModel2(cart)) return checkCredential(suite, cart, { ...options, type: 'CartMandate' });
  const parsed = CartDocument.safeParse(cart);
  if (!parsed.success) {
    const issue = parsed.error.issues[0];
    return fail(`The credential is malformed at "${issue?.path.join('.')}": ${issue?.message}.`);
  }
  const { type, validFrom, issuer: named } = parsed.data;
  if (!type.includes('CartMandate')) return fail('The credential is not of type CartMandate.');
  if (Date.parse(validFrom) > options.now + SKEW_MS) return fail("The credential's validFrom lies in the future.");
  const issuer = keyOfIssuer(named, options);
  if ('reason' in issuer) return fail(issuer.reason);
  // The proof covers the document as received, so that is what is checked.
  const check = checkIntegrity(suite, cart as typeof parsed.data, issuer.did, issuer.controller);
  return check.ok ? { ok: true, issuer: issuer.controller ?? issuer.did, documentHash: check.documentHash } : check;
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

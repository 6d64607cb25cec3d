/**
 * Payment receipts (AP2 v0.2, Payment Receipt): what became of a closed mandate, as a JWT that the node signs by ES256 and
 * anybody verifies with its key set.
 */
import { z } from 'zod';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url } from '../credential/encodings.ts';
import { type Es256Signer, signEs256Jwt } from '../credential/es256Jwt.ts';
import { algorithmOf, PublicJwk } from '../jwk/jwk.ts';
import { isSignedByJwk } from '../jwk/jwkSignature.ts';
import { Fault } from '../wire/fault.ts';
import { parseJson } from '../wire/json.ts';

const Common = {
  iss: z.string().min(1),
  /** Seconds since the epoch. */
  iat: z.int().min(0),
  /** SHA-256 of the closed mandate's JWT, as base64url. */
  reference: z.string().min(1),
  /** The same of the JWT with its disclosures, which other texts call the reference. */
  reference_sd_hash: z.string().min(1).optional(),
  payment_id: z.string().min(1),
};

export const ReceiptClaims = z.discriminatedUnion('status', [
  z.looseObject({
    status: z.literal('Success'),
    ...Common,
    psp_confirmation_id: z.string(),
    network_confirmation_id: z.string(),
  }),
  z.looseObject({ status: z.literal('Error'), ...Common, error: z.string(), error_description: z.string() }),
]);
export type ReceiptClaims = z.infer<typeof ReceiptClaims>;

const MAX_CHARACTERS = 8192;
const encoder = new TextEncoder();

export function signReceipt(signer: Es256Signer, claims: ReceiptClaims): string {
  return signEs256Jwt(signer, claims);
}

interface ReceiptExpectation {
  /** The keys of the node's `/.well-known/jwks.json`, or the one that is known. */
  readonly keys: readonly unknown[];
  /** The node's address. */
  readonly iss?: string | undefined;
  /** SHA-256 of the closed mandate's JWT, or of that with its disclosures. */
  readonly reference?: string | undefined;
}

type ReceiptCheck =
  | { readonly ok: true; readonly claims: ReceiptClaims }
  | { readonly ok: false; readonly reason: string };

/** Verifies a receipt. @returns what it states, or one sentence that names the check which failed */
export function verifyReceipt(
  suite: Suite,
  receipt: string,
  { keys, iss, reference }: ReceiptExpectation,
): ReceiptCheck {
  const read = readReceipt(receipt);
  if (read === undefined) return fail('It is no JWT of a receipt.');
  const { header, payload, content, signature } = read;
  if (header['alg'] !== 'ES256') return fail('It must be signed by ES256.');
  if (Object.hasOwn(header, 'crit')) return fail('Its header has crit, and no extension is understood here.');
  const kid = header['kid'];
  const usable = keys
    .flatMap((key) => PublicJwk.safeParse(key).data ?? [])
    .filter((key) => algorithmOf(key) === 'ES256' && (kid === undefined || key.kid === undefined || key.kid === kid));
  if (!usable.some((key) => isSignedByJwk(suite, key, encoder.encode(content), signature))) {
    return fail('Its signature is by none of the keys.');
  }
  const claims = ReceiptClaims.safeParse(payload);
  if (!claims.success) {
    const [issue] = claims.error.issues;
    return fail(`It is malformed at "${issue?.path.join('.')}": ${issue?.message}.`);
  }
  const { data } = claims;
  if (iss !== undefined && data.iss !== iss) return fail(`It was issued by ${data.iss}, not by ${iss}.`);
  if (reference !== undefined && data.reference !== reference && data.reference_sd_hash !== reference) {
    return fail('It is for another mandate.');
  }
  return { ok: true, claims: data };
}

function readReceipt(receipt: string) {
  const parts = receipt.length > MAX_CHARACTERS ? [] : receipt.split('.');
  const [head = '', body = '', end = ''] = parts;
  const header = objectIn(head);
  const payload = objectIn(body);
  const signature = fromBase64url(end);
  if (parts.length !== 3 || header === undefined || payload === undefined || signature === undefined) return undefined;
  return { header, payload, content: `${head}.${body}`, signature };
}

function objectIn(part: string): Readonly<Record<string, unknown>> | undefined {
  const bytes = fromBase64url(part);
  if (bytes === undefined) return undefined;
  try {
    const value = parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes), { maxBytes: MAX_CHARACTERS });
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, unknown>>)
      : undefined;
  } catch (error) {
    if (error instanceof Fault || error instanceof TypeError) return undefined;
    throw error;
  }
}

function fail(reason: string): ReceiptCheck {
  return { ok: false, reason };
}

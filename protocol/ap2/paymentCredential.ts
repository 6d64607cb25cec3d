/** Payment credentials: a chain of mandates is exchanged for an approval token. What is asked and answered. */
import { z } from 'zod';
import { ApprovalLink } from '../approval.ts';
import { PurchaseRefusal } from '../cart.ts';
import { Did } from '../credential/did.ts';
import { fromBase64url } from '../credential/encodings.ts';
import { IdempotencyKey } from '../intent.ts';
import { SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from '../jwk/jwk.ts';
import { PaymentStatus } from '../payment.ts';
import type { ReasonCode, ReasonDetails } from '../reason.ts';
import { claimsOfJwt, MandateMerchant } from '../sdjwt/mandateContent.ts';
import { CHAIN_BOUNDS, isObject, type JsonObject, jsonIn } from '../sdjwt/sdJwt.ts';
import type { Violation } from '../sdjwt/violation.ts';
import { algorithmName } from '../wire/algorithmName.ts';
import { anyObject } from '../wire/json.ts';
import { NotCompared } from '../wire/notCompared.ts';

/** Below it a JSON number has every minor unit exactly. */
const MOST_MINOR = 10 ** 15;

const Chain = z.string().min(1).max(CHAIN_BOUNDS.characters);
const Text = z.string().min(1).max(2000);

/** As the one who pays is given them: without the checkout that the agent closed. */
const PaidIntent = z.strictObject({
  l1: Chain.describe('Layer 1: the credential of the card issuer.'),
  l2: Chain.describe('Layer 2: what the person signed, as this node is given it.'),
  l3Payment: Chain.optional().describe(
    'Layer 3a: the payment that the agent closed; absent where the person closed layer 2.',
  ),
});

/** What is said of a chain of AP2 alone. */
const OF_AP2 = ['openCheckoutHash', 'checkoutMandate'] as const;

export const PaymentCredentialRequest = z
  .object({
    paymentMandate: Chain.optional().describe(
      'The chain of payment mandates of AP2: SD-JWTs joined by `~~`, ending with `~`. It, or verifiableIntent.',
    ),
    verifiableIntent: PaidIntent.optional().describe(
      'The layers of Verifiable Intent 0.1, in place of paymentMandate.',
    ),
    nonce: Text.describe('The nonce of the last mandate: that of a challenge, or one of the caller’s own.'),
    checkoutJwtHash: Text.optional().describe('The hash of the checkout JWT that is paid, in base64url.'),
    checkoutJwt: Chain.optional().describe(
      'The checkout JWT itself, of which the hash is computed. What is bought is shown as it says where a key of the merchant has signed it.',
    ),
    openCheckoutHash: Text.optional().describe('The `sd_hash` of the open checkout mandate.'),
    checkoutMandate: Chain.optional().describe('The chain of checkout mandates beside the payment.'),
    agentDid: Did,
    principalDid: Did.optional(),
    hpProof: anyObject().optional(),
    idempotencyKey: IdempotencyKey.optional(),
  })
  .refine(({ checkoutJwtHash, checkoutJwt }) => checkoutJwtHash !== undefined || checkoutJwt !== undefined, {
    path: ['checkoutJwtHash'],
    message: 'must be there, or checkoutJwt: a mandate does not say itself which checkout is meant',
  })
  .superRefine((asked, context) => {
    const say = (path: string, message: string) => context.addIssue({ code: 'custom', path: [path], message });
    const { paymentMandate, verifiableIntent } = asked;
    if (paymentMandate === undefined && verifiableIntent === undefined) {
      say('paymentMandate', 'must be there, or verifiableIntent: exactly one of the two, and neither is');
    }
    if (verifiableIntent === undefined) return;
    if (paymentMandate !== undefined) {
      say('verifiableIntent', 'must not be there beside paymentMandate: exactly one of the two, and both are');
    }
    for (const name of OF_AP2) {
      if (asked[name] !== undefined) say(name, 'is of a chain of AP2, and no member beside verifiableIntent');
    }
  });
export type PaymentCredentialRequest = z.infer<typeof PaymentCredentialRequest>;

export const PaymentCredentialResult = z.union([
  z.object({
    allowed: z.literal(true),
    approvalToken: z.string(),
    approvalTokenExpiresAt: z.string(),
    reference: z.string().describe('SHA-256 of the last mandate’s JWT, to which the receipt will refer.'),
    intentId: z.string(),
  }),
  PurchaseRefusal.extend({
    receipt: z.string().describe('A receipt of the error: a JWT that the node signed.'),
    approval: ApprovalLink.optional().describe('Where a person can approve it, when nothing else is in the way.'),
  }),
]);
export type PaymentCredentialResult = z.infer<typeof PaymentCredentialResult>;

export const RevokePaymentCredential = z.object({ approvalToken: z.string().min(1).max(200) });
export type RevokePaymentCredential = z.infer<typeof RevokePaymentCredential>;

export const RevokedPaymentCredential = z.object({ revoked: z.literal(true) });
export type RevokedPaymentCredential = z.infer<typeof RevokedPaymentCredential>;

export const VerifyReceipt = z.object({
  receipt: z.string().min(1).max(8192),
  reference: Text.optional().describe('The hash of the mandate that it must be for, in base64url.'),
});
export type VerifyReceipt = z.infer<typeof VerifyReceipt>;

export const ReceiptVerification = z.object({
  valid: z.boolean().describe('Whether this node issued it.'),
  reason: z.string().optional().describe('Why not, in a sentence.'),
  claims: anyObject().optional().describe('What it states.'),
  paymentStatus: PaymentStatus.optional().describe(
    'The state of the payment now: a receipt of success stays what it is where that was canceled, refunded or disputed since. Absent where no payment of the caller’s was made.',
  ),
  notCompared: NotCompared,
});
export type ReceiptVerification = z.infer<typeof ReceiptVerification>;

/** @returns a refusal's details: of each code the first sentence */
export function detailsOfViolations(violations: readonly Violation[]): ReasonDetails {
  const details: ReasonDetails = {};
  for (const { code, detail, hop } of violations) {
    details[code] ??= { message: hop === undefined ? detail : `Of mandate ${hop + 1}: ${detail}` };
  }
  return details;
}

/** The error of a receipt for the first code of a refusal (AP2 v0.2, Payment Receipt). */
export function receiptErrorOf(code: ReasonCode): string {
  if (code === 'MANDATE_INVALID') return 'invalid_credential';
  return code === 'CONSTRAINT_UNRESOLVED' ? 'unresolved_constraint' : 'invalid_mandate';
}

/** Whether an amount is one that can be paid. */
export function isPayable(amountMinor: number): boolean {
  return amountMinor > 0 && amountMinor < MOST_MINOR;
}

interface PaidItem {
  readonly name: string;
  /** In minor units, of one. */
  readonly minor: number;
  readonly quantity: number;
}

/** What a checkout JWT says, unverified, and what was signed of it. */
export interface CheckoutSays {
  readonly claims: JsonObject;
  readonly signed: {
    readonly algorithm: SignatureAlgorithm;
    readonly kid: string;
    readonly content: Uint8Array;
    readonly signature: Uint8Array;
  };
}

/** @returns undefined for a text that is no JWS in compact form by a known algorithm (RFC 7515) */
export function readCheckoutJwt(jwt: string): CheckoutSays | undefined {
  const [head = '', body = '', tail = '', ...more] = jwt.split('.');
  const [header, claims, signature] = [jsonIn(head), claimsOfJwt(jwt), fromBase64url(tail)];
  if (more.length > 0 || !isObject(header) || claims === undefined || signature === undefined) return undefined;
  const { alg, kid } = header;
  const algorithm = SIGNATURE_ALGORITHMS.find((each) => each === algorithmName(alg));
  if (algorithm === undefined || Object.hasOwn(header, 'crit')) return undefined;
  const content = new TextEncoder().encode(`${head}.${body}`);
  return { claims, signed: { algorithm, kid: typeof kid === 'string' ? kid : '', content, signature } };
}

/**
 * What is bought, as the merchant's checkout says it.
 * @param claims of a checkout JWT that the merchant has signed
 * @returns undefined where the checkout does not tell, or its lines do not come to the amount
 */
export function paidItems(
  claims: JsonObject | undefined,
  { amountMinor, currency }: { readonly amountMinor: number; readonly currency: string },
): PaidItem[] | undefined {
  const lines = claims === undefined ? undefined : linesOf(claims['line_items']);
  if (lines === undefined || lines.length === 0) return undefined;
  if (claims?.['currency'] !== undefined && claims['currency'] !== currency) return undefined;
  const sum = lines.reduce((total, { minor, quantity }) => total + minor * quantity, 0);
  return sum === amountMinor ? lines : undefined;
}

/** What a merchant calls itself in its checkout. */
export function shopNameIn(claims: JsonObject | undefined): string | undefined {
  const merchant = claims?.['merchant'];
  return MandateMerchant.safeParse(merchant).data?.name?.slice(0, 500);
}

const Line = z.looseObject({
  item: z.looseObject({
    id: z.string(),
    title: z.string().trim().min(1).max(500).optional(),
    price: z.int().min(0).max(MOST_MINOR),
  }),
  quantity: z.int().positive().max(1_000_000),
});

function linesOf(value: unknown): PaidItem[] | undefined {
  const read = z.array(Line).max(1000).safeParse(value);
  if (!read.success) return undefined;
  return read.data.map(({ item, quantity }) => ({
    name: (item.title ?? item.id).slice(0, 500),
    minor: item.price,
    quantity,
  }));
}

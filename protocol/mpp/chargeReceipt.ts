/**
 * What a server says after a payment by a shared payment token: the receipt (MPP: draft-httpauth-payment-00, section 5.3) and the
 * problem body (section 8). Neither is signed.
 */
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { encodedObject, type PaymentChallenge } from './challengeList.ts';
import type { StripeCharge } from './stripeCharge.ts';

interface ChargeReceipt {
  /** Stripe’s payment intent, `pi_…`. */
  readonly reference: string;
  readonly externalId: string | undefined;
  /** The challenge that was answered; MCP names it. */
  readonly challengeId: string | undefined;
  /** As received, with every member. */
  readonly document: JsonObject;
}

/**
 * @param received the value of Payment-Receipt, or the object of MCP (`org.paymentauth/receipt`)
 * @returns the receipt, or why it is none, as the end of a sentence that begins with the receipt
 */
export function readReceipt(
  received: string | object,
): { readonly receipt: ChargeReceipt } | { readonly refused: string } {
  const document = typeof received === 'string' ? encodedObject(received.trim()) : received;
  if (!isObject(document)) return { refused: 'is no JSON object in base64url' };
  const { method, status, reference, externalId, challengeId } = document;
  if (method !== 'stripe') return { refused: 'is of another method than stripe' };
  if (status !== 'success') return { refused: 'does not say success' };
  if (typeof reference !== 'string' || !/^pi_\w{1,250}$/.test(reference)) {
    return { refused: 'names no payment intent of Stripe (pi_…)' };
  }
  if (!isTextOrAbsent(externalId)) return { refused: 'has an externalId that is no text' };
  if (!isTextOrAbsent(challengeId)) return { refused: 'has a challengeId that is no text' };
  return { receipt: { reference, externalId, challengeId, document } };
}

function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === 'string';
}

/** @returns why a receipt is of another charge, as the end of a sentence that begins with the receipt; undefined where it is of this one */
export function receiptMismatch(
  { externalId, challengeId }: Pick<ChargeReceipt, 'externalId' | 'challengeId'>,
  charge: Pick<StripeCharge, 'externalId'> & { readonly challenge: Pick<PaymentChallenge, 'id'> },
): string | undefined {
  if (charge.externalId !== externalId) return 'names another externalId than was asked for';
  if (challengeId !== undefined && challengeId !== charge.challenge.id) return 'names another challenge';
  return undefined;
}

interface PaymentProblem {
  /** `verification-failed`; undefined for a problem that is not of MPP. */
  readonly name: string | undefined;
  readonly title: string | undefined;
  readonly detail: string | undefined;
  readonly challengeId: string | undefined;
}

/** Those of the draft, and those that mppx writes. */
const PROBLEM = /^https:\/\/(?:ietf\.org\/payment|paymentauth\.org)\/problems\/([a-z][a-z-]{0,60})$/;

/**
 * The body of an answer that refuses a payment (application/problem+json, RFC 9457). It is no proof that no money moved.
 * @param body as parsed JSON
 * @returns undefined where it is no such object
 */
export function readProblem(body: unknown): PaymentProblem | undefined {
  if (!isObject(body) || typeof body['type'] !== 'string') return undefined;
  const text = (name: string) => (typeof body[name] === 'string' ? body[name].slice(0, 500) : undefined);
  return {
    name: PROBLEM.exec(body['type'])?.[1],
    title: text('title'),
    detail: text('detail'),
    challengeId: text('challengeId'),
  };
}

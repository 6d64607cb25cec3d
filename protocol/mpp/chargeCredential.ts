/** The answer to a challenge: the credential of the Payment scheme (MPP: draft-httpauth-payment-00, section 5.2). */
import { canonical } from '../credential/canonical.ts';
import { toBase64url } from '../credential/encodings.ts';
import { isObject, type JsonObject } from '../sdjwt/sdJwt.ts';
import { compact } from '../wire/compact.ts';
import { encodedObject, type PaymentChallenge } from './challengeList.ts';
import type { StripeCharge } from './stripeCharge.ts';

interface ChargeCredential {
  /** As an object, for MCP: the challenge in the form in which it was received. */
  readonly credential: { readonly challenge: JsonObject; readonly payload: JsonObject };
  /** For HTTP: `Authorization: Payment eyJ…`. */
  readonly header: { readonly name: string; readonly value: string };
}

/**
 * What pays a charge by a token (draft-stripe-charge-00, Credential Schema). A server refuses an externalId other than its own.
 * @param spt the token, `spt_…`
 */
export function chargePayload({ externalId }: Pick<StripeCharge, 'externalId'>, spt: string): JsonObject {
  return compact({ spt, externalId });
}

/** @param payload what pays it, as the method says */
export function credentialOf(
  { received, headerName }: Pick<PaymentChallenge, 'headerName' | 'received'>,
  payload: JsonObject,
): ChargeCredential {
  const text = JSON.stringify({ challenge: headerForm(received), payload });
  return {
    credential: { challenge: received, payload },
    header: { name: headerName, value: `Payment ${toBase64url(utf8.encode(text))}` },
  };
}

/** In a header `request` and `opaque` are texts. One that was received as an object is written as mppx writes it. */
function headerForm(received: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(received).map(([name, value]) => [
      name,
      ['request', 'opaque'].includes(name) && isObject(value) ? toBase64url(utf8.encode(canonical(value))) : value,
    ]),
  );
}

/**
 * A credential as a server reads it: which challenge it answers, and by what.
 * @param value of the header, `Payment eyJ…`
 * @returns undefined where it is none
 */
export function readCredential(value: string): ChargeCredential['credential'] | undefined {
  const [, text] = /^Payment[ \t]+([A-Za-z0-9_-]+={0,2})$/i.exec(value) ?? [];
  const { challenge, payload } = (text === undefined ? undefined : encodedObject(text)) ?? {};
  const isWhole = isObject(challenge) && typeof challenge['id'] === 'string' && challenge['id'] !== '';
  return isWhole && isObject(payload) ? { challenge, payload } : undefined;
}

const utf8 = new TextEncoder();

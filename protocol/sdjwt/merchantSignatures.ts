/**
 * What a merchant signed in a checkout: the checkout JWT, and in it `ap2.merchant_authorization`, a detached JWS over the
 * canonical checkout without `ap2` (dev.ucp.shopping.ap2_mandate). Both are checked where the merchant's key is given.
 */

import { canonical } from '../credential/canonical.ts';
import { fromBase64url, toBase64url } from '../credential/encodings.ts';
import { algorithmOf, isDeterministic, type PublicJwk } from '../jwk/jwk.ts';
import { algorithmName } from '../wire/algorithmName.ts';
import type { SignatureCheck } from './hop.ts';
import { claimsOfJwt } from './mandateContent.ts';
import { isObject, type JsonObject, jsonIn } from './sdJwt.ts';
import type { UcpError, Violation } from './violation.ts';

/** What a business signed, taken apart: a detached JWS (RFC 7515 appendix F) with the payload that it leaves out put in. */
export interface MerchantAuthorization {
  readonly alg: string;
  readonly kid: string;
  /** What was signed, and the signature over it. */
  readonly content: Uint8Array;
  readonly signature: Uint8Array;
}

/** Why a checkout is not what its business signed, and how UCP calls that. */
export interface AuthorizationFault {
  readonly fault: string;
  readonly ucp: 'merchant_authorization_missing' | 'merchant_authorization_invalid';
}

/**
 * The authorization of a checkout, unverified.
 * @param checkout as received, with members that are not known here: all but `ap2` are signed
 */
export function readMerchantAuthorization(checkout: JsonObject): MerchantAuthorization | AuthorizationFault {
  const { ap2, ...signed } = checkout;
  const text = isObject(ap2) ? ap2['merchant_authorization'] : undefined;
  if (typeof text !== 'string') {
    return { fault: 'The checkout has no ap2.merchant_authorization.', ucp: 'merchant_authorization_missing' };
  }
  const invalid = (fault: string) => ({ fault, ucp: 'merchant_authorization_invalid' }) as const;
  const [head = '', payload, tail = '', ...more] = text.length > MOST_AUTHORIZATION ? [] : text.split('.');
  const header = jsonIn(head);
  const signature = fromBase64url(tail);
  if (payload !== '' || more.length > 0 || signature === undefined || !isObject(header)) {
    return invalid('Its ap2.merchant_authorization is no detached JWS, header..signature.');
  }
  const { alg, kid } = header;
  if (['crit', 'b64'].some((name) => Object.hasOwn(header, name))) {
    return invalid('The header of its ap2.merchant_authorization has crit or b64, and neither is understood here.');
  }
  if (typeof alg !== 'string' || typeof kid !== 'string' || kid === '') {
    return invalid('The header of its ap2.merchant_authorization lacks alg or kid.');
  }
  const content = utf8.encode(`${head}.${toBase64url(utf8.encode(canonical(signed)))}`);
  return { alg: algorithmName(alg), kid, content, signature };
}

interface CheckoutSigners {
  readonly merchantKey?: PublicJwk | undefined;
  /** The key that signed the first mandate: a platform, which is given no JWT by a business of UCP, makes one itself. */
  readonly platformKey?: PublicJwk | undefined;
  readonly isSigned: SignatureCheck;
}

/** @param jwt a checkout JWT */
export function merchantViolations(
  jwt: string,
  { merchantKey: key, platformKey, isSigned }: CheckoutSigners,
): readonly Violation[] {
  if (key === undefined) return [];
  const checkout = claimsOfJwt(jwt) ?? {};
  const isMerchants = isJws(jwt, key, isSigned);
  const isPlatforms = platformKey !== undefined && isJws(jwt, platformKey, isSigned);
  if (!isMerchants && !isPlatforms) {
    return [violation('The checkout_jwt is not signed by the merchant’s key.', 'merchant_authorization_invalid')];
  }
  if (isMerchants && isDeterministic(algorithmOf(key)) && !isUnpredictable(checkout)) {
    return [
      violation(
        'The checkout_jwt can be guessed: signed so, it needs an id of 16 characters.',
        'merchant_authorization_invalid',
      ),
    ];
  }
  const read = readMerchantAuthorization(checkout);
  if ('fault' in read) return [violation(read.fault, read.ucp)];
  const { alg, content, signature } = read;
  return alg === algorithmOf(key) && isSigned(key, content, signature)
    ? []
    : [violation('The checkout is not what ap2.merchant_authorization signs.', 'merchant_authorization_invalid')];
}

/** Whether a checkout cannot be guessed, which a signature that is the same each time does not see to. */
export function isUnpredictable(claims: JsonObject = {}): boolean {
  return ['jti', 'id'].some((name) => String(claims[name] ?? '').length >= 16);
}

/** Whether a text is a JWS in compact form by a key (RFC 7515 section 5.2), of the algorithm of that key. */
function isJws(text: string, key: PublicJwk, isSigned: SignatureCheck): boolean {
  const [head = '', body = '', tail = '', ...more] = text.split('.');
  const header = jsonIn(head);
  const signature = fromBase64url(tail);
  if (more.length > 0 || signature === undefined || !isObject(header)) return false;
  if (algorithmName(header['alg']) !== algorithmOf(key) || Object.hasOwn(header, 'crit')) return false;
  return isSigned(key, utf8.encode(`${head}.${body}`), signature);
}

function violation(detail: string, ucp: UcpError): Violation {
  return { code: 'MERCHANT_UNVERIFIED', detail, clause: 'UCP, AP2 Mandates extension: merchant_authorization', ucp };
}

/** Characters of a header and of a signature by any key. */
const MOST_AUTHORIZATION = 4096;

const utf8 = new TextEncoder();

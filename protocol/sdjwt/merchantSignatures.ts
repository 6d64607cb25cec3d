/**
 * What a merchant signed in a checkout: the checkout JWT, and in it `ap2.merchant_authorization`, a detached JWS over the
 * canonical checkout without `ap2` (dev.ucp.shopping.ap2_mandate). Both are checked where the merchant's key is given.
 */
import { algorithmOf, type PublicJwk } from '../ap2/jwk.ts';
import { canonical } from '../credential/canonical.ts';
import { fromBase64url, toBase64url } from '../credential/encodings.ts';
import type { SignatureCheck } from './hop.ts';
import { claimsOfJwt } from './mandateContent.ts';
import { isObject, type JsonObject, jsonIn } from './sdJwt.ts';
import type { UcpError, Violation } from './violation.ts';

/** @param jwt a checkout JWT */
export function merchantViolations(
  jwt: string,
  { merchantKey: key, isSigned }: { readonly merchantKey?: PublicJwk | undefined; readonly isSigned: SignatureCheck },
): readonly Violation[] {
  if (key === undefined) return [];
  if (!isJws(jwt, key, isSigned)) {
    return [violation('The checkout_jwt is not signed by the merchant’s key.', 'merchant_authorization_invalid')];
  }
  if (algorithmOf(key) !== 'ES256' && !isUnpredictable(claimsOfJwt(jwt))) {
    return [
      violation(
        'The checkout_jwt can be guessed: signed so, it needs an id of 16 characters.',
        'merchant_authorization_invalid',
      ),
    ];
  }
  const { ap2, ...checkout } = claimsOfJwt(jwt) ?? {};
  const authorization = isObject(ap2) ? ap2['merchant_authorization'] : undefined;
  if (typeof authorization !== 'string') {
    return [violation('The checkout has no ap2.merchant_authorization.', 'merchant_authorization_missing')];
  }
  const [head = '', payload, tail = '', ...more] = authorization.split('.');
  const content = toBase64url(utf8.encode(canonical(checkout)));
  const holds = payload === '' && more.length === 0 && isJws(`${head}.${content}.${tail}`, key, isSigned);
  return holds
    ? []
    : [violation('The checkout is not what ap2.merchant_authorization signs.', 'merchant_authorization_invalid')];
}

/** Of other algorithms a signature is the same each time, so that a guess at a checkout gives its hash. */
function isUnpredictable(claims: JsonObject = {}): boolean {
  return ['jti', 'id'].some((name) => String(claims[name] ?? '').length >= 16);
}

/** Whether a text is a JWS in compact form by a key (RFC 7515 section 5.2), of the algorithm of that key. */
function isJws(text: string, key: PublicJwk, isSigned: SignatureCheck): boolean {
  const [head = '', body = '', tail = '', ...more] = text.split('.');
  const header = jsonIn(head);
  const signature = fromBase64url(tail);
  if (more.length > 0 || signature === undefined || !isObject(header)) return false;
  if (header['alg'] !== algorithmOf(key) || Object.hasOwn(header, 'crit')) return false;
  return isSigned(key, utf8.encode(`${head}.${body}`), signature);
}

function violation(detail: string, ucp: UcpError): Violation {
  return { code: 'MERCHANT_UNVERIFIED', detail, clause: 'UCP, AP2 Mandates extension: merchant_authorization', ucp };
}

const utf8 = new TextEncoder();

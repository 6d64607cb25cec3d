/** The JWT by which a business signed a whole checkout (AP2 v0.2, Checkout Mandate: checkout_jwt). */

import { canonical } from '../credential/canonical.ts';
import { fromBase64url } from '../credential/encodings.ts';
import { algorithmOf, type PublicJwk } from '../jwk/jwk.ts';
import type { SignatureCheck } from '../sdjwt/hop.ts';
import { isObject, jsonIn } from '../sdjwt/sdJwt.ts';
import { algorithmName } from '../wire/algorithmName.ts';
import type { CheckoutDocument } from './checkout.ts';

/** Whether a JWT is by a key, and says what a checkout says, with every member. */
export function isBusinessJwt(
  jwt: string,
  checkout: CheckoutDocument,
  key: PublicJwk,
  isSigned: SignatureCheck,
): boolean {
  const [head = '', body = '', tail = '', ...more] = jwt.split('.');
  const header = jsonIn(head);
  const claims = jsonIn(body);
  const signature = fromBase64url(tail);
  if (more.length > 0 || signature === undefined || !isObject(header) || !isObject(claims)) return false;
  if (algorithmName(header['alg']) !== algorithmOf(key) || Object.hasOwn(header, 'crit')) return false;
  return (
    canonical(claims) === canonical(checkout) && isSigned(key, new TextEncoder().encode(`${head}.${body}`), signature)
  );
}

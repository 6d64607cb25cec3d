/**
 * Receipts that a merchant signs (x402 extension `offer-receipt`), in their JWS form. A receipt names neither sum nor payee: it says
 * that the resource was delivered to this payer. What was paid for it stands in the signed offer, and in the transfer.
 */
import { fromBase64url } from '../credential/encodings.ts';
import { algorithmOf, type PublicJwk } from '../jwk/jwk.ts';
import { isObject, type JsonObject, jsonIn } from '../sdjwt/sdJwt.ts';
import { algorithmName } from '../wire/algorithmName.ts';

const NAME = 'offer-receipt';
const MOST_OFFERS = 20;

/** The offers that a merchant signed, as they stand in the extensions of PAYMENT-REQUIRED. */
export function signedOffers(extensions: JsonObject): readonly unknown[] {
  const offers = infoOf(extensions)['offers'];
  return Array.isArray(offers) ? offers.slice(0, MOST_OFFERS) : [];
}

/** The receipt that a merchant signed, as it stands in the extensions of PAYMENT-RESPONSE; undefined where there is none. */
export function signedReceipt(extensions: JsonObject): unknown {
  return infoOf(extensions)['receipt'];
}

function infoOf(extensions: JsonObject): JsonObject {
  const extension = extensions[NAME];
  return isObject(extension) && isObject(extension['info']) ? extension['info'] : {};
}

/** What was paid, and where. */
export interface ReceiptExpectation {
  /** CAIP-2. */
  readonly network: string;
  /** Addresses in lower case. */
  readonly asset: string;
  readonly payTo: string;
  readonly payer: string;
  /** Digits, in the token’s smallest unit. */
  readonly amount: string;
  /** That was really asked for. */
  readonly url: string;
  /** When the transfer was signed, and until when its receipt can have been made: seconds since the epoch. */
  readonly from: number;
  readonly until: number;
}

/** How signatures are checked. */
interface MerchantKeys {
  /**
   * The key by its `kid`, from a source other than the receipt (a DID document of the merchant’s domain, the registry): a key in the
   * receipt proves nothing about the merchant. Undefined where the merchant has no such key.
   */
  keyOf(kid: string): PublicJwk | undefined;
  isSigned(key: PublicJwk, content: Uint8Array, signature: Uint8Array): boolean;
}

interface MerchantReceipt {
  readonly kid: string;
  /** The payloads as signed. */
  readonly offer: JsonObject;
  readonly receipt: JsonObject;
}

/**
 * Whether a merchant has signed what was offered and that it was delivered.
 * @param offers see signedOffers
 * @param receipt see signedReceipt
 * @returns the receipt, or why it proves nothing, as one sentence
 */
export function judgeReceipt(
  offers: readonly unknown[],
  receipt: unknown,
  expected: ReceiptExpectation,
  keys: MerchantKeys,
): { readonly receipt: MerchantReceipt } | { readonly unproven: string } {
  const signed = readSigned(receipt, keys);
  if (typeof signed === 'string') return { unproven: `The receipt ${signed}.` };
  const offer = offers.map((each) => readSigned(each, keys)).find((each) => isOffer(each, expected));
  if (offer === undefined) return { unproven: 'No signed offer is of what was paid.' };
  const mismatch = receiptMismatch(signed.payload, offer.payload, expected);
  if (mismatch !== undefined) return { unproven: `The receipt ${mismatch}.` };
  return { receipt: { kid: signed.kid, offer: offer.payload, receipt: signed.payload } };
}

interface SignedPayload {
  readonly kid: string;
  readonly payload: JsonObject;
}

/** A signed object of the extension (sections 3 and 4.5): @returns what it says, or why it is not signed by the merchant */
function readSigned(value: unknown, keys: MerchantKeys): SignedPayload | string {
  if (!isObject(value) || value['format'] !== 'jws') return 'is not in JWS form';
  const text = value['signature'];
  if (typeof text !== 'string' || text.length > 8192) return 'is no JWS';
  const [head = '', body = '', tail = '', ...more] = text.split('.');
  const [header, payload, signature] = [jsonIn(head), jsonIn(body), fromBase64url(tail)];
  if (more.length > 0 || !isObject(header) || !isObject(payload) || signature === undefined) return 'is no JWS';
  if (['crit', 'b64'].some((name) => Object.hasOwn(header, name))) return 'has a header that is not understood here';
  const { alg, kid, jwk } = header;
  if (typeof kid !== 'string' || kid === '') return 'names no key';
  const key = keys.keyOf(kid);
  if (key === undefined) return 'is signed by a key that is not known to be the merchant’s';
  if (algorithmName(alg) !== algorithmOf(key)) return 'is signed by another algorithm than its key’s';
  if (jwk !== undefined && !isSameKey(jwk, key)) return 'carries another key than the merchant’s';
  const content = new TextEncoder().encode(`${head}.${body}`);
  if (!keys.isSigned(key, content, signature)) return 'is not signed by the merchant';
  return payload['version'] === 1 ? { kid, payload } : 'is of a version that is not known';
}

/** Whether a JWK has the members that make the key what it is. */
function isSameKey(jwk: unknown, key: PublicJwk): boolean {
  const { kty, crv, x, y, n, e } = (isObject(jwk) ? jwk : {}) as JsonObject;
  if (key.kty === 'RSA') return kty === 'RSA' && n === key.n && e === key.e;
  return kty === key.kty && crv === key.crv && x === key.x && (key.kty === 'OKP' || y === key.y);
}

function isOffer(signed: SignedPayload | string, expected: ReceiptExpectation): signed is SignedPayload {
  if (typeof signed === 'string') return false;
  const { scheme, network, asset, payTo, amount } = signed.payload;
  const isPaid = isAddress(asset, expected.asset) && isAddress(payTo, expected.payTo) && amount === expected.amount;
  return scheme === 'exact' && network === expected.network && isPaid;
}

function isAddress(value: unknown, address: string): boolean {
  return typeof value === 'string' && value.toLowerCase() === address;
}

/** The shop may call its resource otherwise than it was asked for, and then its offer does the same. */
function receiptMismatch(receipt: JsonObject, offer: JsonObject, expected: ReceiptExpectation): string | undefined {
  const { network, payer, resourceUrl, issuedAt } = receipt;
  if (network !== expected.network) return 'is of another chain';
  if (!isAddress(payer, expected.payer)) return 'is of another payer';
  if (typeof resourceUrl !== 'string' || ![expected.url, offer['resourceUrl']].includes(resourceUrl)) {
    return 'is of another resource';
  }
  if (typeof issuedAt !== 'number' || issuedAt < expected.from || issuedAt > expected.until)
    return 'is of another time';
  return undefined;
}

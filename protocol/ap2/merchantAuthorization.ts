/**
 * The JWT by which a merchant signs the contents of an AP2 cart: what it says, and whether that fits the cart. Its signature
 * is verified elsewhere, with a key of the domain that it names.
 */
import { z } from 'zod';
import { canonical } from '../credential/canonical.ts';
import type { Signer, Suite } from '../credential/ed25519.ts';
import { fromBase64url, toBase64url, toHex } from '../credential/encodings.ts';
import { type PublicJwk, SIGNATURE_ALGORITHMS, type SignatureAlgorithm } from '../jwk/jwk.ts';
import { domainIn } from '../shopping.ts';
import { algorithmName } from '../wire/algorithmName.ts';
import { Fault } from '../wire/fault.ts';
import { parseJson } from '../wire/json.ts';

/** How far the clocks of merchant and node may differ. */
const LEEWAY_MS = 300_000;
/** The last moment that a time of ECMAScript can be. */
const LAST_SECOND = 8.64e12;
const MAX_LENGTH = 16_384;
/** By what role AP2 addresses a node, where the merchant does not know which one it is. */
const ROLES = ['payment-processor', 'credentials-provider'];

const Header = z.looseObject({
  alg: z.string().overwrite(algorithmName),
  kid: z.string().min(1).max(512),
  crit: z.never().optional(),
});
const Seconds = z.number().min(0).max(LAST_SECOND);
const Claims = z.looseObject({
  iss: z.string().min(1).max(2000),
  aud: z.union([z.string(), z.array(z.string())]),
  exp: Seconds,
  iat: Seconds,
  nbf: Seconds.optional(),
  jti: z.string().min(1).max(1000),
  cart_hash: z.string(),
});

export interface Authorization {
  readonly algorithm: SignatureAlgorithm;
  readonly kid: string;
  readonly claims: z.infer<typeof Claims>;
  /** The domain of the issuer. */
  readonly merchant: string;
  /** What was signed, and the signature over it. */
  readonly content: string;
  readonly signature: Uint8Array;
}

/** @returns a sentence where the text is no such JWT */
export function readAuthorization(jwt: string | null | undefined): Authorization | { readonly fault: string } {
  if (jwt === undefined || jwt === null) return { fault: 'the cart has no merchant_authorization' };
  const parts = jwt.length > MAX_LENGTH ? [] : jwt.split('.');
  const signature = fromBase64url(parts[2] ?? '');
  const header = Header.safeParse(jsonIn(parts[0]));
  const claims = Claims.safeParse(jsonIn(parts[1]));
  if (parts.length !== 3 || signature === undefined) return { fault: 'merchant_authorization is not a signed JWT' };
  if (!header.success) return { fault: `its header is malformed at "${placeOf(header.error)}"` };
  if (!claims.success) return { fault: `its claims are malformed at "${placeOf(claims.error)}"` };
  const algorithm = SIGNATURE_ALGORITHMS.find((each) => each === header.data.alg);
  if (algorithm === undefined) return { fault: 'it must be signed by ES256, ES384, ES512, EdDSA or RS256' };
  const merchant = domainOfIssuer(claims.data.iss);
  if (merchant === undefined) return { fault: 'its iss is no domain, https address or did:web of a domain' };
  const content = `${parts[0]}.${parts[1]}`;
  return { algorithm, kid: header.data.kid, claims: claims.data, merchant, content, signature };
}

/** When a JWT ends, in milliseconds since the epoch, with what clocks may differ by; undefined where it does not say. */
export function endOfAuthorization(jwt: string | null | undefined): number | undefined {
  const read = readAuthorization(jwt);
  return 'fault' in read ? undefined : Math.floor(read.claims.exp * 1000) + LEEWAY_MS;
}

/**
 * What is wrong with an authorization, independent of its signer. That it has expired is judged with the cart's own end.
 * @param now milliseconds since the epoch
 */
export function authorizationFault(
  suite: Suite,
  signed: Authorization,
  expected: { readonly contents: unknown; readonly baseUrl: string; readonly now: number },
): string | undefined {
  const { baseUrl, contents, now } = expected;
  const { claims } = signed;
  const audience = [claims.aud].flat();
  if (![...ROLES, baseUrl, `${baseUrl}/`].some((each) => audience.includes(each))) {
    return `its aud names neither ${baseUrl} nor ${ROLES.join(' or ')}`;
  }
  const from = Math.max(claims.iat, claims.nbf ?? 0) * 1000;
  if (from > now + LEEWAY_MS) return 'it was issued in the future';
  return contentsFault(suite, signed, contents);
}

/** @param contents as received: their hash, as base64url or hexadecimal, is what was signed */
export function contentsFault(suite: Suite, { claims }: Authorization, contents: unknown): string | undefined {
  const hash = suite.sha256(canonical(contents));
  const isHash =
    claims.cart_hash.replace(/=$/, '') === toBase64url(hash) || claims.cart_hash.toLowerCase() === toHex(hash);
  return isHash ? undefined : 'its cart_hash is not that of the contents';
}

/** Whether the signature is by an Ed25519 key, by the strict rule that every reader of the evidence has. */
export function isSignedByEd25519(suite: Suite, signed: Authorization, jwk: PublicJwk): boolean {
  const key = jwk.kty === 'OKP' ? fromBase64url(jwk.x) : undefined;
  return key !== undefined && suite.verify(key, utf8.encode(signed.content), signed.signature);
}

/** Signs the contents of a cart as a merchant with an Ed25519 key would. */
export function authorizeCart(
  suite: Suite,
  signer: Signer,
  contents: object,
  more: { readonly kid: string } & Readonly<Record<'iss' | 'aud' | 'jti', string>> &
    Readonly<Record<'iat' | 'exp', number>>,
): string {
  const { kid, ...claims } = more;
  const hash = toBase64url(suite.sha256(canonical(contents)));
  const content = [
    { alg: 'EdDSA', typ: 'JWT', kid },
    { ...claims, sub: claims.iss, cart_hash: hash },
  ]
    .map((part) => toBase64url(utf8.encode(JSON.stringify(part))))
    .join('.');
  return `${content}.${toBase64url(signer.sign(utf8.encode(content)))}`;
}

const utf8 = new TextEncoder();
const DID_WEB = 'did:web:';

/** A port or a path would name something else than the domain whose keys are looked for. */
function domainOfIssuer(iss: string): string | undefined {
  if (iss.startsWith(DID_WEB)) return domainIn(iss.slice(DID_WEB.length));
  if (!iss.startsWith('https://')) return domainIn(iss);
  if (!URL.canParse(iss)) return undefined;
  const { hostname, port, username, password } = new URL(iss);
  return port === '' && username === '' && password === '' ? domainIn(hostname) : undefined;
}

function jsonIn(part: string | undefined): unknown {
  const bytes = fromBase64url(part ?? '');
  if (bytes === undefined) return undefined;
  try {
    return parseJson(new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes));
  } catch (error) {
    if (error instanceof Fault || error instanceof TypeError) return undefined;
    throw error;
  }
}

function placeOf({ issues }: z.ZodError): string {
  return (issues[0]?.path ?? []).join('.');
}

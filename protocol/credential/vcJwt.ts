/** Documents secured as a JWS (W3C VC-JOSE-COSE section 3.1): libraries for JSON Web Tokens verify signature and dates. */
import { z } from 'zod';
import { ED25519_NAMES } from '../wire/algorithmName.ts';
import { Fault } from '../wire/fault.ts';
import { decodeUtf8, parseJson } from '../wire/json.ts';
import { canonicalDid, keyId, keyOfDid } from './did.ts';
import { SIGNATURE_BYTES, type Signer, type Suite } from './ed25519.ts';
import { fromBase64url, toBase64url } from './encodings.ts';

const Header = z.strictObject({
  alg: z.enum(ED25519_NAMES),
  kid: z.string().max(512),
  typ: z.literal('vc+jwt'),
  cty: z.literal('vc').optional(),
});

/** The claims of RFC 7519 that repeat members of the document. */
const Claims = z.looseObject({
  iss: z.string(),
  sub: z.string().optional(),
  jti: z.string(),
  nbf: z.int(),
  exp: z.int().optional(),
});

const utf8 = new TextEncoder();
/** A token of a mandate has about 1,500 characters. */
const MOST_CHARACTERS = 65_536;

/** What a token states of a document in claims of its own. */
interface DatedDocument {
  readonly id: string;
  readonly issuer: string;
  readonly validFrom: string;
  readonly validUntil?: string | undefined;
}

/** @param signer of `document.issuer` @param subjectDid whom it is about, where it is about a DID */
export function secureAsJwt(signer: Signer, document: DatedDocument, subjectDid: string | undefined): string {
  const header = { alg: 'EdDSA', kid: keyId(signer.did), typ: 'vc+jwt', cty: 'vc' };
  const claims = {
    iss: document.issuer,
    ...(subjectDid === undefined ? {} : { sub: subjectDid }),
    jti: document.id,
    nbf: seconds(document.validFrom),
    ...(document.validUntil === undefined ? {} : { exp: seconds(document.validUntil) }),
    ...document,
  };
  const input = `${encoded(header)}.${encoded(claims)}`;
  return `${input}.${toBase64url(signer.sign(utf8.encode(input)))}`;
}

type JwtCheck =
  /** The document without the claims that repeat it. */
  | { readonly ok: true; readonly document: Record<string, unknown>; readonly issuer: string }
  | { readonly ok: false; readonly reason: string };

/**
 * Checks the signature of a token, and that its claims say what its document says. Dates are the caller's to judge.
 * @returns the document, or one sentence naming the check that failed
 */
export function checkJwt(suite: Suite, token: string): JwtCheck {
  try {
    const [head = '', body = '', tail = '', ...more] = token.length > MOST_CHARACTERS ? [] : token.split('.');
    if (tail === '' || more.length > 0) return fail('The token is malformed: one has three parts.');
    const header = Header.safeParse(decoded(head));
    if (!header.success) return fail('The header must be {"alg":"EdDSA","kid":…,"typ":"vc+jwt","cty":"vc"}.');
    const claims = Claims.safeParse(decoded(body));
    if (!claims.success) return fail(`The token is malformed at "${claims.error.issues[0]?.path.join('.')}".`);
    const issuer = canonicalDid(claims.data.iss);
    if (header.data.kid !== keyId(issuer)) return fail(`The token is not by the key of ${issuer}.`);
    const signature = fromBase64url(tail);
    const isSigned =
      signature?.length === SIGNATURE_BYTES &&
      suite.verify(keyOfDid(issuer), utf8.encode(`${head}.${body}`), signature);
    if (!isSigned) return fail('The signature does not match the token.');
    return repeats(claims.data, issuer);
  } catch (error) {
    if (error instanceof Fault) return fail(error.message);
    throw error;
  }
}

/** A reader of the claims and one of the document must read the same. */
function repeats(claims: z.infer<typeof Claims>, issuer: string): JwtCheck {
  const { iss, sub, jti, nbf, exp, ...document } = claims;
  const { validFrom, validUntil, credentialSubject } = document;
  const agent = (credentialSubject as { readonly agentDid?: unknown } | undefined)?.agentDid;
  const same =
    iss === document['issuer'] &&
    jti === document['id'] &&
    nbf === seconds(String(validFrom)) &&
    exp === (validUntil === undefined ? undefined : seconds(String(validUntil))) &&
    (sub === undefined || sub === agent);
  return same ? { ok: true, document, issuer } : fail('The claims of the token do not say what its document says.');
}

function seconds(moment: string): number {
  return Math.floor(Date.parse(moment) / 1000);
}

function encoded(value: object): string {
  return toBase64url(utf8.encode(JSON.stringify(value)));
}

/** @throws Fault for what is no JSON object in base64url */
function decoded(part: string): unknown {
  const bytes = fromBase64url(part);
  if (bytes === undefined) throw new Fault('BAD_REQUEST', 'A part of the token is not base64url.');
  return parseJson(decodeUtf8(bytes));
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/**
 * X-DID-Proof: a compact JWS (RFC 7515) by which an agent vouches for one HTTP request: its method, address, body
 * and time. Verification here is pure; that a proof is used only once is ensured in the store.
 */
import { z } from 'zod';
import { Did, keyId, keyOfDid } from '../../protocol/credential/did.ts';
import type { Suite } from '../../protocol/credential/ed25519.ts';
import { fromBase64url } from '../../protocol/credential/encodings.ts';
import { ED25519_NAMES } from '../../protocol/wire/algorithmName.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { parseJson } from '../../protocol/wire/json.ts';
import { MESSAGE_AGE_SECONDS, MESSAGE_AHEAD_SECONDS } from '../../protocol/wire/time.ts';

const Header = z.strictObject({ typ: z.literal('did-proof+jwt'), alg: z.enum(ED25519_NAMES), kid: z.string() });
const Claims = z.strictObject({
  iss: Did,
  aud: z.string(),
  htm: z.string(),
  htu: z.string(),
  iat: z.int(),
  jti: z.string().min(1).max(255),
  bh: z.string(),
});

/** The HTTP request a proof must have been made for. */
interface ProvenRequest {
  /** Public address of the node without a trailing slash. */
  readonly baseUrl: string;
  readonly method: string;
  /** The path, without a query. */
  readonly path: string;
  /** base64url of SHA-256 over the raw body, which may be empty. */
  readonly bodyHash: string;
}

/** A proof whose signature holds for its request. */
interface DidProof {
  readonly did: string;
  readonly jti: string;
  /** When its agent says that it was made, in seconds since the epoch. */
  readonly issuedAt: number;
  /** Milliseconds since the epoch; a replay must be detected until then. */
  readonly expiresAt: number;
}

/** A proof with what carried it. One that a socket was opened by is as old as the socket, and was fresh then. */
export interface CarriedProof extends Omit<DidProof, 'issuedAt'> {
  readonly issuedAt?: number;
  /** The id that the node gave the HTTP request or socket: one proof vouches for all messages of one request. */
  readonly requestId: string;
}

/**
 * Everything that takes no clock; see requireFresh.
 * @throws Fault UNVERIFIED that names the check that failed
 */
export function verifyDidProof(suite: Suite, token: string, request: ProvenRequest): DidProof {
  const [encodedHeader, encodedClaims, encodedSignature, ...rest] = token.split('.');
  const signature = fromBase64url(encodedSignature ?? '');
  if (rest.length > 0 || signature === undefined || token.length > 8192) throw refused('it is not a compact JWS');
  const header = read(Header, encodedHeader, 'header');
  const claims = read(Claims, encodedClaims, 'claims');

  if (!isKeyOf(header.kid, claims.iss)) throw refused('"kid" does not name the key of "iss"');
  const signed = new TextEncoder().encode(`${encodedHeader}.${encodedClaims}`);
  if (!suite.verify(keyOfDid(claims.iss), signed, signature)) throw refused('the signature does not hold');
  if (claims.aud !== request.baseUrl) throw refused(`"aud" must be ${request.baseUrl}`);
  if (claims.htm !== request.method) throw refused(`"htm" must be ${request.method}`);
  if (claims.htu !== request.baseUrl + request.path) throw refused(`"htu" must be ${request.baseUrl}${request.path}`);
  if (claims.bh !== request.bodyHash) throw refused('"bh" is not the hash of this body');
  const { iss: did, jti, iat: issuedAt } = claims;
  return { did, jti, issuedAt, expiresAt: (issuedAt + MESSAGE_AGE_SECONDS + 60) * 1000 };
}

/** @param now milliseconds since the epoch @throws Fault UNVERIFIED for a proof that is old, or from the future */
export function requireFresh({ issuedAt }: Pick<CarriedProof, 'issuedAt'>, now: number): void {
  if (issuedAt === undefined) return;
  if (issuedAt * 1000 < now - MESSAGE_AGE_SECONDS * 1000) throw refused('"iat" lies too far back');
  if (issuedAt * 1000 > now + MESSAGE_AHEAD_SECONDS * 1000) throw refused('"iat" lies in the future');
}

function read<Schema extends z.ZodType>(schema: Schema, encoded: string | undefined, part: string): z.output<Schema> {
  const bytes = fromBase64url(encoded ?? '');
  if (bytes === undefined) throw refused(`its ${part} is not base64url`);
  try {
    return schema.parse(parseJson(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
  } catch (error) {
    const issue = error instanceof z.ZodError ? error.issues[0] : undefined;
    throw refused(
      `its ${part} is wrong${issue === undefined ? '' : ` at "${issue.path.join('.')}": ${issue.message}`}`,
    );
  }
}

function isKeyOf(kid: string, did: string): boolean {
  if (kid === keyId(did)) return true;
  const [owner, fragment] = kid.split('#');
  const canonical = Did.safeParse(owner);
  return canonical.success && canonical.data === did && owner === `did:key:${fragment}`;
}

function refused(reason: string): Fault {
  return new Fault('UNVERIFIED', `X-DID-Proof cannot be accepted: ${reason}.`);
}

/**
 * The node's own access tokens for people: short-lived JWTs (RFC 9068) signed with the issuer's Ed25519 key
 * (RFC 8037). Whether the login behind a token is still valid is a fact of the store.
 */
import { errors, type JSONWebKeySet, jwtVerify, SignJWT } from 'jose';
import { z } from 'zod';
import { keyId } from '../../protocol/credential/did.ts';
import type { Signer } from '../../protocol/credential/ed25519.ts';
import { toBase64url } from '../../protocol/credential/encodings.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { issuedAtSeconds } from '../../protocol/wire/time.ts';
import { Role } from './role.ts';

const ACCESS_TOKEN_SECONDS = 15 * 60;

const ALGORITHM = 'EdDSA';
const TYPE = 'at+jwt';

const Claims = z.object({
  sub: z.string(),
  jti: z.string(),
  /** The login that the token belongs to. */
  sid: z.string(),
  tenantId: z.string(),
  role: Role,
  did: z.string(),
  email: z.string().nullable(),
});
export type Claims = z.infer<typeof Claims>;

export interface AccessTokens {
  /** @param now, expiresAt milliseconds since the epoch; the token lives 15 minutes or until then */
  issue(claims: Claims, now: number, expiresAt: number): Promise<{ accessToken: string; expiresAt: number }>;
  /** @throws Fault TOKEN_EXPIRED, or UNAUTHORIZED for a token that this node did not issue */
  verify(token: string, now: number): Promise<Claims>;
  /** The public key, for others that verify such tokens (RFC 7517). */
  readonly keySet: JSONWebKeySet;
}

/** The public key of an issuer, as key sets have it (RFC 8037). */
export function publicJwk({ did, publicKey }: Pick<Signer, 'did' | 'publicKey'>) {
  return { kty: 'OKP', crv: 'Ed25519', x: toBase64url(publicKey), alg: ALGORITHM, kid: keyId(did), use: 'sig' };
}

/**
 * @param seed of the issuer's key
 * @param baseUrl public address of the node, which both issues the tokens and is their audience
 */
export function accessTokens(issuer: Signer, seed: Uint8Array, baseUrl: string): AccessTokens {
  const publicKey = publicJwk(issuer);
  const { kid } = publicKey;
  // Frozen, so that jose imports each key once and not for every token.
  const verifying = Object.freeze({ ...publicKey });
  const signing = Object.freeze({ ...publicKey, d: toBase64url(seed) });
  return {
    keySet: { keys: [publicKey] },
    async issue(claims, now, expiresAt) {
      const iat = issuedAtSeconds(now);
      const exp = Math.min(Math.floor(now / 1000) + ACCESS_TOKEN_SECONDS, Math.floor(expiresAt / 1000));
      const accessToken = await new SignJWT({ ...claims, iss: baseUrl, aud: baseUrl, iat, exp })
        .setProtectedHeader({ alg: ALGORITHM, typ: TYPE, kid })
        .sign(signing);
      return { accessToken, expiresAt: exp * 1000 };
    },
    async verify(token, now) {
      try {
        const { payload } = await jwtVerify(token, verifying, {
          algorithms: [ALGORITHM],
          typ: TYPE,
          issuer: baseUrl,
          audience: baseUrl,
          requiredClaims: ['exp', 'iat'],
          currentDate: new Date(now),
        });
        return Claims.parse(payload);
      } catch (error) {
        if (error instanceof errors.JWTExpired) {
          throw new Fault('TOKEN_EXPIRED', 'This access token has expired; POST /ap2/auth/refresh gives a new one.');
        }
        throw new Fault('UNAUTHORIZED', 'This access token is not one that this node issued; log in again.');
      }
    },
  };
}

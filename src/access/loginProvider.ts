/**
 * Login through an OpenID Connect provider: authorization code with PKCE (RFC 7636), state and nonce. The result is
 * who the provider says it is; other modules create users and logins from it.
 */
import { createRemoteJWKSet, customFetch, decodeJwt, errors, type JWTVerifyGetKey, jwtVerify } from 'jose';
import * as oidc from 'openid-client';
import { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import { isLoopback } from './clientAddress.ts';
import { fetchOfProvider } from './providerFetch.ts';

const TIMEOUT_SECONDS = 10;
/** A subject has at most 255 characters (OpenID Connect Core section 2), an address 254 (RFC 5321 section 4.5.3.1.3). */
const LONGEST = { subject: 255, email: 254 } as const;

interface LoginSettings {
  readonly issuer: string;
  readonly clientId: string;
  /** None for a public client. */
  readonly clientSecret: string | undefined;
  /** Where the provider sends the browser back to. */
  readonly redirectUri: string;
  /** True where a provider on this machine may use http. */
  readonly loopbackHttp: boolean;
}

/** What one browser must bring back from the provider; it is sealed into that browser's cookie. */
export const LoginAttempt = z.object({ state: z.string(), nonce: z.string(), verifier: z.string() });
export type LoginAttempt = z.infer<typeof LoginAttempt>;

export interface Person {
  readonly issuer: string;
  readonly subject: string;
  /** Null when the provider gives none or has not verified it. */
  readonly email: string | null;
  /** True only where the provider says that it has verified the address. */
  readonly emailVerified: boolean;
}

/** Whom an access token names. */
export interface Bearer extends Pick<Person, 'issuer' | 'subject'> {
  /** The values of its claim `scope` (RFC 8693 section 4.2). */
  readonly scope: readonly string[];
}

export interface LoginProvider {
  /** @throws Fault UNAVAILABLE when the provider cannot be reached */
  begin(): Promise<{ readonly url: URL; readonly attempt: LoginAttempt }>;
  /**
   * @param query of the callback's address, with its question mark
   * @throws Fault UNAUTHORIZED when the provider's answer is not valid, UNAVAILABLE when it cannot be reached
   */
  finish(query: string, attempt: LoginAttempt): Promise<Person>;
  /** Whether a token says that it is one of this provider's; nothing of it is verified. */
  hasIssued(token: string): boolean;
  /**
   * Verifies an access token that the provider has issued (RFC 9068): no ID token, and meant for one audience alone.
   * @param audience whom it must be meant for @param now milliseconds since the epoch
   * @returns whom it names, and what it was issued for
   * @throws Fault TOKEN_EXPIRED, UNAUTHORIZED, UNAVAILABLE
   */
  verify(token: string, audience: string, now: number): Promise<Bearer>;
}

/**
 * @param newSecret unpredictable text of 43 or more URL-safe characters
 * @param log receives why a login failed, which the person who tried does not learn
 */
export function loginProvider(
  settings: LoginSettings,
  newSecret: () => string,
  log: (event: string, facts: Record<string, unknown>) => void,
): LoginProvider {
  let discovered: Promise<oidc.Configuration> | undefined;
  let keys: JWTVerifyGetKey | undefined;
  const configuration = () => {
    discovered ??= discover(settings).catch((error) => {
      // The next attempt asks the provider again.
      discovered = undefined;
      throw error;
    });
    return discovered;
  };
  const guarded = async <T>(step: Promise<T>): Promise<T> => {
    try {
      return await step;
    } catch (error) {
      log('login.failed', { error: describe(error) });
      throw faultOf(error, settings.issuer);
    }
  };
  return {
    async begin() {
      const provider = await guarded(configuration());
      const attempt = { state: newSecret(), nonce: newSecret(), verifier: newSecret() };
      const url = oidc.buildAuthorizationUrl(provider, {
        redirect_uri: settings.redirectUri,
        scope: 'openid email',
        state: attempt.state,
        nonce: attempt.nonce,
        code_challenge: await oidc.calculatePKCECodeChallenge(attempt.verifier),
        code_challenge_method: 'S256',
      });
      return { url, attempt };
    },
    finish: (query, attempt) =>
      guarded(configuration().then((provider) => identify(provider, settings, query, attempt))),
    hasIssued: (token) => issuerIn(token) === settings.issuer,
    async verify(token, audience, now) {
      const provider = await guarded(configuration());
      keys ??= keysOf(provider, settings);
      return verifiedBy(keys, { token, audience, issuer: provider.serverMetadata().issuer, now });
    },
  };
}

/** Asymmetric ones alone: with a shared secret every verifier of a token could have made it. */
const ALGORITHMS = ['EdDSA', 'Ed25519', 'ES256', 'ES384', 'PS256', 'RS256'];

function issuerIn(token: string): string | undefined {
  try {
    return decodeJwt(token).iss;
  } catch {
    return undefined;
  }
}

function keysOf(provider: oidc.Configuration, settings: LoginSettings): JWTVerifyGetKey {
  const address = new URL(String(provider.serverMetadata().jwks_uri));
  requireSafe(address.href, settings);
  return createRemoteJWKSet(address, {
    timeoutDuration: TIMEOUT_SECONDS * 1000,
    [customFetch]: fetchOfProvider,
  });
}

async function verifiedBy(
  keys: JWTVerifyGetKey,
  asked: { readonly token: string; readonly audience: string; readonly issuer: string; readonly now: number },
): Promise<Bearer> {
  const { token, audience, issuer, now } = asked;
  try {
    const { payload } = await jwtVerify(token, keys, {
      algorithms: ALGORITHMS,
      issuer,
      audience,
      // An ID token has another type, or none, and the nonce of a login (RFC 9068 sections 2.1 and 4).
      typ: 'at+jwt',
      requiredClaims: ['sub', 'exp'],
      currentDate: new Date(now),
    });
    const { sub, nonce, scope } = payload;
    if (nonce !== undefined) throw new errors.JWTClaimValidationFailed('an ID token', payload, 'nonce');
    // One that several take could be sent on by any of them.
    if ([payload.aud].flat().length !== 1) throw new errors.JWTClaimValidationFailed('several', payload, 'aud');
    return { issuer, subject: String(sub), scope: typeof scope === 'string' ? scope.split(' ') : [] };
  } catch (error) {
    if (error instanceof errors.JWTExpired)
      throw new Fault('TOKEN_EXPIRED', 'This access token has expired; get a new one.');
    if (error instanceof errors.JWKSTimeout || error instanceof TypeError) {
      throw new Fault('UNAVAILABLE', `The identity provider ${issuer} cannot be reached.`);
    }
    throw new Fault(
      'UNAUTHORIZED',
      `This access token does not hold here; it must be issued by ${issuer} for ${audience} alone, with the type at+jwt.`,
    );
  }
}

/** http is allowed on this machine only, wherever the provider's metadata points. */
function requireSafe(url: string, { loopbackHttp }: LoginSettings): void {
  if (url.startsWith('https:') || (loopbackHttp && isLoopback(url))) return;
  throw new oidc.ClientError(`${new URL(url).origin} is neither https nor on this machine`);
}

async function discover(settings: LoginSettings): Promise<oidc.Configuration> {
  const { clientId, clientSecret, issuer } = settings;
  const authentication = clientSecret === undefined ? oidc.None() : oidc.ClientSecretBasic(clientSecret);
  return oidc.discovery(new URL(issuer), clientId, undefined, authentication, {
    timeout: TIMEOUT_SECONDS,
    // Checks the signature of the ID token even though it comes straight from the provider.
    execute: [oidc.enableNonRepudiationChecks, ...(settings.loopbackHttp ? [oidc.allowInsecureRequests] : [])],
    [oidc.customFetch]: (url, options) => {
      requireSafe(url, settings);
      return fetchOfProvider(url, options as RequestInit);
    },
  });
}

async function identify(
  provider: oidc.Configuration,
  settings: LoginSettings,
  query: string,
  attempt: LoginAttempt,
): Promise<Person> {
  const tokens = await oidc.authorizationCodeGrant(provider, new URL(settings.redirectUri + query), {
    expectedState: attempt.state,
    expectedNonce: attempt.nonce,
    pkceCodeVerifier: attempt.verifier,
    idTokenExpected: true,
  });
  const claims = tokens.claims();
  if (claims === undefined) throw new oidc.ClientError('the provider sent no ID token');
  const hasEmail = typeof claims.email === 'string' || provider.serverMetadata().userinfo_endpoint === undefined;
  const source = hasEmail ? claims : await oidc.fetchUserInfo(provider, tokens.access_token, claims.sub);
  if (claims.sub.length > LONGEST.subject) throw new oidc.ClientError('the subject is too long');
  const isEmail = typeof source.email === 'string' && source.email.length <= LONGEST.email;
  const email = isEmail && source.email_verified !== false ? String(source.email) : null;
  return {
    issuer: claims.iss,
    subject: claims.sub,
    email,
    emailVerified: email !== null && source.email_verified === true,
  };
}

function faultOf(error: unknown, issuer: string): Fault {
  if (error instanceof oidc.AuthorizationResponseError) {
    return new Fault('UNAUTHORIZED', 'The identity provider did not let this login pass; start at /ap2/auth/login.');
  }
  // fetch throws a TypeError without a code; the library's own errors have one.
  const noAnswer = error instanceof TypeError && !('code' in error);
  const unreachable = noAnswer || (error instanceof oidc.ClientError && error.code === 'OAUTH_TIMEOUT');
  const broken = error instanceof oidc.ClientError && error.code === 'OAUTH_RESPONSE_IS_NOT_CONFORM';
  if (unreachable || broken) return new Fault('UNAVAILABLE', `The identity provider ${issuer} cannot be reached.`);
  return new Fault('UNAUTHORIZED', 'The identity provider’s answer does not hold; start again at /ap2/auth/login.');
}

function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const cause = error.cause instanceof Error ? `: ${error.cause.message}` : '';
  return `${error.name}: ${error.message}${cause}`;
}

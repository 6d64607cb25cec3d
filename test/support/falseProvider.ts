/** An identity provider that says of a login what the test wants, true or not. */
import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { listen, stop } from './identityProvider.ts';

export interface FalseProvider {
  readonly issuer: string;
  readonly env: Record<string, string>;
  /** The ID token of the next answer, made from an honest one's claims. */
  idToken: (honest: JWTPayload, sign: Signers) => Promise<string>;
  /** The nonce that the provider was given by the browser. */
  nonce: string;
  stop(): Promise<void>;
}

export interface Signers {
  /** With the key that the provider publishes. */
  own(claims: JWTPayload, typ?: string): Promise<string>;
  /** With another key under the same key id. */
  foreign(claims: JWTPayload): Promise<string>;
}

/** How an algorithm is called where the provider publishes its key, lists it, and signs with it. */
interface AlgorithmNames {
  readonly header: string;
  readonly jwk?: string | undefined;
  readonly listed?: string;
}

export async function startFalseProvider(
  { header, jwk, listed = header }: AlgorithmNames = { header: 'ES256', jwk: 'ES256' },
): Promise<FalseProvider> {
  const server = createServer();
  const issuer = await listen(server);
  const [own, foreign] = await Promise.all([generateKeyPair(header), generateKeyPair(header)]);
  const published = { ...(await exportJWK(own.publicKey)), alg: jwk, use: 'sig', kid: 'one' };
  const signer = (key: CryptoKey) => (claims: JWTPayload, typ?: string) =>
    new SignJWT(claims).setProtectedHeader({ alg: header, kid: 'one', ...(typ && { typ }) }).sign(key);
  const signers = { own: signer(own.privateKey), foreign: signer(foreign.privateKey) };
  const provider: FalseProvider = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: 'countersign', OIDC_CLIENT_SECRET: 'secret' },
    idToken: (honest, sign) => sign.own(honest),
    nonce: '',
    stop: () => stop(server),
  };
  const answers: Record<string, () => unknown> = {
    '/.well-known/openid-configuration': () => ({
      issuer,
      authorization_endpoint: `${issuer}/auth`,
      token_endpoint: `${issuer}/token`,
      jwks_uri: `${issuer}/jwks`,
      response_types_supported: ['code'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: [listed, 'none', 'HS256'],
    }),
    '/jwks': () => ({ keys: [published] }),
    '/token': async () => {
      const iat = Math.floor(Date.now() / 1000);
      const { nonce } = provider;
      const honest = {
        iss: issuer,
        sub: 'mallory',
        aud: 'countersign',
        iat,
        exp: iat + 60,
        nonce,
        email: 'm@x.example',
      };
      const id_token = await provider.idToken(honest, signers);
      return { access_token: 'token', token_type: 'Bearer', expires_in: 60, id_token };
    },
  };
  server.on('request', async (request, response) => {
    request.resume();
    const answer = await answers[request.url ?? '']?.();
    response.writeHead(answer === undefined ? 404 : 200, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(answer ?? {}));
  });
  return provider;
}

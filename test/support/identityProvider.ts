/** A real OpenID Connect provider on loopback that lets in the person whom the test names, without a page to click on. */
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

export interface IdentityProvider {
  readonly issuer: string;
  /** What a node needs to be told to use it. */
  readonly env: Record<string, string>;
  /** Who sits before the browser from now on; undefined for a person who refuses. */
  person: string | undefined;
  /** An access token for a resource, as the provider would issue it (RFC 9068). */
  accessToken(
    subject: string,
    audience: string,
    claims?: Readonly<Record<string, unknown>>,
    typ?: string,
  ): Promise<string>;
  stop(): Promise<void>;
}

const CLIENT = { id: 'countersign', secret: 'a secret of the test' };

/** @param redirectUri the one callback that it knows */
export async function startIdentityProvider(redirectUri: string): Promise<IdentityProvider> {
  const server = createServer();
  const issuer = await listen(server);
  const { privateKey } = await generateKeyPair('RS256', { extractable: true });
  const key = { ...(await exportJWK(privateKey)), alg: 'RS256', use: 'sig' };
  const provider: Provider = new Provider(issuer, {
    clients: [
      {
        client_id: CLIENT.id,
        client_secret: CLIENT.secret,
        redirect_uris: [redirectUri],
        grant_types: ['authorization_code'],
        response_types: ['code'],
      },
    ],
    jwks: { keys: [key] },
    cookies: { keys: ['of the test'] },
    claims: { openid: ['sub'], email: ['email', 'email_verified'] },
    pkce: { required: () => true },
    features: { devInteractions: { enabled: false } },
    interactions: { url: () => '/interaction' },
    ttl: { Session: 60, Interaction: 60, Grant: 60, AccessToken: 60, IdToken: 60 },
    findAccount: (_context: unknown, id: string) => ({
      accountId: id,
      claims: () => ({ sub: id, email: `${id}@people.example`, email_verified: id !== 'unverified' }),
    }),
    async loadExistingGrant(context: { oidc: { session: { accountId: string }; client: { clientId: string } } }) {
      const { session, client } = context.oidc;
      const grant = new provider.Grant({ accountId: session.accountId, clientId: client.clientId });
      grant.addOIDCScope('openid email');
      await grant.save();
      return grant;
    },
  });
  const handle = provider.callback();
  const idp: IdentityProvider = {
    issuer,
    env: { OIDC_ISSUER: issuer, OIDC_CLIENT_ID: CLIENT.id, OIDC_CLIENT_SECRET: CLIENT.secret },
    person: undefined,
    accessToken: (sub, aud, claims = {}, typ = 'at+jwt') =>
      new SignJWT({ iss: issuer, sub, aud, scope: 'read write', exp: Math.floor(Date.now() / 1000) + 60, ...claims })
        .setProtectedHeader({ alg: 'RS256', typ })
        .sign(privateKey),
    stop: () => stop(server),
  };
  server.on('request', (request, response) => {
    if (request.url?.startsWith('/interaction') !== true) return handle(request, response);
    const refusal = { error: 'access_denied' };
    const result = idp.person === undefined ? refusal : { login: { accountId: idp.person, remember: false } };
    void provider.interactionFinished(request, response, result);
  });
  return idp;
}

export function listen(server: Server): Promise<string> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(`http://127.0.0.1:${(server.address() as AddressInfo).port}`));
  });
}

export function stop(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

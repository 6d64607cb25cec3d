/** Login routes: to the identity provider, back from it, the refresh of tokens, and the key set that verifies them. */

import type { Context } from 'koa';
import { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import { isoTime } from '../../protocol/wire/time.ts';
import { openLogin, refreshLogin, type Tokens } from '../handlers/access/startLogin.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { markLoginAttemptUsed } from '../store/statements/people/logins.ts';
import {
  ATTEMPT_SECONDS,
  forgetAttempt,
  forgetRefreshToken,
  giveAttempt,
  giveRefreshToken,
  readAttempt,
  readRefreshToken,
} from './loginCookies.ts';
import type { OpenRoute } from './openRoute.ts';
import { ACCOUNT_PATH } from './pageRoutes.ts';

export const CALLBACK_PATH = '/ap2/auth/callback';

const Login = z.object({ accessToken: z.string(), expiresAt: z.string() });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });
const tokens = {
  description: 'An access token, and the cookie that extends the login.',
  schema: Login,
  example: { accessToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln', expiresAt: '2026-11-21T08:02:41.000Z' },
};

export function loginRoutes(deps: Deps): readonly OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/ap2/auth/login',
      name: 'login',
      summary: 'Sends the browser to the identity provider.',
      answers: { 302: { description: 'A redirect to the provider; a cookie ties the login to this browser.' } },
      errors: [429, 500, 503],
      answer: (context) => beginLogin(deps, context),
    },
    {
      method: 'GET',
      path: CALLBACK_PATH,
      name: 'loginCallback',
      summary: 'Completes the login when the identity provider sends the browser back.',
      asks: 'Needs the cookie that `/ap2/auth/login` set in this browser, within 10 minutes, and serves once.',
      query: { code: 'From the provider.', state: 'From the provider.', error: 'From the provider, when it refused.' },
      answers: {
        200: tokens,
        303: { description: 'A redirect to the page of the login, for a browser that asked for a page.' },
      },
      errors: [401, 403, 429, 500, 503],
      answer: (context) => completeLogin(deps, context),
    },
    {
      method: 'POST',
      path: '/ap2/auth/refresh',
      name: 'refreshLogin',
      summary: 'Exchanges the refresh cookie for a new access token and a new cookie; each cookie serves once.',
      asks: 'Needs the refresh cookie of a login that was refreshed within 24 hours and is at most 7 days old.',
      takesRefreshCookie: true,
      answers: { 200: tokens },
      errors: [401, 429, 500, 503],
      answer: (context) => refresh(deps, context),
    },
    {
      method: 'GET',
      path: '/.well-known/jwks.json',
      name: 'keySet',
      summary: 'Shows the public key that access tokens verify with (RFC 7517).',
      answers: {
        200: { description: 'The key set.', schema: KeySet, example: { keys: [deps.accessTokens.keySet.keys[0]] } },
      },
      answer(context) {
        context.body = deps.accessTokens.keySet;
      },
    },
  ];
}

async function beginLogin(deps: Deps, context: Context): Promise<void> {
  context.set('Cache-Control', 'no-store');
  const { url, attempt } = await providerOf(deps).begin();
  const sealed = { attempt, expiresAt: deps.clock() + ATTEMPT_SECONDS * 1000 };
  giveAttempt(context, deps.settings.baseUrl, deps.sealer, sealed);
  context.redirect(url.href);
}

async function completeLogin(deps: Deps, context: Context): Promise<void> {
  context.set('Cache-Control', 'no-store');
  const provider = providerOf(deps);
  const begun = readAttempt(context, deps.settings.baseUrl, deps.sealer, deps.clock());
  // Before any check, so that an attempt can be completed only once.
  forgetAttempt(context, deps.settings.baseUrl);
  if (begun === undefined) {
    throw new Fault('UNAUTHORIZED', 'This browser began no login, or too long ago; start at /ap2/auth/login.');
  }
  const { attempt, expiresAt } = begun;
  if (!(await deps.store.write('logins', () => markLoginAttemptUsed(attempt.state, expiresAt)))) {
    throw new Fault('UNAUTHORIZED', 'This login was completed before; start again at /ap2/auth/login.');
  }
  const person = await provider.finish(context.search, attempt);
  giveTokens(deps, context, await openLogin(deps, person), context.accepts('json', 'html') === 'html');
}

async function refresh(deps: Deps, context: Context): Promise<void> {
  context.set('Cache-Control', 'no-store');
  const token = readRefreshToken(context, deps.settings.baseUrl);
  if (token === undefined) throw new Fault('UNAUTHORIZED', 'There is no login to extend; start at /ap2/auth/login.');
  try {
    giveTokens(deps, context, await refreshLogin(deps, token), false);
  } catch (error) {
    if (error instanceof Fault && error.mapping.http === 401) forgetRefreshToken(context, deps.settings.baseUrl);
    throw error;
  }
}

function giveTokens(deps: Deps, context: Context, tokens: Tokens, toPage: boolean): void {
  const { baseUrl } = deps.settings;
  giveRefreshToken(context, baseUrl, tokens.refreshToken);
  if (toPage) {
    // The page asks for its access token itself, so that no URL carries one.
    context.status = 303;
    context.redirect(`${baseUrl}${ACCOUNT_PATH}`);
    return;
  }
  context.body = { accessToken: tokens.accessToken, expiresAt: isoTime(tokens.expiresAt) };
}

function providerOf(deps: Deps) {
  if (deps.login !== undefined) return deps.login;
  const remedy = 'set OIDC_ISSUER, OIDC_CLIENT_ID and OIDC_CLIENT_SECRET, and register this callback at the provider';
  throw new Fault(
    'UNAVAILABLE',
    `No identity provider is configured: ${remedy}: ${deps.settings.baseUrl}${CALLBACK_PATH}. API keys work without one.`,
  );
}

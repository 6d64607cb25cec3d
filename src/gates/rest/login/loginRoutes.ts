/** Login routes: to the identity provider, back from it, the refresh of tokens, and the key set that verifies them. */

import type { Context } from 'koa';
import { z } from 'zod';
import { Fault } from '../../../../protocol/wire/fault.ts';
import { isoTime } from '../../../../protocol/wire/time.ts';
import { CurrentUser } from '../../../domain/access/showPerson.ts';
import type { Tokens } from '../../../domain/access/startLogin.ts';
import { CALLBACK_PATH } from '../../../operations/access/logInThere.ts';
import type { Gate } from '../../shell/gate.ts';
import { meterOf } from '../../shell/requestRecord.ts';
import type { OpenRoute } from '../openRoute.ts';
import { answerJson, everyOrigin } from '../respond.ts';
import {
  forgetAttempt,
  forgetRefreshToken,
  giveAttempt,
  giveRefreshToken,
  readAttempt,
  readRefreshToken,
} from './loginCookies.ts';

/** Where a login in a browser ends. */
export const CONSOLE_PATH = '/console/';

/** Where the public keys of a node are (RFC 7517). */
export const KEY_SET_PATH = '/.well-known/jwks.json';

const Login = z.object({ accessToken: z.string(), expiresAt: z.string(), user: CurrentUser });
const KeySet = z.object({ keys: z.array(z.looseObject({ kty: z.string(), kid: z.string() })) });
export const tokens = {
  description: 'An access token, and the cookie that extends the login.',
  schema: Login,
  example: {
    accessToken: 'eyJhbGciOiJFZERTQSIsInR5cCI6ImF0K2p3dCJ9.e30.c2ln',
    expiresAt: '2026-11-21T08:02:41.000Z',
    user: {
      did: 'did:key:z6Mko9hTggMwjSTEaJaPUfE6tqcy2xvU6BnNq3e3o8qVBiyH',
      email: null,
      role: 'OWNER',
      permissions: ['read', 'write', 'admin'],
      tenantId: 'tnt_01m7yh6hk6a1s4d7f0g3h6j9k2',
      userId: 'usr_01m7yh6hx7f1j5m9q3t7x1b5f9',
      name: 'Ada',
      loginId: 'login_01m7yh6hx7f1j5m9q3t7x1b5f9',
    },
  },
};

export function loginRoutes(gate: Gate): readonly OpenRoute[] {
  return [
    {
      method: 'GET',
      path: '/ap2/auth/login',
      name: 'login',
      vouched: true,
      summary: 'Sends the browser to the identity provider.',
      answers: { 302: { description: 'A redirect to the provider; a cookie ties the login to this browser.' } },
      errors: [429, 500, 503],
      answer: (context) => beginLogin(gate, context),
    },
    {
      method: 'GET',
      path: CALLBACK_PATH,
      name: 'loginCallback',
      vouched: true,
      summary: 'Completes the login when the identity provider sends the browser back.',
      asks: 'Needs the cookie that `/ap2/auth/login` set in this browser, within 10 minutes, and serves once.',
      query: { code: 'From the provider.', state: 'From the provider.', error: 'From the provider, when it refused.' },
      answers: {
        200: tokens,
        303: { description: 'A redirect to the console, for a browser that asked for a page.' },
      },
      errors: [401, 403, 429, 500, 503],
      answer: (context) => completeLogin(gate, context),
    },
    {
      method: 'POST',
      path: '/ap2/auth/refresh',
      name: 'refreshLogin',
      summary: 'Exchanges the refresh cookie for a new access token and a new cookie; each cookie serves once.',
      asks: 'Needs the refresh cookie of a login that was refreshed within 24 hours and is at most 7 days old.',
      takesRefreshCookie: true,
      vouched: true,
      answers: { 200: tokens },
      errors: [401, 403, 429, 500, 503],
      answer: (context) => refresh(gate, context),
    },
    {
      method: 'GET',
      path: KEY_SET_PATH,
      name: 'keySet',
      summary:
        'Shows the public keys that access tokens, credentials, the agent card and receipts verify with (RFC 7517).',
      answers: {
        200: { description: 'The key set.', schema: KeySet, example: { keys: [gate.settings.keySet.keys[0]] } },
      },
      answer(context) {
        everyOrigin(context);
        answerJson(context, gate.settings.keySet);
      },
    },
  ];
}

async function beginLogin(gate: Gate, context: Context): Promise<void> {
  context.set('Cache-Control', 'no-store');
  const { url, attempt } = await gate.core.call('beginLogin');
  giveAttempt(context, gate.settings.baseUrl, attempt);
  context.redirect(url);
}

async function completeLogin(gate: Gate, context: Context): Promise<void> {
  context.set('Cache-Control', 'no-store');
  const attempt = readAttempt(context, gate.settings.baseUrl);
  // Before any check, so that an attempt can be completed only once.
  forgetAttempt(context, gate.settings.baseUrl);
  const tokens = await gate.core.call('completeLogin', context.search, attempt, deviceOf(context));
  giveTokens(gate, context, tokens, context.accepts('json', 'html') === 'html');
}

/** Browsers say whose page asks (Fetch Metadata): only the node's own has a login to extend. */
const OWN_SITES: ReadonlySet<string> = new Set(['', 'same-origin', 'none']);

async function refresh(gate: Gate, context: Context): Promise<void> {
  context.set('Cache-Control', 'no-store');
  if (!OWN_SITES.has(context.get('sec-fetch-site'))) {
    throw new Fault('FORBIDDEN', 'Only a page of this node extends its login (Sec-Fetch-Site: same-origin).');
  }
  const token = readRefreshToken(context, gate.settings.baseUrl);
  if (token === undefined) throw new Fault('UNAUTHORIZED', 'There is no login to extend; start at /ap2/auth/login.');
  try {
    const meter = meterOf(context);
    const coreReply = await gate.core.call('takeRefresh', meter.address, token, deviceOf(context));
    giveTokens(gate, context, JSON.parse(String(meter.settle(coreReply))) as Tokens, false);
  } catch (error) {
    if (error instanceof Fault && error.mapping.http === 401) forgetRefreshToken(context, gate.settings.baseUrl);
    throw error;
  }
}

/** What the browser says that it is. */
export function deviceOf(context: Context): string | undefined {
  return context.get('user-agent') || undefined;
}

export function giveTokens(gate: Gate, context: Context, tokens: Tokens, toPage: boolean): void {
  const { baseUrl } = gate.settings;
  giveRefreshToken(context, baseUrl, tokens.refreshToken);
  if (toPage) {
    // The page asks for its access token itself, so that no URL carries one.
    context.status = 303;
    context.redirect(`${baseUrl}${CONSOLE_PATH}`);
    return;
  }
  const { accessToken, expiresAt, user } = tokens;
  answerJson(context, { accessToken, expiresAt: isoTime(expiresAt), user });
}

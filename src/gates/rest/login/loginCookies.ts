/** The two cookies of a login: the attempt while the browser is at the provider, and the refresh token afterwards. */
import type { Context } from 'koa';
import { REFRESH_SECONDS } from '../../../domain/access/startLogin.ts';
import { ATTEMPT_SECONDS } from '../../../operations/access/logInThere.ts';

const PATH = '/ap2/auth';
const ATTEMPT = 'countersign_login';
const REFRESH = 'countersign_refresh';

/** Lax, because the provider sends the browser back from another site. */
export function giveAttempt(context: Context, baseUrl: string, sealed: string): void {
  setCookie(context, baseUrl, ATTEMPT, sealed, 'lax', ATTEMPT_SECONDS);
}

/** The attempt that this browser brought, still sealed. */
export function readAttempt(context: Context, baseUrl: string): string | undefined {
  return context.cookies.get(nameAt(baseUrl, ATTEMPT));
}

export function forgetAttempt(context: Context, baseUrl: string): void {
  setCookie(context, baseUrl, ATTEMPT, undefined, 'lax', 0);
}

export function giveRefreshToken(context: Context, baseUrl: string, token: string): void {
  setCookie(context, baseUrl, REFRESH, token, 'strict', REFRESH_SECONDS);
}

export function readRefreshToken(context: Context, baseUrl: string): string | undefined {
  return context.cookies.get(nameAt(baseUrl, REFRESH));
}

export function forgetRefreshToken(context: Context, baseUrl: string): void {
  setCookie(context, baseUrl, REFRESH, undefined, 'strict', 0);
}

/**
 * Over https browsers take a cookie of such a name only from this very host, over https and for all its paths (RFC 6265bis
 * section 4.1.3.2), so that no other host of the domain can put one of its own in the place of a login's.
 */
function nameAt(baseUrl: string, name: string): string {
  return baseUrl.startsWith('https:') ? `__Host-${name}` : name;
}

/** @param value undefined removes the cookie */
function setCookie(
  context: Context,
  baseUrl: string,
  name: string,
  value: string | undefined,
  sameSite: 'lax' | 'strict',
  maxAgeSeconds: number,
): void {
  const { protocol, pathname } = new URL(baseUrl);
  const secure = protocol === 'https:';
  // The node's public address decides, since a proxy may end TLS before the node sees the connection.
  context.cookies.secure = secure;
  context.cookies.set(nameAt(baseUrl, name), value ?? null, {
    path: secure ? '/' : pathname.replace(/\/$/, '') + PATH,
    httpOnly: true,
    sameSite,
    secure,
    signed: false,
    ...(value === undefined ? {} : { maxAge: maxAgeSeconds * 1000 }),
  });
}

/**
 * The two cookies of a login: the attempt while the browser is at the provider, the refresh token afterwards. They
 * are written by hand because Koa refuses `Secure` behind a proxy that speaks TLS for the node.
 */
import type { Context } from 'koa';
import { LoginAttempt } from '../access/loginProvider.ts';
import type { Sealer } from '../crypto/seal.ts';
import { REFRESH_SECONDS } from '../handlers/access/startLogin.ts';

const PATH = '/ap2/auth';
const ATTEMPT = 'countersign_login';
const REFRESH = 'countersign_refresh';
const SEALED_FOR = 'login attempt';

/** How long a person may take at the provider. */
export const ATTEMPT_SECONDS = 600;

interface SealedAttempt {
  readonly attempt: LoginAttempt;
  /** Milliseconds since the epoch. */
  readonly expiresAt: number;
}

/** Lax, because the provider sends the browser back from another site. */
export function giveAttempt(context: Context, baseUrl: string, sealer: Sealer, sealed: SealedAttempt): void {
  const value = sealer.seal(JSON.stringify(sealed), SEALED_FOR);
  setCookie(context, baseUrl, ATTEMPT, value, 'Lax', ATTEMPT_SECONDS);
}

/** The attempt this browser began; undefined when it began none, or too long ago, or changed it. */
export function readAttempt(context: Context, sealer: Sealer, now: number): SealedAttempt | undefined {
  const value = context.cookies.get(ATTEMPT);
  if (value === undefined) return undefined;
  try {
    const { attempt, expiresAt } = JSON.parse(sealer.open(value, SEALED_FOR));
    return expiresAt > now ? { attempt: LoginAttempt.parse(attempt), expiresAt } : undefined;
  } catch {
    return undefined;
  }
}

export function forgetAttempt(context: Context, baseUrl: string): void {
  setCookie(context, baseUrl, ATTEMPT, '', 'Lax', 0);
}

export function giveRefreshToken(context: Context, baseUrl: string, token: string): void {
  setCookie(context, baseUrl, REFRESH, token, 'Strict', REFRESH_SECONDS);
}

export function readRefreshToken(context: Context): string | undefined {
  return context.cookies.get(REFRESH);
}

export function forgetRefreshToken(context: Context, baseUrl: string): void {
  setCookie(context, baseUrl, REFRESH, '', 'Strict', 0);
}

function setCookie(
  context: Context,
  baseUrl: string,
  name: string,
  value: string,
  sameSite: 'Lax' | 'Strict',
  maxAgeSeconds: number,
): void {
  const { protocol, pathname } = new URL(baseUrl);
  const path = pathname === '/' ? PATH : pathname + PATH;
  const secure = protocol === 'https:' ? '; Secure' : '';
  const cookie = `${name}=${value}; Path=${path}; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=${sameSite}${secure}`;
  context.append('Set-Cookie', cookie);
}

/** A person's login as the command line keeps it: an access token for a quarter of an hour, and the token that extends the login. */
import { closeSync, openSync, rmSync, statSync } from 'node:fs';
import { z } from 'zod';
import { CommandRefusal, Unreachable } from '../commandFailure.ts';
import { keepProfile, type Profile, profilePath, readProfile } from './profileFile.ts';

const LoginSession = z.object({ accessToken: z.string(), expiresAt: z.string(), refreshToken: z.string() });
export type LoginSession = z.infer<typeof LoginSession>;

/** What is left of an access token has to do for a command. */
const LEAST_LEFT_MS = 60_000;

/** @returns an access token; the login is extended where the last one is nearly over */
export async function accessTokenOf(env: NodeJS.ProcessEnv, name: string): Promise<string> {
  const known = LoginSession.parse(JSON.parse(readProfile(env, name).secret));
  if (isFresh(known)) return known.accessToken;
  return locked(env, async () => {
    // Another command may have extended it meanwhile: a token that is used twice ends the login.
    const { url, kind, secret } = readProfile(env, name);
    const session = LoginSession.parse(JSON.parse(secret));
    if (isFresh(session)) return session.accessToken;
    const next = await askForSession(url, '/ap2/auth/refresh', { refreshToken: session.refreshToken });
    keepProfile(env, name, { url, kind }, JSON.stringify(next));
    return next.accessToken;
  });
}

function isFresh({ expiresAt }: LoginSession): boolean {
  return Date.parse(expiresAt) - Date.now() > LEAST_LEFT_MS;
}

/** Shorter than the age at which a lock is taken for one that was left behind: no other command extends the login meanwhile. */
const PATIENCE_MS = 15_000;

/** What a node answers, as far as it is used here. */
const Answer = z.object({ accessToken: z.string(), expiresAt: z.string() });
const Failed = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/**
 * Asks for tokens, as a browser does: the one that extends the login comes and goes as a cookie.
 * @param userAgent by which the person tells this login from others @throws CommandRefusal, Unreachable
 */
export async function askForSession(
  url: string,
  path: string,
  { refreshToken, body }: { readonly refreshToken?: string; readonly body?: object },
): Promise<LoginSession> {
  const cookies = ['countersign_refresh', '__Host-countersign_refresh'].map((name) => `${name}=${refreshToken ?? ''}`);
  const response = await fetch(url + path, {
    method: 'POST',
    redirect: 'error',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': userAgent(),
      ...(refreshToken === undefined ? {} : { Cookie: cookies.join('; ') }),
    },
    body: JSON.stringify(body ?? {}),
  }).catch(() => {
    throw new Unreachable(url);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  const failed = Failed.safeParse(answer);
  if (failed.success) throw new CommandRefusal(failed.data.error.code, failed.data.error.message);
  const { accessToken, expiresAt } = Answer.parse(answer);
  const cookie = response.headers
    .getSetCookie()
    .map((text) => /^(?:__Host-)?countersign_refresh=([^;]+)/.exec(text)?.[1]);
  const next = cookie.find((value) => value !== undefined);
  if (next === undefined)
    throw new CommandRefusal('UNAUTHORIZED', `${url} gave no login; is it the address of a node?`);
  return { accessToken, expiresAt, refreshToken: next };
}

function userAgent(): string {
  return `countersign command line (${process.platform})`;
}

/** A lock whose command is gone. */
const STALE_MS = 30_000;
const LOOK_MS = 50;

/** One command at a time extends logins. */
async function locked<T>(env: NodeJS.ProcessEnv, act: () => Promise<T>): Promise<T> {
  const file = `${profilePath(env)}.lock`;
  while (!isTaken(file)) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  try {
    return await act();
  } finally {
    rmSync(file, { force: true });
  }
}

/** @returns whether this command has the lock now */
function isTaken(file: string): boolean {
  try {
    closeSync(openSync(file, 'wx', 0o600));
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    const { mtimeMs } = statSync(file, { throwIfNoEntry: false }) ?? { mtimeMs: Date.now() };
    if (Date.now() - mtimeMs > STALE_MS) rmSync(file, { force: true });
    return false;
  }
}

/** @returns the key, or an access token for at least a minute; both are sent as a bearer */
export async function targetOf(
  env: NodeJS.ProcessEnv,
  name: string,
): Promise<{ readonly url: string; readonly key: string; readonly kind: Profile['kind'] }> {
  const { url, kind, secret } = readProfile(env, name);
  return { url, kind, key: kind === 'key' ? secret : await accessTokenOf(env, name) };
}

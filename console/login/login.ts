/**
 * The login of this browser. The access token is in memory only and is renewed by the refresh cookie, which serves once: of
 * all tabs one renews at a time, and tells the others.
 */
import { signal } from '@preact/signals';
import { CountersignError } from '../../client/error.ts';
import type { Operations } from '../../client/operations.ts';
import { answerOf, ask } from '../node/ask.ts';
import { forgetEarly, LOCK, sendRenewal, takeRenewal } from './early.ts';
import { inTurn } from './turns.ts';

/** What signing in and a renewal answer. */
export interface Access {
  readonly accessToken: string;
  readonly expiresAt: string;
  readonly user: Me;
}

export type Me = Operations['currentUser']['output'];

type LoginState = { readonly at: 'starting' } | { readonly at: 'out' } | { readonly at: 'in'; readonly me: Me };

export const login = signal<LoginState>({ at: 'starting' });

/** A token is renewed so long before its end, so that none ends on its way. */
const AHEAD_MS = 30_000;

type LoginMessage = { readonly kind: 'access'; readonly access: Access } | { readonly kind: 'out' };

const channel = new BroadcastChannel(LOCK);
let access: Access | undefined;
let renewing: Promise<Access> | undefined;

channel.addEventListener('message', ({ data }: MessageEvent<LoginMessage>) => {
  if (data.kind === 'out') leave();
  else if (login.value.at === 'in') {
    if (isSomebodyElse(data.access)) location.reload();
    else {
      access = data.access;
      followRole(access);
    }
  }
});

/** Signs in with the cookie that an earlier visit left, if it still serves. @throws CountersignError NETWORK */
export async function resume(): Promise<void> {
  try {
    enterAs(await renew(undefined));
  } catch (error) {
    if (!isRefused(error)) throw error;
    leave();
  }
}

/** Takes what signing in answered. */
export function enter(given: Access): void {
  access = given;
  enterAs(given);
}

function enterAs({ user }: Access): void {
  login.value = { at: 'in', me: user };
}

/** Of all tabs one may sign in anew; what the others show is the former person's, and nothing is done in the new one's name. */
function isSomebodyElse({ user }: Access): boolean {
  const state = login.value;
  return state.at === 'in' && state.me.did !== user.did;
}

/** The user may have got another role since; what it no longer permits is not shown from here on. */
function followRole(given: Access): void {
  const state = login.value;
  if (state.at === 'in' && state.me.role !== given.user.role) enterAs(given);
}

/** Ends the login at the node, and here in every tab. */
export async function endLogin(): Promise<void> {
  await ask('POST', '/ap2/auth/logout', { token: await accessToken() });
  tell({ kind: 'out' });
  leave();
}

/** @throws CountersignError 401 where the login has ended; the console then shows how to sign in */
export async function accessToken(): Promise<string> {
  const isFresh = access !== undefined && Date.parse(access.expiresAt) - AHEAD_MS > Date.now();
  return isFresh ? (access as Access).accessToken : (await renew(access?.accessToken)).accessToken;
}

/** A token in place of one that the node takes no more. @param stale that one */
export function renew(stale: string | undefined): Promise<Access> {
  renewing ??= inTurn(LOCK, async () => {
    // Another tab may have renewed it while this one waited.
    if (access !== undefined && access.accessToken !== stale) return access;
    const early = await takeRenewal();
    const given = await answerOf<Access>(() => (early === undefined ? sendRenewal() : Promise.resolve(early)));
    if (isSomebodyElse(given)) {
      location.reload();
      return new Promise<never>(() => {});
    }
    access = given;
    tell({ kind: 'access', access });
    followRole(access);
    return access;
  })
    .catch((error: unknown) => {
      if (isRefused(error)) {
        tell({ kind: 'out' });
        leave();
      }
      throw error;
    })
    .finally(() => {
      renewing = undefined;
    });
  return renewing;
}

function isRefused(error: unknown): boolean {
  return error instanceof CountersignError && (error.status === 401 || error.status === 403);
}

function leave(): void {
  access = undefined;
  forgetEarly();
  login.value = { at: 'out' };
}

function tell(told: LoginMessage): void {
  channel.postMessage(told);
}

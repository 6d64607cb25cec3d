/**
 * What a visit begins with is asked for before the console's files have come, so that both are on their way at once: a small
 * script of the page's own asks (console/start.ts), and the console takes the answers over.
 */
import { BASE_URL } from '../node/here.ts';
import { inTurn } from './turns.ts';

/** The refresh cookie serves once: of all tabs one renews at a time. */
export const LOCK = 'countersign.login';

/** An answer that was not used for so long may be out of date. */
const SERVES_MS = 10_000;

interface Early {
  /** Undefined where nothing came. */
  readonly renewal: Promise<Response | undefined>;
  /** By the address that was asked. */
  readonly answers: Map<string, Promise<Response | undefined>>;
  readonly until: number;
}

/** Null once the console asks by itself. */
const page = globalThis as { countersignEarly?: Early | null };

/** Where the time is kept at which a renewal began; it is cleared once the answer has come, unless its page was left before. */
const BEGUN = 'countersign.renewal';

/** For so long the next page waits for the answer to one that was left. */
const ANSWERED_MS = 5000;
/** After so long a renewal is given up. */
const PATIENCE_MS = 20_000;
/** Where a browser has no locks, tabs that have waited for one renewal do not begin the next together. */
const APART_MS = 300;

/**
 * A cookie that is sent twice ends the login, so one that a page was renewing as it was left is waited for.
 * @throws TypeError or DOMException without an answer, as fetch does
 */
export async function sendRenewal(): Promise<Response> {
  for (let waitMs = leftMs(); waitMs > 0; waitMs = leftMs()) {
    await new Promise((resolve) => setTimeout(resolve, waitMs + Math.random() * APART_MS));
  }
  keepBegun(String(Date.now()));
  // The request outlives its page: the cookie that it brings would be lost otherwise.
  const how = { method: 'POST', cache: 'no-store', keepalive: true, signal: AbortSignal.timeout(PATIENCE_MS) } as const;
  const response = await fetch(`${BASE_URL}/ap2/auth/refresh`, how);
  keepBegun('');
  return response;
}

/** How long an answer that is on its way may still take; nothing where a clock was changed, or the browser keeps nothing. */
function leftMs(): number {
  try {
    const ms = Number(localStorage.getItem(BEGUN)) + ANSWERED_MS - Date.now();
    return ms <= ANSWERED_MS ? ms : 0;
  } catch {
    return 0;
  }
}

function keepBegun(time: string): void {
  try {
    localStorage.setItem(BEGUN, time);
  } catch {
    // Then no other page waits for this renewal.
  }
}

/** Renews the login, and asks as the user who is signed in. @param paths from the node's address */
export function askEarly(paths: readonly string[]): void {
  if (page.countersignEarly !== undefined) return;
  const renewal = inTurn(LOCK, sendRenewal).catch(() => undefined);
  const ask = async (url: string) => {
    const token = await tokenIn(await renewal);
    if (token === undefined) return undefined;
    const headers = { Authorization: `Bearer ${token}` };
    return fetch(url, { cache: 'no-store', headers, signal: AbortSignal.timeout(SERVES_MS) });
  };
  const answers = paths.map((path) => [BASE_URL + path, ask(BASE_URL + path).catch(() => undefined)] as const);
  page.countersignEarly = { renewal, answers: new Map(answers), until: Date.now() + SERVES_MS };
}

async function tokenIn(renewed: Response | undefined): Promise<string | undefined> {
  if (renewed?.ok !== true) return undefined;
  // The caller of takeRenewal reads the answer, too.
  return ((await renewed.clone().json()) as { readonly accessToken: string }).accessToken;
}

/** @returns what the early renewal brought, to the first caller; undefined where there was none, or it got no answer */
export async function takeRenewal(): Promise<Response | undefined> {
  const early = page.countersignEarly;
  if (early === undefined) page.countersignEarly = null;
  const renewal = early?.renewal;
  if (early) page.countersignEarly = { ...early, renewal: Promise.resolve(undefined) };
  const renewed = await renewal;
  // Since it came another user may have signed in, in another tab.
  return early && Date.now() < early.until ? renewed : undefined;
}

/** @returns an answer that was asked for early, once */
export async function takeAnswer(url: string): Promise<Response | undefined> {
  const early = page.countersignEarly;
  const answer = early?.answers.get(url);
  early?.answers.delete(url);
  return early && Date.now() < early.until ? answer : undefined;
}

/** No user gets an answer that was asked for as another one. */
export function forgetEarly(): void {
  page.countersignEarly = null;
}

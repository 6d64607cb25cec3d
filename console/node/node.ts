/** The typed client of this node, as the person who is signed in. */
import { CountersignError, errorOf } from '../../client/error.ts';
import { countersign } from '../../client/rest.ts';
import { noAnswer } from '../../client/transport.ts';
import { takeAnswer } from '../login/early.ts';
import { accessToken, renew } from '../login/login.ts';
import { confirmPerson } from '../login/stepUp.ts';
import { BASE_URL } from './here.ts';
import { noteLost } from './reach.ts';

/** How long the node has for an answer; a touch that is asked for in between does not count. */
const ANSWER_MS = 20_000;
/** The same where the node waits for another server: an endpoint, which has half a minute, or a rail. */
const OUTSIDE_MS = 45_000;
const ASKS_OUTSIDE = /\/(test|resend|reconcile|capture|refund|cancel)$/;
/** How long a call may take in all, with a person at the passkey. */
const CALL_SECONDS = 300;

export const node = countersign({
  baseUrl: BASE_URL,
  credential: { accessToken },
  fetch: fetchAsPerson,
  timeoutSeconds: CALL_SECONDS,
  attempts: 2,
});

/** For what has no end that could be waited for, such as a download. */
export const ENDLESS = {
  baseUrl: BASE_URL,
  credential: { accessToken },
  fetch: (url: RequestInfo | URL, init?: RequestInit) => fetchAsPerson(url, init, Number.POSITIVE_INFINITY),
};

/** A request, sent again by another token where its own has ended, and after a touch where one is asked for. */
async function fetchAsPerson(url: RequestInfo | URL, init: RequestInit = {}, answerMs = msFor(url)): Promise<Response> {
  const response = await once(url, init, answerMs);
  if (response.status !== 401) return response;
  const { code } = errorOf({ status: 401, headers: response.headers, text: await response.clone().text() });
  if (code === 'STEP_UP_REQUIRED') {
    return (await confirmPerson()) ? once(url, withToken(init, await accessToken()), answerMs) : response;
  }
  const stale = new Headers(init.headers).get('Authorization')?.replace('Bearer ', '');
  return once(url, withToken(init, (await renew(stale)).accessToken), answerMs);
}

function msFor(url: RequestInfo | URL): number {
  return ASKS_OUTSIDE.test(String(url)) ? OUTSIDE_MS : ANSWER_MS;
}

async function once(url: RequestInfo | URL, init: RequestInit, answerMs: number): Promise<Response> {
  const early = await takeAnswer(String(url));
  if (early !== undefined) return early;
  const late = Number.isFinite(answerMs) ? [AbortSignal.timeout(answerMs)] : [];
  const signal = AbortSignal.any([...(init.signal ? [init.signal] : []), ...late]);
  try {
    return await fetch(url, { ...init, signal, cache: 'no-store' });
  } catch (error) {
    if (init.signal?.aborted !== true) noteLost();
    throw error;
  }
}

function withToken(init: RequestInit, token: string): RequestInit {
  return { ...init, headers: { ...(init.headers as Record<string, string>), Authorization: `Bearer ${token}` } };
}

/** For an answer whose very bytes count. @throws CountersignError */
export async function askForText(method: string, path: string): Promise<string> {
  const response = await answerTo(method, path);
  const { status, headers } = response;
  const text = await response.text();
  if (!response.ok) throw errorOf({ status, headers, text });
  return text;
}

/** A file, such as a list, which takes as long as it is. @param type its media type @throws CountersignError */
export async function askForFile(path: string, type: string): Promise<Blob> {
  const headers = { Authorization: `Bearer ${await accessToken()}`, Accept: type };
  const response = await fetchAsPerson(BASE_URL + path, { headers }, Number.POSITIVE_INFINITY).catch(cannotReach);
  if (response.ok) return response.blob().catch(cannotReach);
  throw errorOf({ status: response.status, headers: response.headers, text: await response.text() });
}

function cannotReach(error: unknown): never {
  throw error instanceof CountersignError ? error : noAnswer(error);
}

async function answerTo(method: string, path: string, body?: object): Promise<Response> {
  const payload = body === undefined ? {} : { body: JSON.stringify(body) };
  const headers = {
    Authorization: `Bearer ${await accessToken()}`,
    ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  };
  return fetchAsPerson(BASE_URL + path, { method, headers, ...payload }).catch(cannotReach);
}

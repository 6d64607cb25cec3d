/** What changes at the node while this console is open, so that screens load again what has changed. */
import { signal } from '@preact/signals';
import { followChanges } from '../../client/changes.ts';
import type { WebhookEvent } from '../../client/operations.ts';
import { accessToken, login, renew } from '../login/login.ts';
import { BASE_URL } from './here.ts';
import { noteLost, noteReturn } from './reach.ts';

/** Whether changes come by themselves; where they do not, screens look now and then. */
export const isLive = signal(false);

/** @param events what was recorded, for who may administer; others are told the types alone */
type Listener = (types: readonly string[], events: readonly WebhookEvent[]) => void;

/** What was loaded before the stream was open may lack a change; so long after, when the first screen is complete, it is loaded again. */
const SETTLED_MS = 3000;

const listeners = new Set<Listener>();

/** @returns ends it */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the node for as long as a user is signed in. */
export function followNode(): void {
  let current: AbortController | undefined;
  login.subscribe(({ at }) => {
    if (at === 'in') {
      if (current !== undefined) return;
      current = new AbortController();
      void follow(current.signal);
    } else {
      current?.abort();
      current = undefined;
    }
  });
}

async function follow(signal: AbortSignal): Promise<void> {
  const options = { baseUrl: BASE_URL, credential: { accessToken }, fetch: openStream };
  try {
    // The first one tells of nothing but that the stream is open.
    for await (const { types, events = [] } of followChanges(options, {}, { signal })) {
      if (!isLive.peek()) setTimeout(noteReturn, SETTLED_MS);
      isLive.value = true;
      if (types.length > 0) for (const listener of listeners) listener(types, events);
    }
  } catch {
    // Signed out, or refused: screens look for themselves.
  } finally {
    isLive.value = false;
  }
}

/** Without a limit of time, unlike other requests: the node says something every few seconds. */
async function openStream(url: RequestInfo | URL, init: RequestInit = {}): Promise<Response> {
  const response = await fetch(url, { ...init, cache: 'no-store' }).catch((error: unknown) => {
    isLive.value = false;
    if (init.signal?.aborted !== true) noteLost();
    throw error;
  });
  if (response.status !== 401) return response;
  const headers = new Headers(init.headers);
  const { accessToken: token } = await renew(headers.get('Authorization')?.replace('Bearer ', ''));
  headers.set('Authorization', `Bearer ${token}`);
  return fetch(url, { ...init, headers, cache: 'no-store' });
}

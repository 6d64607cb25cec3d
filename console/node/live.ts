/** What changes at the node while this console is open: a stream of which kinds of records have changed. */
import { signal } from '@preact/signals';
import { accessToken, login } from '../login/login.ts';
import { eventReader } from './eventStream.ts';
import { BASE_URL } from './here.ts';
import { noteLost, returns } from './reach.ts';

/** Whether changes come by themselves; where they do not, screens look now and then. */
export const isLive = signal(false);

type Listener = (types: readonly string[]) => void;

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 30_000;
/** A node sends something at least this often; a connection that is silent for longer is dead. */
const SILENCE_MS = 60_000;
/** A node without a stream, or one that is not open to this person, is asked again so much later. */
const ABSENT_WAIT_MS = 5 * 60_000;

const listeners = new Set<Listener>();

/** @returns ends it */
export function onChange(listener: Listener): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Follows the stream for as long as somebody is signed in. @returns ends it */
export function followChanges(): () => void {
  let current: AbortController | undefined;
  const stop = () => {
    current?.abort();
    current = undefined;
    isLive.value = false;
  };
  const unsubscribe = login.subscribe(({ at }) => {
    if (at !== 'in') return stop();
    if (current !== undefined) return;
    current = new AbortController();
    void follow(current.signal);
  });
  return () => {
    unsubscribe();
    stop();
  };
}

async function follow(signal: AbortSignal): Promise<void> {
  let lastId: string | undefined;
  let waitMs = FIRST_WAIT_MS;
  while (!signal.aborted) {
    const opened = await openStream(lastId, signal).catch(() => undefined);
    if (opened?.ok === true && opened.body !== null) {
      // Between two connections something may have changed, unless the node goes on where the last one ended.
      if (lastId === undefined && isLive.peek() === false) returns.value += 1;
      isLive.value = true;
      waitMs = FIRST_WAIT_MS;
      lastId = (await readStream(opened.body, signal).catch(() => undefined)) ?? lastId;
      isLive.value = false;
    } else if (opened === undefined) noteLost();
    const isAbsent = opened !== undefined && [403, 404].includes(opened.status);
    await pause(isAbsent ? ABSENT_WAIT_MS : waitMs * (0.5 + Math.random() / 2), signal);
    waitMs = Math.min(waitMs * 2, LONGEST_WAIT_MS);
  }
}

async function openStream(lastId: string | undefined, signal: AbortSignal): Promise<Response> {
  return fetch(`${BASE_URL}/ap2/admin/events/stream`, {
    headers: {
      Accept: 'text/event-stream',
      Authorization: `Bearer ${await accessToken()}`,
      ...(lastId === undefined ? {} : { 'Last-Event-ID': lastId }),
    },
    cache: 'no-store',
    signal,
  });
}

/** @returns the id of the last event, from which another connection goes on */
async function readStream(body: ReadableStream<Uint8Array>, signal: AbortSignal): Promise<string | undefined> {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  const read = eventReader();
  let lastId: string | undefined;
  let silence: ReturnType<typeof setTimeout> | undefined;
  const end = () => void reader.cancel().catch(() => undefined);
  signal.addEventListener('abort', end, { once: true });
  try {
    for (;;) {
      clearTimeout(silence);
      silence = setTimeout(end, SILENCE_MS);
      const { done, value } = await reader.read();
      if (done) return lastId;
      for (const { event, data, id } of read(decoder.decode(value, { stream: true }))) {
        lastId = id ?? lastId;
        if (event === 'change') tell(data);
      }
    }
  } catch {
    // The connection broke; what was read counts.
    return lastId;
  } finally {
    clearTimeout(silence);
    signal.removeEventListener('abort', end);
  }
}

function tell(data: string): void {
  const { types } = JSON.parse(data) as { readonly types: readonly string[] };
  for (const listener of listeners) listener(types);
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      resolve();
    };
    const timer = setTimeout(end, ms);
    signal.addEventListener('abort', end, { once: true });
  });
}

/** Sends a request, and retries where that is safe: no answer came, the node is busy, or it asks for a pause. */
import { CountersignError } from './error.ts';

export interface TransportOptions {
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch;
  /** How often a request is sent at most; 4 by default, 1 for no retry. */
  readonly attempts?: number;
  /** How long one attempt may take, beside what the node is asked to wait; 40 by default, more than a node itself waits. */
  readonly timeoutSeconds?: number;
  /** A Retry-After longer than this is not waited for; 30 by default. */
  readonly maxWaitSeconds?: number;
}

export interface Abortable {
  /** Ends the call, which then rejects with the signal's reason; the node may have carried it out nevertheless. */
  readonly signal?: AbortSignal | undefined;
}

interface HttpRequest {
  readonly url: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | undefined;
}

export interface HttpAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

export interface OutgoingRequest extends Abortable {
  /** Makes the request anew for each attempt, since some credentials are valid once. */
  readonly make: () => Promise<HttpRequest>;
  /** Whether the request may have been carried out before and still be sent again. */
  readonly repeatable: boolean;
  /** How long the node is asked to wait before it answers. */
  readonly waitSeconds?: number;
  /** The HTTP status that an answer stands for, where its own does not say it. */
  readonly statusOf?: (answer: HttpAnswer) => number;
}

const TIMEOUT_SECONDS = 40;

/** Bad gateway, unavailable, gateway timeout (RFC 9110, section 15.6). */
const GONE: readonly number[] = [502, 503, 504];

/** @throws CountersignError NETWORK when no answer came; the signal's reason once it is aborted */
export async function send(options: TransportOptions, sending: OutgoingRequest): Promise<HttpAnswer> {
  const { make, repeatable, signal, statusOf = ({ status }) => status } = sending;
  const attempts = options.attempts ?? 4;
  let lost = false;
  for (let attempt = 1; ; attempt++) {
    signal?.throwIfAborted();
    const answer = await once(options, await make(), sending);
    const last = attempt >= attempts;
    if ('cause' in answer) {
      signal?.throwIfAborted();
      if (last || !repeatable) throw noAnswer(answer.cause);
      lost = true;
      await sleep(backoff(attempt), signal);
      continue;
    }
    const status = statusOf(answer);
    const gone = GONE.includes(status);
    // A proxy before the node says so also of a request that the node has taken.
    lost ||= gone;
    // A rate-limited request was not carried out. A conflict after a lost answer is the earlier attempt, still in flight.
    const again = status === 429 || (repeatable && (gone || (lost && status === 409)));
    const waitSeconds = retryAfter(answer.headers) ?? backoff(attempt);
    if (!again || last || waitSeconds > (options.maxWaitSeconds ?? 30)) return answer;
    await sleep(waitSeconds, signal);
  }
}

/** What was thrown when no answer came, as an error of the client. */
export function noAnswer(cause: unknown): CountersignError {
  const late = cause instanceof Error && cause.name === 'TimeoutError' ? ' in time' : '';
  return new CountersignError('NETWORK', `No answer came from the node${late}.`, { status: 0, cause });
}

async function once(
  options: TransportOptions,
  request: HttpRequest,
  { signal, waitSeconds = 0 }: OutgoingRequest,
): Promise<HttpAnswer | { cause: unknown }> {
  const { url, method, headers, body } = request;
  const late = AbortSignal.timeout(((options.timeoutSeconds ?? TIMEOUT_SECONDS) + waitSeconds) * 1000);
  const ended = signal === undefined ? late : AbortSignal.any([late, signal]);
  try {
    const payload = body === undefined ? {} : { body };
    const response = await (options.fetch ?? fetch)(url, { method, headers, signal: ended, ...payload });
    return { status: response.status, headers: response.headers, text: await response.text() };
  } catch (cause) {
    return { cause };
  }
}

/** The seconds that the node asks to wait (RFC 9110, section 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const seconds = Number(headers.get('retry-after') ?? 'none');
  return Number.isFinite(seconds) ? seconds : undefined;
}

/** The backoff before the next attempt, in seconds: exponential, with jitter. */
function backoff(attempt: number): number {
  return 0.1 * 2 ** attempt * (0.5 + Math.random() / 2);
}

function sleep(seconds: number, signal: AbortSignal | undefined): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const slept = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, seconds * 1000);
  });
  return unlessAborted(slept, signal).finally(() => clearTimeout(timer));
}

/** Waits for something that goes on without this caller. @throws the signal's reason once it is aborted */
export function unlessAborted<Value>(promise: Promise<Value>, signal: AbortSignal | undefined): Promise<Value> {
  if (signal === undefined) return promise;
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal.reason);
    if (signal.aborted) stop();
    signal.addEventListener('abort', stop, { once: true });
    promise.then(resolve, reject).finally(() => signal.removeEventListener('abort', stop));
  });
}

/** Sends a request, and retries where that is safe: no answer came, the node is busy, or it asks for a pause. */
import { CountersignError } from './error.ts';

export interface TransportOptions {
  /** In place of the global fetch. */
  readonly fetch?: typeof fetch;
  /** How often a request is sent at most; 4 by default, 1 for no retry. */
  readonly attempts?: number;
  /** How long one attempt may take; 30 by default. */
  readonly timeoutSeconds?: number;
  /** A Retry-After longer than this is not waited for; 30 by default. */
  readonly maxWaitSeconds?: number;
}

export interface HttpRequest {
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

/**
 * @param make makes the request anew for each attempt, since some credentials are valid once
 * @param repeatable whether it may have been carried out before and still be sent again
 * @throws CountersignError NETWORK when no answer came
 */
export async function send(
  options: TransportOptions,
  make: () => Promise<HttpRequest>,
  repeatable: boolean,
): Promise<HttpAnswer> {
  const attempts = options.attempts ?? 4;
  let lost = false;
  for (let attempt = 1; ; attempt++) {
    const answer = await once(options, await make());
    const last = attempt >= attempts;
    if ('cause' in answer) {
      if (last || !repeatable) {
        throw new CountersignError('NETWORK', 'No answer came from the node.', { status: 0, cause: answer.cause });
      }
      lost = true;
      await sleep(backoff(attempt));
      continue;
    }
    // A rate-limited request was not carried out. A conflict after a lost answer is the earlier attempt, still in flight.
    const again = answer.status === 429 || (repeatable && (answer.status === 503 || (lost && answer.status === 409)));
    const waitSeconds = retryAfter(answer.headers) ?? backoff(attempt);
    if (!again || last || waitSeconds > (options.maxWaitSeconds ?? 30)) return answer;
    await sleep(waitSeconds);
  }
}

async function once(options: TransportOptions, request: HttpRequest): Promise<HttpAnswer | { cause: unknown }> {
  const { url, method, headers, body } = request;
  const signal = AbortSignal.timeout((options.timeoutSeconds ?? 30) * 1000);
  try {
    const payload = body === undefined ? {} : { body };
    const response = await (options.fetch ?? fetch)(url, { method, headers, signal, ...payload });
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

function sleep(seconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, seconds * 1000));
}

/**
 * The HTTP client for addresses that others chose: public addresses only, no redirects, one time limit for the whole
 * exchange, and a limit to the answer's length.
 */
import type { Agent, Dispatcher } from 'undici';
import type { ConnectorOptions } from './connector.ts';
import { type ExchangeFailure, failureOf } from './failure.ts';

interface ExchangeRequest {
  readonly method: 'GET' | 'POST';
  readonly url: URL;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
}

export interface HttpExchange {
  /** HTTP status; 0 when no answer began. */
  readonly status: number;
  readonly durationMs: number;
  /** The first bytes of the answer, up to `keptBytes`. */
  readonly answer: Buffer;
  /** True when the answer was longer than `maxAnswerBytes`. */
  readonly overlong: boolean;
  readonly failure: ExchangeFailure | undefined;
  /** How many seconds the answer asks to wait (RFC 9110 §10.2.3); undefined where it says none, or a date. */
  readonly retryAfterSeconds: number | undefined;
}

interface ClientOptions extends ConnectorOptions {
  /** For connecting, sending, waiting and reading together. */
  readonly timeoutMs: number;
  /** The most that is read of an answer. */
  readonly maxAnswerBytes: number;
  /** The most that is kept of it; all that is read when not given. */
  readonly keptBytes?: number | undefined;
}

export interface SafeClient {
  /** Never rejects: a failure is part of the result. */
  exchange(request: ExchangeRequest): Promise<HttpExchange>;
  close(): Promise<void>;
}

export function safeClient(options: ClientOptions): SafeClient {
  let agent: Agent | undefined;
  let opening: Promise<Agent> | undefined;
  let closed = false;
  const open = async () => {
    const { makeAgent } = await import('./undiciAgent.ts');
    agent = makeAgent(options);
    if (closed) await agent.destroy();
    return agent;
  };
  return {
    exchange: (request) =>
      new Promise((resolve) => {
        const handler = new Handler(options, resolve);
        if (agent !== undefined) return handler.begin(agent, request);
        opening ??= open();
        opening.then(
          (opened) => handler.begin(opened, request),
          (error) => {
            opening = undefined;
            handler.onResponseError(undefined, error);
          },
        );
      }),
    async close() {
      closed = true;
      await agent?.destroy();
    },
  };
}

/** One exchange. A class, since one is created for every delivery and closures would cost more. */
class Handler implements Dispatcher.DispatchHandler {
  readonly #options: ClientOptions;
  readonly #done: (exchange: HttpExchange) => void;
  readonly #started = performance.now();
  readonly #timer: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #keptLength = 0;
  #read = 0;
  #status = 0;
  #retryAfterSeconds: number | undefined;
  #settled = false;
  #controller: Dispatcher.DispatchController | undefined;

  constructor(options: ClientOptions, done: (exchange: HttpExchange) => void) {
    this.#options = options;
    this.#done = done;
    this.#timer = setTimeout(timeUp, options.timeoutMs, this);
  }

  begin(agent: Agent, request: ExchangeRequest): void {
    const { url, method, headers } = request;
    const body = request.body ?? null;
    try {
      agent.dispatch({ origin: url.origin, path: url.pathname + url.search, method, headers, body }, this);
    } catch (error) {
      this.#settle(failureOf(error, false));
    }
  }

  timeUp(): void {
    this.#settle('timeout');
    this.#controller?.abort(new Error('The exchange took too long.'));
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The time limit may have passed while the request waited for a connection.
    if (this.#settled) controller.abort(new Error('The exchange is over.'));
  }

  onResponseStart(
    _controller: Dispatcher.DispatchController,
    statusCode: number,
    headers: Readonly<Record<string, string | string[] | undefined>>,
  ): void {
    if (statusCode < 200) return;
    this.#status = statusCode;
    const after = headers['retry-after'];
    if (typeof after === 'string' && /^\d{1,9}(\.\d{1,9})?$/.test(after)) this.#retryAfterSeconds = Number(after);
  }

  onResponseData(controller: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return;
    const { maxAnswerBytes, keptBytes = maxAnswerBytes } = this.#options;
    this.#read += chunk.length;
    if (this.#keptLength < keptBytes) {
      const piece = chunk.subarray(0, keptBytes - this.#keptLength);
      this.#kept.push(piece);
      this.#keptLength += piece.length;
    }
    if (this.#read <= maxAnswerBytes) return;
    this.#settle(undefined, true);
    controller.abort(new Error('The answer is too long.'));
  }

  onResponseEnd(): void {
    this.#settle(undefined);
  }

  onResponseError(_controller: Dispatcher.DispatchController | undefined, error: Error): void {
    this.#settle(failureOf(error, this.#status > 0));
  }

  #settle(failure: ExchangeFailure | undefined, overlong = false): void {
    if (this.#settled) return;
    this.#settled = true;
    clearTimeout(this.#timer);
    this.#done({
      status: this.#status,
      durationMs: performance.now() - this.#started,
      answer: Buffer.concat(this.#kept),
      overlong,
      failure,
      retryAfterSeconds: this.#retryAfterSeconds,
    });
  }
}

function timeUp(handler: Handler): void {
  handler.timeUp();
}

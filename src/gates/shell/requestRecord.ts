/**
 * What is kept of one request at a gate: whom it is charged to (its address until the core knows its caller), what its caller
 * is told of an error, its line in the log, its span, and its place in the metrics.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { monitorEventLoopDelay } from 'node:perf_hooks';
import { isMainThread } from 'node:worker_threads';
import type { Context, Next } from 'koa';
import { Gauge, Histogram, Registry } from 'prom-client';
import { Fault, WENT_WRONG } from '../../../protocol/wire/fault.ts';
import { addressSubject } from '../../access/clientAddress.ts';
import { rateHeaders, type Verdict } from '../../access/rateLimit.ts';
import { bodyOf, type CoreReply, type ReplyBody } from '../../core/serveRequest.ts';
import type { PersonalLink } from '../../core/takeLink.ts';
import type { Log } from '../../usecase/deps.ts';
import type { CountedMetrics } from '../../usecase/metrics.ts';
import type { TraceHeaders, Tracing } from '../../usecase/tracing.ts';
import type { Gate, GateMetrics } from './gate.ts';

export interface RequestMeter {
  /** Where the request came from, as the rate limiter names it. */
  readonly address: string;
  /** What the core last made of the request; undefined before. */
  readonly coreReply: CoreReply | undefined;
  /** The bucket that was charged, or looked at, last; undefined before the first. */
  readonly verdict: Verdict | undefined;
  /** Notes what the core made of the request. @returns the core's answer @throws what the core threw */
  settle(coreReply: CoreReply): ReplyBody | undefined;
  /**
   * Charges the address, where the caller is not known.
   * @param calls how many it counts as, 1 when not given
   * @throws Fault RATE_LIMITED when it has not so many calls left
   */
  chargeAddress(calls?: number): Promise<void>;
  /** Notes where the subject of the request stands, where the core says nothing else of it. */
  note(verdict: Verdict): void;
  /** The headers that say what is left in the bucket; none before there is one. */
  headers(): Record<string, string>;
}

export function requestMeter(gate: Pick<Gate, 'core' | 'settings'>, request: IncomingMessage): RequestMeter {
  const address = addressSubject(request, gate.settings.trustedProxies);
  let coreReply: CoreReply | undefined;
  let verdict: Verdict | undefined;
  return {
    address,
    get coreReply() {
      return coreReply;
    },
    get verdict() {
      return verdict;
    },
    settle(given) {
      coreReply = given;
      verdict = given.verdict;
      return bodyOf(given);
    },
    async chargeAddress(calls) {
      const charged = await gate.core.call('chargeAddress', address, calls);
      verdict = charged.verdict;
      bodyOf(charged);
    },
    note(given) {
      verdict = given;
    },
    headers: () => (verdict === undefined ? {} : rateHeaders(verdict)),
  };
}

/** @param chargeAddress throws where the address has no calls left @returns what the caller is told */
export async function chargedFault(chargeAddress: () => Promise<void>, error: unknown): Promise<unknown> {
  try {
    await chargeAddress();
    return error;
  } catch (tooMany) {
    // One that was refused for its length says more.
    return error instanceof Fault && error.code === 'RATE_LIMITED' ? error : tooMany;
  }
}

const BYTES_A_CALL = 8192;

/** Who vouches for a message before it is read, and who pays where nothing does. */
interface Payer {
  /** Whether a credential of the request, which is not in its body, is one of a caller that is known and has calls left. */
  isVouched(): Promise<boolean>;
  readonly meter: Pick<RequestMeter, 'chargeAddress'>;
}

/**
 * Before its sender is known, a long message costs its address something: its own proof can be checked only once it is parsed and
 * written in canonical form, which takes the gate up to 2 ms for each 8 KiB.
 *
 * Charges the address of a long message for its length, unless a credential beside it vouches for it. What one call pays for
 * is read in any case: a message that is signed by a known agent is never refused because of its address.
 * @param bytes of the message @throws Fault RATE_LIMITED that says how to send it all the same
 */
export async function payForLength(payer: Payer, bytes: number): Promise<void> {
  const calls = Math.ceil(bytes / BYTES_A_CALL) - 1;
  if (calls <= 0 || (await payer.isVouched())) return;
  try {
    await payer.meter.chargeAddress(calls);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    throw new Fault(
      error.code,
      `${error.message} A message of ${bytes} bytes counts as ${calls + 1} calls of its address; send it with X-DID-Proof, ` +
        'and it counts as one of its agent alone.',
    );
  }
}

interface FailedRequest {
  readonly gate: 'rest' | 'a2a' | 'mcp';
  readonly requestId?: string;
  readonly route?: string;
}

/** @param error anything thrown @param request what the log says of it */
export function toldFault(log: Pick<Log, 'error'>, error: unknown, request: FailedRequest): Fault {
  if (error instanceof Fault) return error;
  log.error('request.failed', { ...request, error: traceOf(error) });
  return new Fault('INTERNAL_ERROR', WENT_WRONG);
}

/** For the log. */
export function traceOf(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

interface AnsweredRequest {
  readonly gate: 'rest' | 'a2a' | 'mcp';
  readonly requestId: string;
  /** Of HTTP, where the route does not say it. */
  readonly method?: string;
  /** As the gate's own table writes it: callers must not make up labels. */
  readonly route: string;
  /** Of HTTP, or the code of a JSON-RPC error, or `ok`. */
  readonly status: number | string;
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  /** Undefined where the core did not get to know its caller. */
  readonly caller: CoreReply['caller'];
}

export function recordRequest(
  { metrics, log, tracing }: Pick<Gate, 'metrics' | 'log' | 'tracing'>,
  request: AnsweredRequest,
): void {
  const { gate, requestId, method, route, status, startedAt, caller } = request;
  const ms = performance.now() - startedAt;
  metrics.request(gate, route, String(status), ms / 1000);
  const span = tracing?.current();
  span?.rename(`${method ?? gate} ${route}`);
  span?.set({
    'countersign.gate': gate,
    [method === undefined ? 'rpc.method' : 'http.route']: route,
    'countersign.status': status,
    'countersign.request.id': requestId,
  });
  log.info('request', {
    requestId,
    gate,
    method,
    route,
    status,
    ms: Math.round(ms * 10) / 10,
    caller: caller?.kind,
    callerId: caller?.id,
  });
}

/** Asked every few seconds by machines; their traces would hide the others. */
const UNTRACED: ReadonlySet<string | undefined> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * Answers a request within a span, which continues the caller's trace where it names one.
 * @returns what is to be called when its response is closed, or its connection is
 */
export function traceRequest(
  tracing: Tracing | undefined,
  request: IncomingMessage,
  response: ServerResponse,
  answer: () => void,
): () => void {
  if (tracing === undefined || UNTRACED.has(request.url?.split('?')[0])) {
    answer();
    return () => {};
  }
  const method = request.method ?? '';
  let end = () => {};
  const closed = new Promise<void>((resolve) => {
    end = resolve;
  });
  void tracing.within(headersOf(request), () =>
    tracing.span(method, 'server', async (span) => {
      answer();
      await closed;
      const { statusCode } = response;
      span.set({ 'http.request.method': method, 'http.response.status_code': statusCode });
      if (statusCode >= 500) span.fail(String(statusCode));
    }),
  );
  return end;
}

function headersOf({ headers }: IncomingMessage): TraceHeaders {
  const { traceparent, tracestate } = headers as Readonly<Record<string, string | string[] | undefined>>;
  if (typeof traceparent !== 'string') return {};
  return tracestate === undefined ? { traceparent } : { traceparent, tracestate: String(tracestate) };
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];

interface GateCounters extends GateMetrics {
  count(): Promise<CountedMetrics>;
}

export function gateMetrics(): GateCounters {
  const registry = new Registry();
  const registers = [registry];
  const requests = new Histogram({
    name: 'countersign_request_seconds',
    help: 'Answered requests by gate, route and status, with the time to answer.',
    labelNames: ['gate', 'route', 'status'],
    buckets: SECONDS,
    registers,
  });
  // In the core's thread the core measures it.
  if (!isMainThread) addLag(registry);
  return {
    request: (gate, route, status, seconds) => requests.observe({ gate, route, status }, seconds),
    count: () => registry.getMetricsAsJSON(),
  };
}

function addLag(registry: Registry): void {
  const delay = monitorEventLoopDelay();
  delay.enable();
  new Gauge({
    name: 'countersign_gate_eventloop_lag_p99_seconds',
    help: 'How late the event loop of the gate’s thread was, 99th percentile since the last time this was read.',
    registers: [registry],
    aggregator: 'max',
    collect() {
      this.set(delay.percentile(99) / 1e9);
      delay.reset();
    },
  });
}

/** In any letters, so that a call to a misspelt path is charged as well. */
const LIMITED = /^\/(ap2|a2a|mcp|admin|approve|enroll|metrics)(\/|$)/i;

/** Tells every caller of a limited path where it stands. */
export function rateLimitHeaders(gate: Gate): (context: Context, next: Next) => Promise<void> {
  return async (context, next) => {
    if (!LIMITED.test(context.path)) return next();
    try {
      await next();
    } finally {
      const { verdict, address } = meterOf(context);
      const headers = rateHeaders(verdict ?? (await gate.core.call('peekAddress', address)));
      if (!context.headerSent) {
        for (const name in headers) context.res.setHeader(name, headers[name] as string);
      }
    }
  };
}

/**
 * Charges a call to the address it came from: one without a credential, or one whose credential does not hold.
 * @throws Fault RATE_LIMITED
 */
export async function chargeAddress(context: Context): Promise<void> {
  if (LIMITED.test(context.path)) await meterOf(context).chargeAddress();
}

/** Charges a call to the link that it goes by, or to its address where there is no such link. @throws Fault RATE_LIMITED */
export async function chargeLink(gate: Gate, context: Context, link: PersonalLink): Promise<void> {
  const meter = meterOf(context);
  meter.settle(await gate.core.call('takeLink', meter.address, link));
}

/** Charges the address for what failed where nothing was charged yet. @returns what the caller is told */
export async function chargedOnce(context: Context, error: unknown): Promise<unknown> {
  return meterOf(context).verdict === undefined ? chargedFault(() => chargeAddress(context), error) : error;
}

/** The meter of a request, which the facade gives it first. */
export function meterOf(context: Context): RequestMeter {
  return context.state.meter as RequestMeter;
}

/** The trace of a request (W3C Trace Context), from its gate to the webhooks that it causes. Without a collector there is none. */
import type { CountedMetrics } from './metrics.ts';

/** The headers `traceparent` and `tracestate`, in lower case; none outside of a trace. */
export type TraceHeaders = Readonly<Record<string, string>>;

/** What a span says of itself: no secret, no DID, no id of a person, no amount. */
type SpanAttributes = Readonly<Record<string, string | number | boolean>>;

export interface OpenSpan {
  rename(name: string): void;
  set(attributes: SpanAttributes): void;
  /** @param type the code of a fault, or another short name */
  fail(type: string): void;
}

/** OpenTelemetry's kinds of spans: which side of an exchange it is. */
type SpanKind = 'server' | 'internal' | 'client';

export interface Tracing {
  /** Of the span that is current. */
  headers(): TraceHeaders;
  /** For the log; undefined outside of a trace. */
  ids(): { readonly trace_id: string; readonly span_id: string } | undefined;
  /** Runs what belongs to a span of another process, thread or time. @param headers none begin a trace of its own */
  within<T>(headers: TraceHeaders, run: () => T): T;
  /** Runs a part of the current span, as a span of its own. What it throws is thrown on. */
  span<T>(name: string, kind: SpanKind, run: (span: OpenSpan) => Promise<T>): Promise<T>;
  /** The span that is current; undefined outside of a trace. */
  current(): OpenSpan | undefined;
}

/** What sends what one thread of a node does to a collector. */
export interface Observer {
  /** Undefined where traces are not sent. */
  readonly tracing: Tracing | undefined;
  /** Sends metrics from now on, where they are to be sent. */
  sendMetrics(collect: () => Promise<CountedMetrics>): void;
  /** Sends what waits, for a second at most. */
  stop(): Promise<void>;
}

/** Spans by OpenTelemetry. The context follows asynchronous calls by Node's own AsyncLocalStorage; nothing is global. */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  type Context,
  defaultTextMapGetter,
  defaultTextMapSetter,
  SpanKind as Kind,
  ROOT_CONTEXT,
  type Span,
  SpanStatusCode,
  type Tracer,
  trace,
} from '@opentelemetry/api';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { OpenSpan, Tracing } from '../../usecase/tracing.ts';

const KINDS = { server: Kind.SERVER, internal: Kind.INTERNAL, client: Kind.CLIENT };

export function tracingBy(tracer: Tracer): Tracing {
  const contexts = new AsyncLocalStorage<Context>();
  const propagator = new W3CTraceContextPropagator();
  const here = () => contexts.getStore() ?? ROOT_CONTEXT;
  return {
    headers() {
      const headers: Record<string, string> = {};
      propagator.inject(here(), headers, defaultTextMapSetter);
      return headers;
    },
    ids() {
      const { traceId, spanId } = trace.getSpanContext(here()) ?? {};
      return traceId === undefined || spanId === undefined ? undefined : { trace_id: traceId, span_id: spanId };
    },
    within: (headers, run) => contexts.run(propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter), run),
    async span(name, kind, run) {
      const parent = here();
      const span = tracer.startSpan(name, { kind: KINDS[kind] }, parent);
      const open = openSpan(span);
      try {
        return await contexts.run(trace.setSpan(parent, span), () => run(open));
      } catch (error) {
        if (error instanceof Fault && error.mapping.http < 500) open.set({ 'error.type': error.code });
        else open.fail(error instanceof Fault ? error.code : 'error');
        throw error;
      } finally {
        span.end();
      }
    },
    current() {
      const span = trace.getSpan(here());
      return span && openSpan(span);
    },
  };
}

function openSpan(span: Span): OpenSpan {
  return {
    rename: (name) => void span.updateName(name),
    set: (attributes) => void span.setAttributes(attributes),
    fail(type) {
      span.setAttribute('error.type', type);
      span.setStatus({ code: SpanStatusCode.ERROR });
    },
  };
}

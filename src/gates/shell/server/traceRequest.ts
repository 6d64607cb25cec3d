/** The span of an HTTP request, from its head to the end of its response. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { TraceHeaders, Tracing } from '../../../usecase/tracing.ts';

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

/** A post as a span of the trace that caused its event. */
import type { Outcome } from '../usecase/deliveryKind.ts';
import type { TraceHeaders, Tracing } from '../usecase/tracing.ts';
import type { Lease } from './endpointHealth.ts';

const NONE: TraceHeaders = {};

/** @param post is given the headers that name the trace to the endpoint; a service that tells a person is not told of it */
export function tracePost(
  tracing: Tracing | undefined,
  { delivery, trace }: Pick<Lease, 'delivery' | 'trace'>,
  post: (headers: TraceHeaders) => Promise<Outcome>,
): Promise<Outcome> {
  if (tracing === undefined || trace === null) return post(NONE);
  return tracing.within(JSON.parse(trace) as TraceHeaders, () =>
    tracing.span(`webhook ${delivery.event_type}`, 'client', async (span) => {
      const outcome = await post(tracing.headers());
      const { status, error } = outcome;
      span.set({ 'http.request.method': 'POST', 'countersign.webhook.attempt': delivery.attempts + 1 });
      if (status > 0) span.set({ 'http.response.status_code': status });
      if (error !== undefined) span.fail(error);
      return outcome;
    }),
  );
}

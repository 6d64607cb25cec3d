/** Counts and logs a request once it is answered. */

import type { Taken } from '../../core/taken.ts';
import type { Gate } from './gate.ts';

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
  readonly caller: Taken['caller'];
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

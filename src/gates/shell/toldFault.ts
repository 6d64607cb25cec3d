/** The fault that a caller is told of. An error that is no Fault is logged, and the answer says nothing of it. */
import { Fault, WENT_WRONG } from '../../../protocol/wire/fault.ts';
import type { Log } from '../../usecase/deps.ts';

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

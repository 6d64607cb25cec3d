/**
 * The last resort of a gate: a request whose handler fails unforeseen ends by itself, and not with the process, which an
 * unhandled rejection would end for every caller.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { WENT_WRONG } from '../../../../protocol/wire/fault.ts';
import type { Log } from '../../../usecase/deps.ts';
import { traceOf } from '../toldFault.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/** @returns what answers by `handle`; where that fails, it logs the reason, answers 500 without a word of it, or ends what began */
export function answerSafely(
  log: Pick<Log, 'error'>,
  handle: Handle,
): (request: IncomingMessage, response: ServerResponse) => void {
  return (request, response) => {
    const failed = (error: unknown) => {
      log.error('request.failed', { gate: 'http', error: traceOf(error) });
      if (response.headersSent) response.destroy();
      else
        response
          .writeHead(500, { 'Content-Type': 'text/plain; charset=utf-8', Connection: 'close' })
          .end(`${WENT_WRONG}\n`);
    };
    try {
      handle(request, response).catch(failed);
    } catch (error) {
      failed(error);
    }
  };
}

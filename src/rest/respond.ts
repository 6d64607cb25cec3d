/** Answers of the facade: bodies as they were written, errors in one shape. */

import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { compact } from '../../protocol/wire/compact.ts';
import type { ErrorBody } from '../../protocol/wire/errorBody.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { TOUCH_SECONDS } from '../access/caller.ts';
import { Streamed } from '../usecase/streamed.ts';

/** Where every error code is explained; errors carry the address. */
export const ERRORS_PATH = '/docs/errors';

/** @param text JSON, nothing, or the pieces of a long answer */
export function respond(context: Context, status: number, text: string | Streamed): void {
  if (text instanceof Streamed) {
    context.status = status;
    // `attachment` guesses a type by the name; what is said here holds.
    if (text.fileName !== undefined) context.attachment(text.fileName);
    context.type = text.contentType;
    // A proxy that collects an answer before it passes it on would hold back what is to be seen at once.
    if (text.contentType.startsWith('text/event-stream')) context.set('X-Accel-Buffering', 'no');
    context.body = Readable.from(text.pieces);
    return;
  }
  context.status = text === '' ? 204 : status;
  if (text === '') return;
  context.type = 'application/json; charset=utf-8';
  context.body = text;
}

/** For any object: given one as it is, Koa compares it with the classes of `fetch`, which loads them (about 25 ms, once). */
export function answerJson(context: Context, output: object): void {
  context.type = 'application/json; charset=utf-8';
  context.body = JSON.stringify(output);
}

/** What a 401 asks for (RFC 6750 section 3; a fresh touch: RFC 9470 section 3). */
export function challengeOf(error: unknown, baseUrl: string): string {
  const realm = `Bearer realm="${baseUrl}"`;
  if (!(error instanceof Fault) || error.code !== 'STEP_UP_REQUIRED') return realm;
  return `${realm}, error="insufficient_user_authentication", max_age=${TOUCH_SECONDS}`;
}

/**
 * @param error anything thrown; what is no Fault is answered without a word about it
 * @param baseUrl the node's public address, where its codes are explained
 */
export function errorBody(
  error: unknown,
  requestId: string,
  baseUrl: string,
): { readonly status: number; readonly body: ErrorBody } {
  const fault =
    error instanceof Fault ? error : new Fault('INTERNAL_ERROR', 'Something went wrong here; it has been logged.');
  const code = fault.mapping.shownAs ?? fault.code;
  return {
    status: fault.mapping.http,
    body: {
      error: compact({
        code,
        message: fault.message,
        requestId,
        docs: `${baseUrl}${ERRORS_PATH}#${code}`,
        details: fault.details && [...fault.details],
      }),
    },
  };
}

/** Answers of the facade: bodies as they were written, errors in one shape. */

import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { compact } from '../../protocol/wire/compact.ts';
import type { ErrorBody } from '../../protocol/wire/errorBody.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { Streamed } from '../handlers/core/streamed.ts';

/** Where every error code is explained; errors carry the address. */
export const ERRORS_PATH = '/docs/errors';

/** @param text JSON, nothing, or the pieces of a long answer */
export function respond(context: Context, status: number, text: string | Streamed): void {
  if (text instanceof Streamed) {
    context.status = status;
    context.type = text.contentType;
    context.body = Readable.from(text.pieces);
    return;
  }
  context.status = text === '' ? 204 : status;
  if (text === '') return;
  context.type = 'application/json; charset=utf-8';
  context.body = text;
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

/** Answers of the facade: bodies as they were rendered, errors in one shape. */

import { Readable } from 'node:stream';
import type { Context } from 'koa';
import type { ErrorBody } from '../../protocol/wire/fault.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { Streamed } from '../handlers/core/streamed.ts';

/** Where every error code is explained; errors carry the address. */
export const ERRORS_PATH = '/docs/errors';

/** What a use case's answer is once rendered: JSON text, nothing, or pieces of a long one. */
export type RestWire = string | Streamed;

export function respond(context: Context, status: number, wire: RestWire): void {
  if (wire instanceof Streamed) {
    context.status = status;
    context.type = wire.contentType;
    context.body = Readable.from(wire.pieces);
    return;
  }
  context.status = wire === '' ? 204 : status;
  if (wire === '') return;
  context.type = 'application/json; charset=utf-8';
  context.body = wire;
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
      error: {
        code,
        message: fault.message,
        requestId,
        docs: `${baseUrl}${ERRORS_PATH}#${code}`,
        ...(fault.details === undefined ? {} : { details: [...fault.details] }),
      },
    },
  };
}

/** Answers of the facade: bodies as they were written, errors in one shape. */

import { Readable } from 'node:stream';
import type { Context } from 'koa';
import { compact } from '../../../protocol/wire/compact.ts';
import type { ErrorBody, Problem } from '../../../protocol/wire/errorBody.ts';
import type { Fault } from '../../../protocol/wire/fault.ts';
import { Streamed } from '../../usecase/streamed.ts';

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

const PROBLEM = 'application/problem+json';

/** An error in the one shape of this node, or as a problem (RFC 9457) where the caller would rather have that. */
export function answerError(context: Context, fault: Fault, requestId: string, baseUrl: string): void {
  context.status = fault.mapping.http;
  context.vary('Accept');
  const body = errorBody(fault, requestId, baseUrl);
  if (context.accepts('application/json', PROBLEM) !== PROBLEM) {
    answerJson(context, body);
    return;
  }
  const { code, message, docs, details } = body.error;
  const title = sentenceCase(code);
  const problem: Problem = { type: docs, title, status: context.status, detail: message, code, requestId };
  answerJson(context, compact({ ...problem, errors: details }));
  context.type = PROBLEM;
}

/** "Not found" of NOT_FOUND. */
function sentenceCase(code: string): string {
  const words = code
    .toLowerCase()
    .replaceAll('_', ' ')
    .replace(/\bapi\b/, 'API');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** @param baseUrl the node's public address, where its codes are explained */
function errorBody(fault: Fault, requestId: string, baseUrl: string): ErrorBody {
  const { shownCode: code, message, details } = fault;
  const docs = `${baseUrl}${ERRORS_PATH}#${code}`;
  return { error: compact({ code, message, requestId, docs, details: details && [...details] }) };
}

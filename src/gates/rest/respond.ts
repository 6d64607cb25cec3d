/**
 * Answers of the facade: bodies as they were written or in the form of a credential, errors in one shape, and the headers
 * that every answer has.
 */
import { Readable } from 'node:stream';
import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';
import { compact } from '../../../protocol/wire/compact.ts';
import type { ErrorBody, Problem } from '../../../protocol/wire/errorBody.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { Route } from './routes.ts';

/** Where every error code is explained; errors carry the address. */
export const ERRORS_PATH = '/docs/errors';

/** @param text JSON, nothing, or the pieces of a long answer */
export function respond(context: Context, status: number, text: string | ByteStream): void {
  if (text instanceof ByteStream) {
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

/** The forms of a credential by the media types that name them (W3C VC-JOSE-COSE section 6, VCDM 2.0 section C). */
const FORMS = { 'application/json': undefined, 'application/vc': 'vc', 'application/vc+jwt': 'vc+jwt' } as const;
type MediaType = keyof typeof FORMS;
const TYPES = Object.keys(FORMS) as MediaType[];

/** @throws Fault NOT_ACCEPTABLE where the caller takes none of them */
export function formOf(context: Context, { hasForms }: Pick<Route, 'hasForms'>): { readonly as?: string } {
  if (hasForms !== true) return {};
  // Of every answer, also of one without a body (RFC 9110 section 15.4.5).
  context.vary('Accept');
  const as = FORMS[chosen(context)];
  return as === undefined ? {} : { as };
}

/** @param text the answer as JSON @returns false where it is to be sent as JSON */
export function respondInForm(context: Context, text: string | ByteStream): boolean {
  const type = chosen(context);
  if (type === 'application/json') return false;
  context.status = 200;
  // A token is a text of its own.
  context.body = type === 'application/vc+jwt' ? JSON.parse(String(text)) : text;
  context.type = type;
  return true;
}

function chosen(context: Context): MediaType {
  const type = context.accepts(TYPES);
  if (type !== false) return type as MediaType;
  throw new Fault('NOT_ACCEPTABLE', `A credential is served as ${TYPES.join(', ')}; name one of them in Accept.`);
}

const SAFE = {
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Referrer-Policy': 'no-referrer',
  'Content-Security-Policy': "default-src 'none'; frame-ancestors 'none'",
  'Cross-Origin-Resource-Policy': 'same-origin',
  'Cache-Control': 'no-store',
};

/** @param baseUrl an https address also asks browsers to stay with https */
export function securityHeaders(baseUrl: string): Middleware {
  const headers = Object.entries(
    baseUrl.startsWith('https:')
      ? { ...SAFE, 'Strict-Transport-Security': 'max-age=31536000; includeSubDomains' }
      : SAFE,
  );
  return (context: Context, next: Next) => {
    for (const [name, value] of headers) context.res.setHeader(name, value);
    return next();
  };
}

/** Lets pages of the configured origins call the API, and no others. */
export function crossOrigin(origins: readonly string[]): Middleware {
  return cors({
    origin: (context) => {
      const origin = context.get('Origin');
      return origins.includes(origin) ? origin : '';
    },
    exposeHeaders: [
      'X-Request-Id',
      'X-RateLimit-Limit',
      'X-RateLimit-Remaining',
      'X-RateLimit-Reset',
      'Retry-After',
      'ETag',
      'Idempotent-Replayed',
    ],
  });
}

/** Lets pages of every origin read an answer that is the same for everybody. */
export function everyOrigin(context: Context): void {
  context.set('Access-Control-Allow-Origin', '*');
  context.set('Cross-Origin-Resource-Policy', 'cross-origin');
}

/** Sets an entity tag, and answers 304 to a caller that has this version already (RFC 9110 section 13.1.2). */
export function tagged(context: Context, tag: string): boolean {
  context.set('ETag', tag);
  if (context.method !== 'GET' && context.method !== 'HEAD') return false;
  context.set('Cache-Control', 'no-cache');
  // Not `context.fresh`, which ignores the tag when the request says "no-cache", as fetch does by itself.
  const known = context.get('If-None-Match').split(',');
  if (!known.some((each) => each.trim().replace(/^W\//, '') === tag)) return false;
  context.status = 304;
  return true;
}

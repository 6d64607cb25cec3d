/**
 * What every gate over HTTP does alike: which pages may call it, what a 401 asks for, JSON in and out, the path behind a
 * proxy, and an answer where a handler fails.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Fault, WENT_WRONG } from '../../../protocol/wire/fault.ts';
import { isJson } from '../../access/body.ts';
import { TOUCH_SECONDS } from '../../access/caller.ts';
import type { Log } from '../../usecase/deps.ts';
import type { Gate } from './gate.ts';
import { traceOf } from './requestRecord.ts';

type Settings = Pick<Gate['settings'], 'baseUrl' | 'corsOrigins'>;

/** The headers by which an answer names the configured origin that asked. The facade answers preflight requests. */
export function allowedOrigin({ corsOrigins }: Settings, origin: string | undefined): Record<string, string> {
  if (corsOrigins.length === 0) return {};
  const isAllowed = origin !== undefined && corsOrigins.includes(origin);
  return isAllowed ? { Vary: 'Origin', 'Access-Control-Allow-Origin': origin } : { Vary: 'Origin' };
}

/**
 * A page of another site is told by its origin, which browsers send with what they do for it.
 * @param asks what the page asks for, as the refusal says it @throws Fault FORBIDDEN
 */
export function requireOwnOrigin({ baseUrl, corsOrigins }: Settings, origin: string | undefined, asks: string): void {
  if (origin === undefined || origin === new URL(baseUrl).origin || corsOrigins.includes(origin)) return;
  throw new Fault('FORBIDDEN', `Pages of ${origin} may not ${asks}; see CORS_ORIGINS.`);
}

/** @param contentType the header of the request @throws Fault UNSUPPORTED_MEDIA_TYPE */
export function requireJson(contentType: string | undefined): void {
  if (isJson(contentType)) return;
  throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'Send the body as "Content-Type: application/json".');
}

/** @param text JSON @param headers those of this answer alone */
export function sendJson(
  response: ServerResponse,
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): void {
  response.writeHead(status, {
    ...headers,
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(text),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
  });
  response.end(text);
}

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

/**
 * The last resort of a gate: a request whose handler fails unforeseen ends by itself, and not with the process, which an unhandled
 * rejection would end for every caller.
 * @returns what answers by `handle`; where that fails, it logs the reason, answers 500 without a word of it, or ends what began
 */
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

/** Where the node's own paths begin. Below such a path it cannot be told whether a proxy took it off. */
const OWN = /^\/(ap2|a2a|mcp|admin|approve|enroll|account|pages|docs|\.well-known)(\/|$)/;

/** @returns takes the path of the public address off a request that still has it */
export function publicPath(baseUrl: string): (request: IncomingMessage) => void {
  const prefix = new URL(baseUrl).pathname.replace(/\/+$/, '');
  if (prefix === '' || OWN.test(prefix)) return () => {};
  return (request) => {
    const { url = '/' } = request;
    if (!url.startsWith(prefix)) return;
    const rest = url.slice(prefix.length);
    if (rest === '' || rest.startsWith('?')) request.url = `/${rest}`;
    else if (rest.startsWith('/')) request.url = rest;
  };
}

/**
 * The header WWW-Authenticate (RFC 6750 section 3; a fresh touch: RFC 9470 section 3).
 * @param metadataUrl where the protected resource says how to get a token for it (RFC 9728 section 5.1), if it does
 */
export function challengeOf({ code }: Pick<Fault, 'code'>, baseUrl: string, metadataUrl?: string): string {
  if (metadataUrl !== undefined) return `Bearer resource_metadata="${metadataUrl}", scope="read write"`;
  const realm = `Bearer realm="${baseUrl}"`;
  if (code !== 'STEP_UP_REQUIRED') return realm;
  return `${realm}, error="insufficient_user_authentication", max_age=${TOUCH_SECONDS}`;
}

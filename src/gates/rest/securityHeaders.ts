/** Security headers of every answer of the facade, cross-origin access where it is configured, and entity tags. */
import cors from '@koa/cors';
import type { Context, Middleware, Next } from 'koa';

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

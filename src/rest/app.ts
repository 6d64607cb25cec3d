/** The REST facade: finds the route of a request, and turns whatever goes wrong on its way into one shape of error. */
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { Fault } from '../../protocol/wire/fault.ts';
import type { Caller } from '../access/caller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import type { OpenRoute } from './openRoute.ts';
import { chargeAddress, rateLimitHeaders } from './rateLimits.ts';
import { serveRoute } from './requestWay.ts';
import { errorBody } from './respond.ts';
import { type Route, routes } from './routes.ts';
import { crossOrigin, securityHeaders } from './securityHeaders.ts';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** @param open every route without a use case behind it */
export function restApp(deps: Deps, open: readonly OpenRoute[]): Koa {
  const app = new Koa();
  // Paths differ by their letters (RFC 3986 section 6.2.2.1); whatever compares one elsewhere takes it as it came.
  const router = new Router({ strict: true, sensitive: true, exclusive: 'specificity' });
  for (const route of open) router.register(route.path, [route.method], serveOpen(deps, route));
  for (const route of routes) {
    router.register(route.path, [route.method], (context: Context) => serveRoute({ deps, route, context }));
  }
  app.use(observe(deps));
  app.use(securityHeaders(deps.settings.baseUrl));
  app.use(answerErrors(deps, router));
  if (deps.settings.corsOrigins.length > 0) app.use(crossOrigin(deps.settings.corsOrigins));
  app.use(rateLimitHeaders(deps));
  app.use(serveFixed(deps));
  app.use(router.routes());
  app.on('error', (error) => deps.log.info('connection.failed', { error: String(error) }));
  return app;
}

/** Counts and logs each request once it is answered. */
function observe(deps: Deps) {
  return async (context: Context, next: Next): Promise<void> => {
    const startedAt = performance.now();
    await next();
    const ms = performance.now() - startedAt;
    const route = String(context._matchedRoute ?? 'none');
    deps.metrics.request('rest', route, String(context.status), ms / 1000);
    const { requestId, caller } = context.state as { requestId: string; caller: Caller | undefined };
    const { method, status } = context;
    deps.log.info('request', {
      requestId,
      gate: 'rest',
      method,
      route,
      status,
      ms: Math.round(ms * 10) / 10,
      caller: caller?.kind,
      callerId: caller?.id,
    });
  };
}

function answerErrors(deps: Deps, router: Router) {
  return async (context: Context, next: Next): Promise<void> => {
    // A client may name its request for its own tracing; nothing is told apart by that name.
    const asked = context.get('x-request-id');
    const requestId = REQUEST_ID.test(asked) ? asked : deps.newId('req_');
    context.res.setHeader('X-Request-Id', requestId);
    context.state.requestId = requestId;
    try {
      await next();
      if (context.status === 404 && context.body == null) {
        chargeAddress(deps, context);
        throw missing(router, context);
      }
    } catch (error) {
      if (!(error instanceof Fault)) {
        const route = context._matchedRoute ?? context.path;
        deps.log.error('request.failed', { requestId, gate: 'rest', route, error: trace(error) });
      }
      const { status, body } = errorBody(error, requestId, deps.settings.baseUrl);
      context.status = status;
      context.body = body;
    }
  };
}

/** The router tries one path after the other; most requests are for one without parameters, found by its name. */
function serveFixed(deps: Deps) {
  const fixed = new Map(
    routes.filter(({ path }) => !path.includes(':')).map((route) => [`${route.method} ${route.path}`, route]),
  );
  return (context: Context, next: Next): Promise<void> => {
    const route: Route | undefined = fixed.get(`${context.method} ${context.path}`);
    if (route === undefined) return next();
    context._matchedRoute = route.path;
    return serveRoute({ deps, route, context });
  };
}

/** A call to an open route charges its address, unless what it carries vouches for it. */
function serveOpen(deps: Deps, route: OpenRoute) {
  return async (context: Context): Promise<void> => {
    if (route.vouched !== true) chargeAddress(deps, context);
    try {
      await route.answer(context);
    } catch (error) {
      if (route.vouched === true) chargeAddress(deps, context);
      throw error;
    }
  };
}

function missing(router: Router, context: Context): Fault {
  const allowed = new Set(router.match(context.path, context.method).path.flatMap((layer) => layer.methods));
  if (allowed.size === 0) return new Fault('NOT_FOUND', `There is nothing at ${context.path}.`);
  const methods = [...allowed].sort().join(', ');
  context.set('Allow', methods);
  return new Fault('METHOD_NOT_ALLOWED', `${context.method} is not served here; use ${methods}.`);
}

function trace(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}

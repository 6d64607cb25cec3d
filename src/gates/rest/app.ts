/** The REST facade: finds the route of a request, and turns each failure on its way into one shape of error. */
import Router from '@koa/router';
import Koa, { type Context, type Next } from 'koa';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Gate } from '../shell/gate.ts';
import { challengeOf } from '../shell/http.ts';
import {
  chargeAddress,
  chargedOnce,
  chargeLink,
  rateLimitHeaders,
  recordRequest,
  requestMeter,
  toldFault,
} from '../shell/requestRecord.ts';
import type { OpenRoute } from './openRoute.ts';
import { serveRoute } from './request.ts';
import { answerError, crossOrigin, securityHeaders } from './respond.ts';
import type { Route } from './routes.ts';

const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** What the facade of a node serves. */
export interface FacadeRoutes {
  /** Those of operations. */
  readonly routes: readonly Route[];
  /** Every one without a use case behind it. */
  readonly open: readonly OpenRoute[];
  /** The paths that an extension would have, with the name of the extension that the node runs without. */
  readonly absent: readonly { readonly path: string; readonly extension: string }[];
}

export function restApp(gate: Gate, { routes, open, absent }: FacadeRoutes): Koa {
  const app = new Koa();
  // Paths differ by their letters (RFC 3986 section 6.2.2.1); code that compares one elsewhere takes it as it came.
  const router = new Router({ strict: true, sensitive: true, exclusive: 'specificity' });
  for (const route of open) router.register(route.path, [route.method], serveOpen(gate, route));
  for (const route of routes) {
    router.register(route.path, [route.method], (context: Context) => serveRoute({ gate, route, context }));
  }
  app.use(observe(gate));
  app.use(securityHeaders(gate.settings.baseUrl));
  app.use(answerErrors(gate, router, absentRouter(absent)));
  if (gate.settings.corsOrigins.length > 0) app.use(crossOrigin(gate.settings.corsOrigins));
  app.use(rateLimitHeaders(gate));
  app.use(serveFixed(gate, routes));
  app.use(router.routes());
  app.on('error', (error) => gate.log.info('connection.failed', { error: String(error) }));
  return app;
}

/** Counts and logs each request once it is answered. */
function observe(gate: Gate) {
  return async (context: Context, next: Next): Promise<void> => {
    const startedAt = performance.now();
    const meter = requestMeter(gate, context.req);
    context.state.meter = meter;
    await next();
    const { requestId } = context.state as { requestId: string };
    const { method, status } = context;
    const route = String(context._matchedRoute ?? 'none');
    recordRequest(gate, { gate: 'rest', requestId, method, route, status, startedAt, caller: meter.coreReply?.caller });
  };
}

function answerErrors(gate: Gate, router: Router, absent: Router) {
  return async (context: Context, next: Next): Promise<void> => {
    // A client may name its request for its own tracing; nothing is told apart by that name.
    const asked = context.get('x-request-id');
    const requestId = REQUEST_ID.test(asked) ? asked : gate.newId('req_');
    context.res.setHeader('X-Request-Id', requestId);
    context.state.requestId = requestId;
    try {
      await next();
      if (context.status === 404 && context.body == null) {
        await chargeAddress(context);
        throw missing(router, context, absent.match(context.path, 'GET').path[0]?.name);
      }
    } catch (error) {
      const route = String(context._matchedRoute ?? context.path);
      const fault = toldFault(gate.log, error, { gate: 'rest', requestId, route });
      const { baseUrl } = gate.settings;
      if (fault.mapping.http === 401) context.set('WWW-Authenticate', challengeOf(fault, baseUrl));
      // What is wrong is over soon, or another node of the same database answers.
      if (fault.mapping.http === 503) context.set('Retry-After', '1');
      answerError(context, fault, requestId, baseUrl);
    }
  };
}

/** The router tries one path after the other; most requests are for one without parameters, found by its name. */
function serveFixed(gate: Gate, routes: readonly Route[]) {
  const fixed = new Map(
    routes.filter(({ path }) => !path.includes(':')).map((route) => [`${route.method} ${route.path}`, route]),
  );
  return (context: Context, next: Next): Promise<void> => {
    const route: Route | undefined = fixed.get(`${context.method} ${context.path}`);
    if (route === undefined) return next();
    context._matchedRoute = route.path;
    return serveRoute({ gate, route, context });
  };
}

/** A call to an open route charges its address, unless it goes by a link or what it carries vouches for it. */
function serveOpen(gate: Gate, route: OpenRoute) {
  return async (context: Context): Promise<void> => {
    if (route.link !== undefined) await chargeLink(gate, context, route.link(context));
    else if (route.vouched !== true) await chargeAddress(context);
    try {
      await route.answer(context);
    } catch (error) {
      throw route.vouched === true ? await chargedOnce(context, error) : error;
    }
  };
}

/** Serves nothing: it finds by its pattern the extension that a path would be of. */
function absentRouter(absent: FacadeRoutes['absent']): Router {
  const router = new Router({ strict: true, sensitive: true });
  for (const { path, extension } of absent) router.register(path, ['GET'], () => {}, { name: extension });
  return router;
}

/** @param extension that the node runs without, and that would answer here */
function missing(router: Router, context: Context, extension: string | undefined): Fault {
  if (extension !== undefined) return new Fault('NOT_FOUND', `This node runs without ${extension}.`);
  const allowed = new Set(router.match(context.path, context.method).path.flatMap((layer) => layer.methods));
  if (allowed.size === 0) return new Fault('NOT_FOUND', `There is nothing at ${context.path}.`);
  const methods = [...allowed].sort().join(', ');
  context.set('Allow', methods);
  return new Fault('METHOD_NOT_ALLOWED', `${context.method} is not served here; use ${methods}.`);
}

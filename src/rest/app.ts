/** The REST facade: a row of the route table, a caller, an input, a use case, an answer. */
import Router from '@koa/router';
import Koa, { type Context } from 'koa';
import { Fault } from '../../protocol/wire/fault.ts';
import { readBody } from '../access/body.ts';
import { requirePermission } from '../access/caller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import { parseInput } from '../handlers/core/parseInput.ts';
import { perform } from '../handlers/core/perform.ts';
import { table } from '../handlers/core/table.ts';
import type { UseCase } from '../handlers/core/useCase.ts';
import { restEnvelope } from './answerEnvelope.ts';
import { authenticate } from './authenticate.ts';
import { parseJsonBody } from './jsonBody.ts';
import { forgetRefreshToken } from './loginCookies.ts';
import type { OpenRoute } from './openRoute.ts';
import { chargeCaller, limitAddress } from './rateLimited.ts';
import { errorBody, respond } from './respond.ts';
import { type Route, routes } from './routes.ts';
import { crossOrigin, securityHeaders, tagged } from './securityHeaders.ts';

const NOTHING = Buffer.alloc(0);
const REQUEST_ID = /^[\w.:-]{1,128}$/;

/** @param open every route without a use case behind it */
export function restApp(deps: Deps, open: readonly OpenRoute[]): Koa {
  const app = new Koa();
  const router = new Router({ strict: true, exclusive: 'specificity' });
  for (const { method, path, answer } of open) router.register(path, [method], answer);
  for (const route of routes) {
    router.register(route.path, [route.method], (context: Context) => serve(deps, route, context));
  }
  const fixed = new Map(routes.filter(isFixed).map((route) => [`${route.method} ${route.path}`, route]));

  app.use(async (context, next) => {
    const startedAt = performance.now();
    await next();
    const route = context._matchedRoute ?? 'none';
    deps.metrics.request('rest', String(route), String(context.status), (performance.now() - startedAt) / 1000);
  });
  app.use(securityHeaders(deps.settings.baseUrl));
  app.use(async (context, next) => {
    const asked = context.get('x-request-id');
    const requestId = REQUEST_ID.test(asked) ? asked : deps.newId('req_');
    context.res.setHeader('X-Request-Id', requestId);
    context.state.requestId = requestId;
    try {
      await next();
      if (context.status === 404 && context.body == null) throw missing(router, context);
    } catch (error) {
      if (!(error instanceof Fault))
        deps.log('request.failed', { requestId, path: context._matchedRoute ?? context.path, error: trace(error) });
      const { status, body } = errorBody(error, requestId, deps.settings.baseUrl);
      context.status = status;
      context.body = body;
    }
  });
  if (deps.settings.corsOrigins.length > 0) app.use(crossOrigin(deps.settings.corsOrigins));
  app.use(limitAddress(deps));
  // The router tries one path after the other; most requests are for one without parameters, found by its name.
  app.use((context, next) => {
    const route = fixed.get(`${context.method} ${context.path}`);
    if (route === undefined) return next();
    context._matchedRoute = route.path;
    return serve(deps, route, context);
  });
  app.use(router.routes());
  app.on('error', (error) => deps.log('connection.failed', { error: trace(error) }));
  return app;
}

function isFixed({ path }: Route): boolean {
  return !path.includes(':');
}

async function serve(deps: Deps, route: Route, context: Context): Promise<void> {
  const useCase = table[route.useCase] as UseCase;
  const { requestId } = context.state;
  if (useCase.sandboxOnly === true && deps.demo === undefined) {
    throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
  }
  const body = route.method === 'GET' ? NOTHING : await readBody(context.req);
  const caller = await authenticate(deps, context, body, requestId);
  chargeCaller(deps, context, caller);
  requirePermission(caller, useCase.permission);

  const given = { ...parseJsonBody(context, body), ...queryOf(context), ...context.params };
  const input = parseInput(useCase.input, given);
  const idempotencyHeader = context.headers['idempotency-key']?.toString();
  const secret = useCase.secretAnswer === true;
  const envelope = restEnvelope(
    deps,
    { caller, route, input: given, idempotencyHeader, secret },
    useCase.idempotent === true,
  );
  const { wire } = await perform(deps, route.useCase, { caller, input, envelope });
  if (route.endsLogin === true) forgetRefreshToken(context, deps.settings.baseUrl);
  if (route.tagged === true && tagged(context, String(wire))) return;
  respond(context, route.status, wire);
}

function queryOf(context: Context): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  if (context.querystring === '') return query;
  for (const [name, value] of Object.entries(context.query)) {
    if (value === undefined) continue;
    if ([value].flat().includes('')) {
      const message = 'must not be empty; leave the parameter out instead';
      throw new Fault('BAD_REQUEST', `The query parameter ${name} ${message}.`, [{ path: name, message }]);
    }
    query[name] = value;
  }
  return query;
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

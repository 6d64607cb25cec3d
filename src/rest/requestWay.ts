/** The steps of a request to a use case, from its route to its answer. */
import type { Context } from 'koa';
import { canonical, hashText } from '../../protocol/credential/canonical.ts';
import { IdempotencyKey } from '../../protocol/intent.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { type Caller, requireOpen, requirePermission } from '../access/caller.ts';
import type { Deps } from '../handlers/core/deps.ts';
import type { RequestKey } from '../handlers/core/idempotency.ts';
import { membersOf, parseInput } from '../handlers/core/parseInput.ts';
import { perform } from '../handlers/core/perform.ts';
import { steps } from '../handlers/core/steps.ts';
import { table } from '../handlers/core/table.ts';
import type { UseCase } from '../handlers/core/useCase.ts';
import { authenticate } from './authenticate.ts';
import { parseJsonBody } from './jsonBody.ts';
import { forgetRefreshToken } from './loginCookies.ts';
import { chargeAddress, chargeCaller, refuseSpentAddress } from './rateLimits.ts';
import { readQuery } from './readQuery.ts';
import { respond } from './respond.ts';
import type { Route } from './routes.ts';
import { tagged } from './securityHeaders.ts';

interface Arrival {
  readonly deps: Deps;
  readonly context: Context;
  readonly route: Route;
}

type Members = Readonly<Record<string, unknown>>;

const NOTHING = Buffer.alloc(0);

/** Authentication and the rate limit come first, then the permission, then the input. */
export const requestWay = steps<Arrival, void>()
  .find('find the use case', ({ deps, route }) => {
    const useCase = table[route.useCase] as UseCase;
    if (useCase.sandboxOnly === true && deps.demo === undefined) {
      throw new Fault('NOT_FOUND', 'This exists in the sandbox only.');
    }
    return { useCase };
  })
  .check('refuse an address that has used up its calls and shows no credential', ({ deps, context }) =>
    refuseSpentAddress(deps, context),
  )
  .find('read the body', async ({ deps, context, route }) => ({
    body: route.method === 'GET' ? NOTHING : await deps.bodies.read(context.req, context.res),
  }))
  .find('prove the caller', async ({ deps, context, body }) => ({ caller: await authenticate(deps, context, body) }))
  .check('charge the caller', ({ deps, context, caller }) => chargeCaller(deps, context, caller))
  .check('require the permission', ({ caller, useCase }) => {
    requirePermission(caller, useCase.permission);
    requireOpen(caller, useCase);
  })
  .find('parse the input', ({ context, route, body, useCase }) => {
    const query = readQuery(context, QUERIED.has(route.method) ? membersOf(useCase.input) : undefined);
    const given: Members = { ...parseJsonBody(context, body), ...query, ...context.params };
    return { given, input: parseInput(useCase.input, given) };
  })
  .find('find its idempotency key', ({ deps, context, route, caller, useCase, given }) => ({
    idempotency: useCase.idempotent === true ? keyOf(deps, { context, route, caller, useCase, given }) : undefined,
  }))
  .finish('run the use case', async ({ deps, context, route, caller, idempotency, input }) => {
    const call = { caller, reply: { kind: 'json' }, idempotency } as const;
    const { text } = await perform(deps, route.useCase, call, input);
    if (route.endsLogin === true) forgetRefreshToken(context, deps.settings.baseUrl);
    if (route.tagged === true && tagged(context, String(text))) return;
    respond(context, route.status, text);
  });

/** Serves one request. @throws Fault, after its address was charged where the caller is not known */
export async function serveRoute(arrival: Arrival): Promise<void> {
  try {
    await requestWay.run(arrival);
  } catch (error) {
    if (arrival.context.state.caller === undefined) chargeAddress(arrival.deps, arrival.context);
    throw error;
  }
}

/** Other methods take their input from the body, which a proof covers; no proof covers the query. */
const QUERIED: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** @throws Fault BAD_REQUEST for a key of a wrong form, or two that differ */
function keyOf(
  deps: Deps,
  asked: { context: Context; route: Route; caller: Caller; useCase: UseCase; given: Members },
): RequestKey | undefined {
  const { context, route, caller, useCase, given } = asked;
  const key = chosenKey(context.headers['idempotency-key']?.toString(), given);
  if (key === undefined) return undefined;
  return {
    tenantId: caller.tenantId,
    scope: `rest ${caller.id} ${route.method} ${route.path}`,
    key,
    hash: hashText(deps.suite, canonical(given)),
    reused: {
      code: 'CONFLICT',
      message: 'This idempotency key was used for another request; use a new key for a new request.',
    },
    secret: useCase.secretAnswer === true,
  };
}

function chosenKey(header: string | undefined, given: Members): string | undefined {
  if (header === undefined) {
    return given['idempotencyKey'] === undefined ? undefined : parseInput(IdempotencyKey, given['idempotencyKey']);
  }
  const key = IdempotencyKey.safeParse(header);
  if (!key.success) {
    throw new Fault('BAD_REQUEST', 'Idempotency-Key must have 1 to 255 characters.', [
      { path: 'Idempotency-Key', message: 'must have 1 to 255 characters' },
    ]);
  }
  if (given['idempotencyKey'] !== undefined && given['idempotencyKey'] !== header) {
    throw new Fault('BAD_REQUEST', 'The header Idempotency-Key and the member idempotencyKey differ; send one.');
  }
  return header;
}

/**
 * The steps of a request to an operation, from its route to its answer, through the gate and the core; and what they read of
 * the request: its query, its JSON body, its headers.
 */
import type { Context } from 'koa';
import { canonical, hashText } from '../../../protocol/credential/canonical.ts';
import { IdempotencyKey } from '../../../protocol/intent.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { decodeUtf8, parseJson } from '../../../protocol/wire/json.ts';
import { inertText } from '../../../protocol/wire/plainText.ts';
import { requireBody, tryParse } from '../../core/serveRequest.ts';
import { type RestRequest, requestSteps } from '../../core/takeRequest.ts';
import { tagOf } from '../../usecase/entityTag.ts';
import { steps } from '../../usecase/steps.ts';
import { membersOf, parseInput, type UseCase } from '../../usecase/useCase.ts';
import { readCredential, shownCredential } from '../shell/callers.ts';
import type { Gate } from '../shell/gate.ts';
import { requireJson } from '../shell/http.ts';
import { chargedOnce, meterOf } from '../shell/requestRecord.ts';
import { forgetRefreshToken } from './login/loginCookies.ts';
import { formOf, respond, respondInForm, tagged } from './respond.ts';
import type { Route } from './routes.ts';

interface Arrival {
  readonly gate: Gate;
  readonly context: Context;
  readonly route: Route;
}

type Members = Readonly<Record<string, unknown>>;

const NOTHING = Buffer.alloc(0);

/** Nothing of an input is parsed before its caller is known, and what is wrong with it is told to none but who may call. */
export const requestPipeline = steps<Arrival, void>()
  .find('find the use case', ({ gate, route }) => ({ useCase: gate.operations[route.useCase] as UseCase }))
  // Of a request that shows none, nothing is read.
  .find('find its credential', ({ context }) => ({ shown: shownCredential(context) }))
  .find('read the body', async ({ gate, context, route }) => ({
    body: route.method === 'GET' ? NOTHING : await gate.bodies.read(context.req, context.res),
  }))
  .find('prove the credential', ({ gate, context, shown, body }) => ({
    credential: readCredential(gate, context, shown, body),
  }))
  .check('know the caller', async ({ gate, context, credential }) => {
    const meter = meterOf(context);
    const ask = () => gate.core.call('takeCaller', meter.address, credential);
    const refused = await gate.known.refusalOf(credential, ask);
    if (refused !== undefined) meter.settle(refused);
  })
  .find('parse the input', ({ gate, context, route, body, useCase }) => {
    let repeatable: RestRequest['repeatable'];
    const parsed = tryParse(() => {
      const members = membersOf(useCase.input);
      const query = readQuery(context, QUERIED.has(route.method) ? members : undefined);
      const told = parseJsonBody(context, body);
      if (context.params !== undefined) requireSameNames(context.params, told);
      const given: Members = {
        ...told,
        ...placeOf(context, route),
        ...conditionOf(context, members),
        ...query,
        // What the answer's type says is what comes.
        ...formOf(context, route),
        ...context.params,
      };
      try {
        const input = parseInput(useCase.input, given);
        if (useCase.idempotent === true) repeatable = repeatableOf(gate, context, route, given);
        return input;
      } catch (error) {
        throw ofRepeated(query, error);
      }
    });
    return { parsed, repeatable };
  })
  .core(requestSteps, async ({ gate, context, route, useCase, credential, parsed, repeatable }) => {
    const meter = meterOf(context);
    const asCsv = useCase.csv !== undefined && context.accepts('json', 'csv') === 'csv';
    const asked = { name: route.useCase, address: meter.address, credential, repeatable, asCsv, input: parsed.input };
    const coreReply = await gate.core.call('takeRequest', asked);
    gate.known.note(credential, coreReply);
    return { text: requireBody(parsed, meter.settle(coreReply)), isReplay: coreReply.isReplay };
  })
  .finish('reply', ({ gate, context, route, useCase, text, isReplay }) => {
    if (isReplay === true) context.set('Idempotent-Replayed', 'true');
    if (useCase.csv !== undefined) context.vary('Accept');
    if (route.endsLogin === true) forgetRefreshToken(context, gate.settings.baseUrl);
    if (route.tagged === true && tagged(context, tagOf(String(text)))) return;
    if (route.hasForms === true && respondInForm(context, text)) return;
    respond(context, statusOf(route, text), text);
  });

/** Serves one request. @throws Fault, after its address was charged where the core has charged no caller */
export async function serveRoute(arrival: Arrival): Promise<void> {
  try {
    await requestPipeline.run(arrival);
  } catch (error) {
    throw await chargedOnce(arrival.context, error);
  }
}

/** Nothing is made where the answer refuses. */
function statusOf({ status, refusal }: Route, text: Parameters<typeof respond>[2]): number {
  if (refusal === undefined || typeof text !== 'string') return status;
  return (JSON.parse(text) as { allowed?: boolean }).allowed === false ? refusal : status;
}

/** Other methods take their input from the body, which a proof covers; no proof covers the query. */
const QUERIED: ReadonlySet<string> = new Set(['GET', 'DELETE']);

/** @throws Fault BAD_REQUEST for a key of a wrong form, or two that differ */
function repeatableOf(gate: Gate, context: Context, route: Route, given: Members): RestRequest['repeatable'] {
  const key = chosenKey(context.headers['idempotency-key']?.toString(), given);
  if (key === undefined) return undefined;
  return { key, hash: hashText(gate.suite, canonical(given)), route: `${route.method} ${route.path}` };
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

/**
 * The condition of a change (RFC 9110 section 13.1.1).
 * @throws Fault BAD_REQUEST for one on an operation that knows none: the caller would take the change for a safe one
 */
function conditionOf(context: Context, members: readonly string[]): Members {
  const asked = context.get('if-match');
  if (asked === '' || context.method === 'GET') return {};
  if (members.includes('ifMatch')) return { ifMatch: asked };
  throw new Fault('BAD_REQUEST', 'This operation knows no If-Match; leave it out.', [
    { path: 'If-Match', message: 'is taken by changes of agents and policies alone' },
  ]);
}

/** @throws Fault BAD_REQUEST where the body names another than the path: the caller means one of the two, and which is not known */
function requireSameNames(params: Members, told: Members): void {
  for (const [name, inPath] of Object.entries(params)) {
    const inBody = told[name];
    // A path has numbers as text.
    if (inBody === undefined || String(inBody) === inPath) continue;
    const shown = (value: unknown) => inertText(JSON.stringify(value)).slice(0, 200);
    const message = `is ${shown(inBody)} in the body and ${shown(inPath)} in the path; leave it out of the body`;
    throw new Fault('BAD_REQUEST', `${name} ${message}.`, [{ path: name, message }]);
  }
}

/** Where a stream that was cut goes on (WHATWG HTML, section 9.2.4). */
function placeOf(context: Context, { resumes }: Route): Members {
  const last = resumes === true ? context.get('last-event-id') : '';
  return last === '' ? {} : { cursor: last };
}

/**
 * @param known the parameters that there are; undefined where the query is not read
 * @throws Fault BAD_REQUEST that names a parameter that is unknown or empty
 */
export function readQuery(context: Context, known: readonly string[] | undefined): Record<string, string | string[]> {
  const query: Record<string, string | string[]> = {};
  if (context.querystring === '') return query;
  for (const [name, value] of Object.entries(context.query)) {
    if (value === undefined) continue;
    if (known === undefined) throw wrongParameter(name, 'is not read here; send it as a member of the JSON body');
    if (!known.includes(name)) throw wrongParameter(name, `is not known; there are ${known.join(', ') || 'none'}`);
    if ([value].flat().includes('')) throw wrongParameter(name, 'must not be empty; leave the parameter out instead');
    query[name] = value;
  }
  return query;
}

/** @returns what is wrong with a parameter that is given twice where one is taken: it came as a list, and its caller wrote none */
function ofRepeated(query: Readonly<Record<string, string | string[]>>, error: unknown): unknown {
  const details = error instanceof Fault ? (error.details ?? []) : [];
  const twice = details.find(({ path }) => Array.isArray(query[path]));
  return twice === undefined ? error : wrongParameter(twice.path, 'is given more than once; give it once');
}

function wrongParameter(name: string, message: string): Fault {
  return new Fault('BAD_REQUEST', `The query parameter ${name} ${message}.`, [{ path: name, message }]);
}

/** What a browser says of a passkey is far shorter. */
const MOST_OPEN_BYTES = 16_384;

/**
 * The body of a request whose caller shows no credential: short, since it is parsed before anything is known of them.
 * @throws Fault UNSUPPORTED_MEDIA_TYPE, BAD_REQUEST, PAYLOAD_TOO_LARGE, UNAVAILABLE
 */
export async function readOpenBody(gate: Gate, context: Context): Promise<Record<string, unknown>> {
  return parseJsonBody(context, await gate.bodies.read(context.req, context.res, MOST_OPEN_BYTES));
}

/** @param body the raw bytes; none stand for an empty object */
function parseJsonBody(context: Context, body: Buffer): Record<string, unknown> {
  if (body.length === 0) return {};
  requireJson(context.headers['content-type']);
  const parsed = parseJson(decodeUtf8(body));
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw new Fault('BAD_REQUEST', 'The body must be a JSON object.');
  }
  return parsed as Record<string, unknown>;
}

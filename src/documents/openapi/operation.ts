/** One route as an OpenAPI operation. */

import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import type { Route } from '../../gates/rest/routes.ts';
import { CSV } from '../../usecase/list/csv.ts';
import { membersOf as inputMembersOf, type UseCase } from '../../usecase/useCase.ts';
import type { Example } from '../examples/example.ts';
import type { JsonSchema, SchemaDescription } from '../schemas/jsonSchema.ts';
import { errorAnswers, errorStatuses } from './errors.ts';
import { openSecurityOf, permissionText, securityOf, takesDidProof } from './security.ts';
import { membersOf, pathParameters, without } from './split.ts';
import { tagOf } from './tags.ts';

export interface Schemas {
  readonly inputs: SchemaDescription;
  readonly outputs: SchemaDescription;
}

export function operationOf(route: Route, useCase: UseCase, example: Example, schemas: Schemas): object {
  const { inputs, outputs } = schemas;
  const input = inputs.own[route.useCase] as JsonSchema;
  const inPath = pathParameters(route.path);
  const sendsBody = route.method === 'POST' || route.method === 'PUT';
  const body = sendsBody ? without(input, inPath, inputs.named) : undefined;
  const parameters = membersOf(input, inputs.named)
    .filter(({ name }) => inPath.includes(name) || !sendsBody)
    .map(({ name, schema, required }) => {
      const { description, ...rest } = schema;
      return {
        name,
        in: inPath.includes(name) ? 'path' : 'query',
        required: required || inPath.includes(name),
        ...(description === undefined ? {} : { description }),
        schema: rest,
        ...(example.input[name] === undefined ? {} : { example: example.input[name] }),
      };
    });
  return {
    operationId: route.useCase,
    tags: [tagOf(route.path)[0]],
    summary: useCase.summary,
    description: descriptionOf(useCase),
    security: securityOf(useCase),
    parameters: [...parameters, ...headersOf(useCase)],
    ...(body === undefined ? {} : { requestBody: requestBody(body, input, example, inPath, schemas) }),
    responses: {
      [route.status]: success(route, useCase, outputs.own[route.useCase] as JsonSchema, example),
      ...(route.refusal === undefined
        ? {}
        : { [route.refusal]: refusal(outputs.own[route.useCase] as JsonSchema, example) }),
      ...(route.tagged === true && route.method === 'GET' ? { 304: NOT_MODIFIED } : {}),
      ...errorAnswers([...errorStatuses(useCase, route.method !== 'GET'), ...(route.hasForms === true ? [406] : [])]),
    },
  };
}

const NOT_MODIFIED = { description: 'It is as the ETag of `If-None-Match` names it; the answer has no body.' };

function descriptionOf(useCase: UseCase): string {
  return [
    permissionText(useCase),
    ...(useCase.idempotent === true
      ? ['Idempotent: a key sent again with the same body gets the stored answer for 24 hours, another body 409.']
      : []),
    ...(useCase.stepUp === true
      ? ['A person needs a touch of a passkey that is not older than 5 minutes (401 STEP_UP_REQUIRED, RFC 9470).']
      : []),
    ...(useCase.sandboxOnly === true ? ['Exists in the sandbox only; 404 in production.'] : []),
  ].join(' ');
}

function headersOf(useCase: UseCase): object[] {
  const names = [
    ...(useCase.idempotent === true ? ['IdempotencyKey'] : []),
    ...(inputMembersOf(useCase.input).includes('ifMatch') ? ['IfMatch'] : []),
    ...(takesDidProof(useCase) ? ['AgentDid'] : []),
    'RequestId',
  ];
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function requestBody(
  schema: JsonSchema,
  input: JsonSchema,
  example: Example,
  inPath: readonly string[],
  { inputs }: Schemas,
): object {
  const bodyOf = (given: Readonly<Record<string, unknown>>) =>
    Object.fromEntries(Object.entries(given).filter(([name]) => !inPath.includes(name)));
  const examples = Object.fromEntries(
    casesOf(example).map(([name, { summary, input: given }]) => [name, { summary, value: bodyOf(given) }]),
  );
  const required = membersOf(input, inputs.named).some((member) => member.required && !inPath.includes(member.name));
  return { required, content: { 'application/json': { schema, examples } } };
}

function success(route: Route, useCase: UseCase, schema: JsonSchema, example: Example): object {
  const headers = {
    ...answerHeaders(route.path),
    ...headersNamed([
      ...(route.tagged === true ? ['ETag'] : []),
      ...(useCase.idempotent === true ? ['IdempotentReplayed'] : []),
    ]),
  };
  if (route.status === 204) return { description: 'Done; the answer has no body.', headers };
  const examples = Object.fromEntries(
    casesOf(example).map(([name, { summary, output }]) => [name, { summary, value: output }]),
  );
  const media = [...(useCase.media ?? []), ...(useCase.csv === undefined ? [] : [CSV])];
  const others = media.map((each) => [each, { schema: { type: 'string' } }]);
  return {
    description: route.status === 201 ? 'Made.' : 'The answer.',
    headers,
    content: {
      ...(useCase.endless === true ? {} : { 'application/json': { schema, examples } }),
      ...Object.fromEntries(others),
    },
  };
}

/** The same answer with the status of a refusal. */
function refusal(schema: JsonSchema, { refused }: Example): object {
  const examples = refused === undefined ? {} : { refused: { summary: 'Refused', value: refused.output } };
  return { description: 'Nothing is made: the answer refuses.', content: { 'application/json': { schema, examples } } };
}

function casesOf(example: Example): [string, { summary: string; input: Example['input']; output: unknown }][] {
  const { refused } = example;
  return [
    [
      'example',
      { summary: refused === undefined ? 'Example' : 'Allowed', input: example.input, output: example.output },
    ],
    ...(refused === undefined ? [] : ([['refused', { summary: 'Refused', ...refused }]] as const)),
  ].map(([name, found]) => [name, found] as [string, { summary: string; input: Example['input']; output: unknown }]);
}

/** Headers of every answer; those of the rate limit where there is one. */
export function answerHeaders(path: string): Record<string, unknown> {
  const limited = /^\/(ap2|a2a|admin|approve|enroll|metrics)(\/|$)/.test(path);
  const names = ['RequestId', ...(limited ? ['RateLimitLimit', 'RateLimitRemaining', 'RateLimitReset'] : [])];
  return headersNamed(names);
}

function headersNamed(names: readonly string[]): Record<string, unknown> {
  return Object.fromEntries(names.map((name) => [HEADERS[name], { $ref: `#/components/headers/${name}` }]));
}

const HEADERS: Readonly<Record<string, string>> = {
  ETag: 'ETag',
  IdempotentReplayed: 'Idempotent-Replayed',
  RequestId: 'X-Request-Id',
  RateLimitLimit: 'X-RateLimit-Limit',
  RateLimitRemaining: 'X-RateLimit-Remaining',
  RateLimitReset: 'X-RateLimit-Reset',
};

const LOCAL_OR_ADMIN = 'For callers on this machine; from elsewhere it needs the permission `admin`.';

export function openOperationOf(route: OpenRoute, schemas: Schemas): object {
  const responses = Object.entries(route.answers).map(([status, { description, schema, example, media }]) => {
    const json = schema === undefined ? undefined : schemas.outputs.own[`${route.name} ${status}`];
    // A media type of its own that is JSON takes the place of the common one.
    const isJson = media?.endsWith('+json') === true;
    const content = {
      ...(json === undefined
        ? {}
        : { [isJson ? media : 'application/json']: { schema: json, ...(example === undefined ? {} : { example }) } }),
      ...(media === undefined || isJson ? {} : { [media]: { schema: { type: 'string' } } }),
    };
    const headers = answerHeaders(route.path);
    return [status, { description, headers, ...(Object.keys(content).length === 0 ? {} : { content }) }];
  });
  return {
    operationId: route.name,
    tags: [tagOf(route.path)[0]],
    summary: route.summary,
    description: route.localOrAdmin === true ? LOCAL_OR_ADMIN : (route.asks ?? 'Public.'),
    security: openSecurityOf(route),
    parameters: [
      ...pathParameters(route.path).map((name) => ({ name, in: 'path', required: true, schema: { type: 'string' } })),
      ...parametersIn('query', route.query),
      ...parametersIn('header', route.headers),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(route.body === undefined
      ? {}
      : {
          requestBody: {
            required: true,
            content: { 'application/json': { schema: schemas.inputs.own[`${route.name} body`] } },
          },
        }),
    responses: { ...Object.fromEntries(responses), ...errorAnswers(route.errors ?? [500]) },
  };
}

function parametersIn(place: 'query' | 'header', described: Readonly<Record<string, string>> = {}): object[] {
  return Object.entries(described).map(([name, description]) => ({
    name,
    in: place,
    description,
    schema: { type: 'string' },
  }));
}

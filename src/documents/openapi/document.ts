/** The OpenAPI 3.1 document of the facade, made from the routes and the schemas they are served by. */

import type { OpenRoute } from '../../gates/rest/openRoute.ts';
import type { Route } from '../../gates/rest/routes.ts';
import { type OperationTable, useCaseIn } from '../../usecase/useCase.ts';
import type { Example } from '../examples/example.ts';
import { describeSchemas } from '../schemas/jsonSchema.ts';
import type { NamedSchemas } from '../schemas/named.ts';
import { errorComponents } from './errors.ts';
import { answerHeaders, openOperationOf, operationOf, type Schemas } from './operation.ts';
import { securitySchemes } from './security.ts';
import { templated } from './split.ts';
import { tagsOf } from './tags.ts';

export interface DocumentFacts {
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
}

/** What the document is about. */
export interface Api {
  readonly operations: OperationTable;
  /** By which of them are served. */
  readonly routes: readonly Route[];
  /** By the operation. */
  readonly examples: Readonly<Record<string, Example>>;
  /** Schemas of what is sent, and of what is answered, that are described once and linked to. */
  readonly inputs: NamedSchemas;
  readonly outputs: NamedSchemas;
}

/** @param open the routes without a use case */
export function openapiDocument(facts: DocumentFacts, api: Api, open: readonly OpenRoute[]): object {
  const { routes, operations, examples } = api;
  const schemas = schemasOf(api, open);
  const paths: Record<string, Record<string, object>> = {};
  const add = (path: string, method: string, operation: object) => {
    const template = templated(path);
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation };
  };
  for (const route of routes) {
    add(
      route.path,
      route.method,
      operationOf(route, useCaseIn(operations, route.useCase), examples[route.useCase] as Example, schemas),
    );
  }
  for (const route of open) add(route.path, route.method, openOperationOf(route, schemas));
  return {
    openapi: '3.1.0',
    info: {
      title: 'Countersign',
      version: facts.version,
      summary: 'Authorizes purchases that AI agents make for a person.',
      description: ABOUT,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: facts.baseUrl }],
    externalDocs: {
      url: `${facts.baseUrl}/openrpc.json`,
      description: 'The A2A gateway at /a2a/gateway (JSON-RPC over HTTP and WebSocket), as an OpenRPC document.',
    },
    tags: tagsOf([...routes, ...open].map(({ path }) => path)),
    paths,
    components: {
      schemas: { ...schemas.inputs.named, ...schemas.outputs.named },
      parameters,
      headers,
      responses: errorComponents(answerHeaders('/ap2/')),
      securitySchemes,
    },
  };
}

function schemasOf(api: Api, open: readonly OpenRoute[]): Schemas {
  const cases = Object.entries(api.operations);
  const inputs = cases.map(([name, useCase]) => [name, useCase.input]);
  const outputs = cases.map(([name, useCase]) => [name, useCase.output]);
  const openOutputs = open.flatMap((route) =>
    Object.entries(route.answers).flatMap(([status, { schema }]) =>
      schema === undefined ? [] : [[`${route.name} ${status}`, schema]],
    ),
  );
  const openInputs = open.flatMap(({ name, body }) => (body === undefined ? [] : [[`${name} body`, body]]));
  return {
    inputs: describeSchemas(api.inputs, Object.fromEntries([...inputs, ...openInputs]), 'input'),
    outputs: describeSchemas(api.outputs, Object.fromEntries([...outputs, ...openOutputs]), 'output'),
  };
}

const ABOUT =
  `An agent asks for permission to spend (intent), has a merchant's signed cart approved (cart), and exchanges
the approval for a payment (mandate). What the policy refuses is answered with status 200, \`allowed: false\` and every
reason; errors have one shape, \`{"error": {"code", "message", "requestId", "docs", "details"}}\`, \`details\` where members are at fault,
or are problems of RFC 9457 for a caller that accepts \`application/problem+json\`. Amounts are JSON numbers in units of
the currency. Lists are newest first, with a cursor. The same exchanges run between agents as signed JSON-RPC messages
at /a2a/gateway, described in /openrpc.json.`.replaceAll('\n', ' ');

const parameters = {
  IdempotencyKey: {
    name: 'Idempotency-Key',
    in: 'header',
    description: 'In place of the member idempotencyKey.',
    schema: { type: 'string', minLength: 1, maxLength: 255 },
  },
  IfMatch: {
    name: 'If-Match',
    in: 'header',
    description: 'The ETag with which it was read: where it was changed since, the answer is 412.',
    schema: { type: 'string', maxLength: 1000 },
  },
  AgentDid: {
    name: 'X-Agent-DID',
    in: 'header',
    description: 'The agent that calls; beside X-DID-Proof it must name the same DID.',
    schema: { type: 'string' },
  },
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description: 'Names the request in logs and answers; generated when not sent.',
    schema: { type: 'string', pattern: '^[\\w.:-]{1,128}$' },
  },
};

const headers = {
  RequestId: { description: 'Names this request in the logs.', schema: { type: 'string' } },
  RateLimitLimit: { description: 'Requests a minute.', schema: { type: 'integer' } },
  RateLimitRemaining: { description: 'Requests left now.', schema: { type: 'integer' } },
  RateLimitReset: { description: 'When the bucket is full again, in Unix seconds.', schema: { type: 'integer' } },
  ETag: { description: 'Names what it says: for If-None-Match and If-Match.', schema: { type: 'string' } },
  IdempotentReplayed: {
    description: '`true` where the answer was given before, to the same idempotency key.',
    schema: { type: 'string', const: 'true' },
  },
  RetryAfter: { description: 'Seconds to wait.', schema: { type: 'integer' } },
};

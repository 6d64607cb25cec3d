/** The OpenRPC 1.3 document of the gateway: its methods, made from the same schemas as the facade's operations. */
import { Proof } from '../../../protocol/credential/proof.ts';
import { FAULTS, type FaultCode } from '../../../protocol/wire/fault.ts';
import type { MandateType } from '../../../protocol/wire/mandateType.ts';
import { Message, RESULT_OF } from '../../../protocol/wire/message.ts';
import { USE_CASE_OF } from '../../core/takeMessage.ts';
import { table } from '../../operations/table.ts';
import type { UseCase } from '../../usecase/useCase.ts';
import type { Api } from '../openapi/document.ts';
import { describeSchemas, type JsonSchema } from '../schemas/jsonSchema.ts';
import { exchange, pairing, type StoryOf } from './openrpcExample.ts';

export interface OpenrpcFacts {
  /** Public address without a trailing slash. */
  readonly baseUrl: string;
  readonly version: string;
  /** The issuer's DID, which messages are sent to. */
  readonly did: string;
}

const MANDATES = Object.keys(USE_CASE_OF) as MandateType[];

/** Schemas that are described once. */
type NamedShapes = Pick<Api, 'inputs' | 'outputs'>;

/** @param story an example of every use case that a method reaches */
export function openrpcDocument(facts: OpenrpcFacts, story: StoryOf, named: NamedShapes): object {
  const { params, results, schemas } = describeMessages(named);
  const sessions = describeSessions(named);
  return {
    openrpc: '1.3.2',
    info: {
      title: 'Countersign between agents',
      version: facts.version,
      description: ABOUT,
      license: { name: 'Apache-2.0' },
    },
    servers: [
      { name: 'HTTP', url: `${facts.baseUrl}/a2a/gateway` },
      { name: 'WebSocket', url: `${facts.baseUrl.replace(/^http/, 'ws')}/a2a/gateway` },
    ],
    methods: [
      {
        name: 'a2a/message',
        summary: 'Carries a mandate, and brings back its result as a message signed by this node.',
        description:
          'The message proves its sender by an Ed25519Signature2020 proof of its own, or by X-DID-Proof beside it. ' +
          'Sent again with the same id and bytes, it gets the same answer. What the policy refuses is the error -32000.',
        paramStructure: 'by-name',
        params: [{ name: 'message', required: true, schema: { oneOf: params } }],
        result: { name: 'answer', schema: { ...object({ message: { oneOf: results } }) } },
        errors: errors([
          'BAD_REQUEST',
          'UNVERIFIED',
          'SESSION_EXPIRED',
          'RATE_LIMITED',
          'NOT_FOUND',
          'CONFLICT',
          'INVALID_REQUEST',
          'INTERNAL_ERROR',
        ]),
        examples: MANDATES.map((type) => exchange(type, facts.did, story[USE_CASE_OF[type]])),
      },
      session(
        'a2a/session.create',
        table.createSession,
        sessions.inputs['create'],
        sessions.output,
        story.createSession,
      ),
      session('a2a/session.get', table.getSession, sessions.inputs['get'], sessions.output, story.getSession),
    ],
    components: { schemas },
  };
}

const ABOUT =
  'JSON-RPC 2.0 over HTTP POST and over WebSocket, batches of up to 50. Every request has an id. Errors carry ' +
  '`data.code`, the name of the fault; a refusal by policy carries what the facade would answer.';

function session(
  name: string,
  useCase: UseCase,
  input: JsonSchema | undefined,
  output: JsonSchema,
  example: StoryOf[keyof StoryOf],
): object {
  const { properties = {}, required = [] } = input ?? {};
  return {
    name,
    summary: useCase.summary,
    description: 'Vouched for by X-DID-Proof, with the request or with the upgrade of the socket.',
    paramStructure: 'by-name',
    params: Object.entries(properties).map(([member, schema]) => ({
      name: member,
      required: required.includes(member),
      schema,
    })),
    result: { name: 'session', schema: output },
    errors: errors(['BAD_REQUEST', 'UNVERIFIED', 'RATE_LIMITED', 'NOT_FOUND', 'CONFLICT', 'INTERNAL_ERROR']),
    examples: [pairing('example', example.input, example.output)],
  };
}

/** The messages of each kind, and every schema that they refer to. */
function describeMessages(named: NamedShapes) {
  const bodies = MANDATES.map((type) => [type, table[USE_CASE_OF[type]].input]);
  const answers = MANDATES.map((type) => [type, table[USE_CASE_OF[type]].output]);
  const inputs = describeSchemas({ ...named.inputs, Proof }, { ...Object.fromEntries(bodies), Message }, 'input');
  const outputs = describeSchemas(named.outputs, Object.fromEntries(answers), 'output');
  const envelope = inputs.own['Message'] as JsonSchema;
  const params = MANDATES.map((type) => ({
    ...envelope,
    title: type,
    properties: { ...envelope.properties, type: { const: type }, body: inputs.own[type] as JsonSchema },
  }));
  const results = MANDATES.map((type) => ({
    title: RESULT_OF[type],
    ...object(
      {
        ...envelope.properties,
        type: { const: RESULT_OF[type] },
        inReplyTo: { type: 'string', description: 'The id of the message it answers.' },
        body: outputs.own[type] as JsonSchema,
        proof: { $ref: '#/components/schemas/Proof' },
      },
      ['contextId'],
    ),
  }));
  return { params, results, schemas: { ...inputs.named, ...outputs.named } };
}

function describeSessions(named: NamedShapes) {
  // Written out whole, since the members of a parameter object are what OpenRPC calls the parameters.
  const inputs = describeSchemas({}, { create: table.createSession.input, get: table.getSession.input }, 'input').own;
  const output = describeSchemas(named.outputs, { session: table.getSession.output }, 'output').own[
    'session'
  ] as JsonSchema;
  return { inputs, output };
}

function object(properties: Record<string, JsonSchema | object>, optional: readonly string[] = []): object {
  const required = Object.keys(properties).filter((name) => !optional.includes(name));
  return { type: 'object', properties, required };
}

/** One entry for each error code; faults that share a code share its entry. */
function errors(codes: readonly FaultCode[]): object[] {
  const refusal = { code: -32000, message: 'Refused by policy', data: { $ref: '#/components/schemas/Refusal' } };
  const named = codes.map((code) => ({ code: FAULTS[code].jsonrpc, message: code }));
  return codes.includes('INVALID_REQUEST') ? [refusal, ...named] : named;
}

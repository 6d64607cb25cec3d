/** Writes src/cli/generated/commandOptions.ts: the options of commands that are members of what their operations take. */

import type { Api } from '../../src/documents/openapi/document.ts';
import { pathParameters } from '../../src/documents/openapi/split.ts';
import { describeSchemas, type JsonSchema } from '../../src/documents/schemas/jsonSchema.ts';
import type { OperationName } from '../../src/extensions/nodeOperations.ts';
import { useCaseIn } from '../../src/usecase/useCase.ts';

/** The operations whose members commands have as options. */
const OF_COMMANDS = [
  'listAgents',
  'listLimits',
  'listPayments',
  'listDisputes',
  'capturePayment',
  'refundPayment',
  'settlePayment',
  'reserveExternally',
  'releaseReservation',
  'listApprovals',
  'listTaskRecords',
  'listDecisions',
  'listDelegations',
  'searchEvidence',
  'exportEvidence',
  'createApiKey',
  'showSpend',
  'createInvitation',
  'addMandateIssuer',
] as const satisfies readonly OperationName[];

/** Members that no person gives: where a page begins, what a program repeats by, in which form it is answered. */
const LEFT_OUT = new Set(['limit', 'cursor', 'idempotencyKey', 'format', 'include']);

/** Members that options call otherwise. */
const NAMES: Readonly<Record<string, string>> = { reasonCode: 'reason', eventType: 'type', url: 'page' };

/** The text of the file as it has to be now. */
export function commandOptionsText({ operations, routes, inputs }: Api): string {
  const schemas = Object.fromEntries(OF_COMMANDS.map((name) => [name, useCaseIn(operations, name).input]));
  const { own, named } = describeSchemas(inputs, schemas, 'input');
  const rows = OF_COMMANDS.map((name) => {
    const { properties = {} } = own[name] as JsonSchema;
    const inPath = new Set(pathParameters(routes.find(({ useCase }) => useCase === name)?.path ?? ''));
    const members = Object.entries(properties).filter(([member]) => !inPath.has(member) && !LEFT_OUT.has(member));
    const options = members.flatMap(([member, schema]) =>
      optionOf(member, resolved(schema, named)).map((option) => ({ member, name: nameOf(member), ...option })),
    );
    return `  ${name}: [\n${options.map((option) => `    ${JSON.stringify(option)},\n`).join('')}  ],\n`;
  });
  return `/** The options of commands, of the schemas of their operations. Written by scripts/client.mjs; do not edit. */

/** A member of an operation's input, as a command line gives it. */
export interface MemberOption {
  readonly member: string;
  /** Of the option, without its dashes. */
  readonly name: string;
  readonly kind: ${[...new Set(['agent', 'principal', 'choice', 'choices', ...Object.values(KINDS)])].map((kind) => `'${kind}'`).join(' | ')};
  readonly text: string;
  /** Of a closed list. */
  readonly values?: readonly string[];
  /** What the operation's values begin with, which a person leaves out. */
  readonly prefix?: string;
}

export const commandOptions = {
${rows.join('')}} as const satisfies Readonly<Record<string, readonly MemberOption[]>>;
`;
}

function resolved(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  const { $ref, ...rest } = schema;
  return $ref === undefined ? schema : { ...named[$ref.slice($ref.lastIndexOf('/') + 1)], ...rest };
}

/** `agent` for agentDid and `context` for contextId: a person need not say that it is an id. */
function nameOf(member: string): string {
  const name = NAMES[member] ?? member.replace(/(Did|Id)$/, '');
  return name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
}

/** @returns nothing for a member that no option can say, such as an object */
function optionOf(member: string, schema: JsonSchema): object[] {
  const text = phraseOf(schema.description);
  if (member === 'agentDid' || member === 'actorDid') return [{ kind: 'agent', text: withoutDid(text) }];
  if (member === 'principalDid') return [{ kind: 'principal', text: withoutDid(text) }];
  const values = enumOf(schema);
  if (values !== undefined) return [{ kind: 'choice', text, ...wordsOf(values) }];
  if (schema.type === 'array') {
    const each = schema.items === undefined ? undefined : enumOf(schema.items);
    return each === undefined ? [] : [{ kind: 'choices', text, values: each }];
  }
  const kind = KINDS[String(schema['format'])] ?? KINDS[String(schema.type)];
  return kind === undefined ? [] : [{ kind, text }];
}

/** The kinds of options, by formats and types of JSON Schema. */
const KINDS: Readonly<Record<string, string>> = {
  'date-time': 'moment',
  date: 'day',
  integer: 'count',
  number: 'amount',
  boolean: 'flag',
  string: 'text',
};

function enumOf(schema: JsonSchema): readonly string[] | undefined {
  return schema['enum'] as readonly string[] | undefined;
}

/** The values as a person writes them: without the words that all of them begin with. */
function wordsOf(values: readonly string[]) {
  const prefix = /^(?:[A-Z]+_){2}/.exec(values[0] as string)?.[0];
  if (prefix === undefined || !values.every((value) => value.startsWith(prefix))) return { values };
  return { values: values.map((value) => value.slice(prefix.length).toLowerCase()), prefix };
}

/** A description as options have it: a phrase without its full stop. */
function phraseOf(description = ''): string {
  const [sentence = ''] = description.split(/(?<=\.)\s/);
  const phrase = sentence.replace(/\.$/, '').replaceAll('`', '');
  return /^[A-Z](?=[a-z’ ])/.test(phrase) ? phrase.charAt(0).toLowerCase() + phrase.slice(1) : phrase;
}

/** Agents and principals are given by their DID or their name. */
function withoutDid(text: string): string {
  return `${text.replace(/, as did:key.*$/, '')}, by its DID or name`;
}

/** Writes client/operations.ts: every operation of the facade with its types, from the routes and their schemas. */

import { ruleNames } from '../../protocol/policy/ruleNames.ts';
import { REASON_CODES } from '../../protocol/reason.ts';
import { EVENTS } from '../../protocol/webhook/eventList.ts';
import type { Api } from '../../src/documents/openapi/document.ts';
import { pathParameters } from '../../src/documents/openapi/split.ts';
import { COMPONENTS, describeSchemas, type JsonSchema } from '../../src/documents/schemas/jsonSchema.ts';
import type { NamedSchemas } from '../../src/documents/schemas/named.ts';
import { useCaseIn } from '../../src/usecase/useCase.ts';

const HEAD = `/**
 * Every operation of the facade, its types and where its members travel. Written by scripts/client.mjs from the routes
 * and schemas of the node; do not edit.
 */
`;

/** The text of client/operations.ts as it has to be now. */
export function operationsText(api: Api): string {
  const { inputs: namedInputs, outputs: namedOutputs } = api;
  const cases = api.routes.map((route) => [route, useCaseIn(api.operations, route.useCase)] as const);
  const inputs = describeSchemas(
    namedInputs,
    Object.fromEntries(cases.map(([route, useCase]) => [route.useCase, useCase.input])),
    'input',
  );
  const outputs = describeSchemas(
    namedOutputs,
    Object.fromEntries(cases.map(([route, useCase]) => [route.useCase, useCase.output])),
    'output',
  );
  const types = [
    ...declarations(inputs.named, namedInputs, namesOnlyIn(api)),
    ...declarations(outputs.named, namedOutputs, () => ''),
  ];
  const signatures = cases.map(([{ useCase: name, status }, useCase]) => {
    const json = typeOf(outputs.own[name] as JsonSchema, 4, () => '');
    const answer = useCase.media === undefined || json.endsWith(' | string') ? json : `${json} | string`;
    const output = status === 204 ? 'undefined' : answer;
    const input = typeOf(inputs.own[name] as JsonSchema, 4, namesOnlyIn(api));
    return `  /** ${useCase.summary} */\n  readonly ${name}: {\n    readonly input: ${input};\n    readonly output: ${output};\n  };`;
  });
  const rows = cases.map(([route, useCase]) => {
    const facts = [
      `method: '${route.method}'`,
      `path: '${route.path}'`,
      ...(pathParameters(route.path).length === 0
        ? []
        : [`inPath: [${pathParameters(route.path).map(quoted).join(', ')}]`]),
      ...(useCase.idempotent === true ? ['idempotent: true'] : []),
      ...(useCase.media === undefined ? [] : [`media: [${useCase.media.map(quoted).join(', ')}]`]),
    ];
    return `  ${route.useCase}: { ${facts.join(', ')} },`;
  });
  return [
    HEAD,
    ...types,
    `/** What each operation takes and gives. */\nexport interface Operations {\n${signatures.join('\n')}\n}\n`,
    `export interface Row {
  readonly method: 'GET' | 'POST' | 'PUT' | 'DELETE';
  readonly path: string;
  /** Members that travel in the path; the others go into the query of a GET or DELETE, or else into the body. */
  readonly inPath?: readonly string[];
  /** True where a key makes it safe to send the same request again. */
  readonly idempotent?: boolean;
  /** Media types of answers that are text and not JSON. */
  readonly media?: readonly string[];
}
`,
    `export const operations: { readonly [Name in keyof Operations]: Row } = {\n${rows.join('\n')}\n};\n`,
    ...lists(),
  ].join('\n');
}

/** What is read without the schemas, which take their time to load. */
function lists(): string[] {
  const names = Object.entries(ruleNames()).map(
    ([code, { name, path }]) => `  ${code}: { name: ${quoted(name)}, path: ${quoted(path)} },`,
  );
  return [
    listOf('reasonCodes', 'Every reason code, in the order in which reasons are reported.', REASON_CODES),
    `/** What people call the rules, by the reason codes and causes that decisions have for them, and where a policy has each. */
export const ruleNames: Readonly<Record<string, { readonly name: string; readonly path: string }>> = {
${names.join('\n')}
};
`,
    `/** What people call the webhook events, by their types. */
export const webhookEvents = {
${EVENTS.map(({ type, name }) => `  ${quoted(type)}: ${quoted(name)},`).join('\n')}
} as const;
`,
  ];
}

function listOf(name: string, about: string, values: readonly string[]): string {
  return `/** ${about} */\nexport const ${name} = [\n${values.map((value) => `  ${quoted(value)},\n`).join('')}] as const;\n`;
}

/** A schema that is sent in other words than it is answered is called by its name and `Input`. */
function namesOnlyIn({ inputs, outputs }: Pick<Api, 'inputs' | 'outputs'>): (name: string) => string {
  return (name) => (name in inputs && name in outputs ? 'Input' : '');
}

function declarations(
  described: Readonly<Record<string, JsonSchema>>,
  named: NamedSchemas,
  suffix: (name: string) => string,
): string[] {
  return Object.keys(named).map((name) => {
    const schema = described[name] as JsonSchema;
    return `export type ${name}${suffix(name)} = ${typeOf(schema, 0, suffix)};\n`;
  });
}

/** A JSON Schema in TypeScript. */
function typeOf(schema: JsonSchema, indent: number, suffix: (name: string) => string): string {
  const inner = (part: JsonSchema, deeper = 0) => typeOf(part, indent + deeper, suffix);
  if (schema.$ref !== undefined) {
    const name = schema.$ref.slice(COMPONENTS.length);
    return name + suffix(name);
  }
  const either = (schema.anyOf ?? schema['oneOf']) as JsonSchema[] | undefined;
  if (either !== undefined) return [...new Set(either.map((part) => inner(part)))].join(' | ');
  if (schema.allOf !== undefined) return schema.allOf.map((part) => inner(part)).join(' & ');
  if (schema['const'] !== undefined) return literal(schema['const']);
  if (Array.isArray(schema['enum'])) return schema['enum'].map(literal).join(' | ');
  if (Array.isArray(schema.type)) return schema.type.map((type) => inner({ ...schema, type })).join(' | ');
  switch (schema.type) {
    case 'string':
      return 'string';
    case 'integer':
    case 'number':
      return 'number';
    case 'boolean':
      return 'boolean';
    case 'null':
      return 'null';
    case 'array':
      return `readonly ${bracketed(inner(schema.items ?? {}))}[]`;
    case 'object':
      return objectType(schema, indent, suffix);
    default:
      return schema.properties === undefined ? 'unknown' : objectType(schema, indent, suffix);
  }
}

function objectType(schema: JsonSchema, indent: number, suffix: (name: string) => string): string {
  const members = Object.entries(schema.properties ?? {});
  const rest = schema.additionalProperties;
  if (members.length === 0) {
    return typeof rest === 'object'
      ? `Readonly<Record<string, ${typeOf(rest, indent, suffix)}>>`
      : 'Readonly<Record<string, unknown>>';
  }
  const pad = ' '.repeat(indent + 2);
  const lines = members.map(([name, member]) => {
    const optional = schema.required?.includes(name) === true ? '' : '?';
    const said = member.description === undefined ? '' : `${pad}/** ${member.description} */\n`;
    return `${said}${pad}readonly ${quotedName(name)}${optional}: ${typeOf(member, indent + 2, suffix)};\n`;
  });
  const open = rest === true ? `${pad}readonly [name: string]: unknown;\n` : '';
  return `{\n${lines.join('')}${open}${' '.repeat(indent)}}`;
}

/** As the element of an array: a union or an intersection needs brackets. */
function bracketed(type: string): string {
  return /^[^{]* [|&] |\} [|&] /.test(type) || type.startsWith('readonly ') ? `(${type})` : type;
}

function literal(value: unknown): string {
  return typeof value === 'string' ? quoted(value) : JSON.stringify(value);
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}

function quotedName(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : quoted(name);
}

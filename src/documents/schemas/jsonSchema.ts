/** JSON Schema (2020-12) of zod schemas, in the wording that OpenAPI 3.1 and OpenRPC documents share. */
import { z } from 'zod';
import { members } from './members.ts';
import type { NamedSchemas } from './named.ts';

/** A JSON Schema as far as documents look into it. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  $ref?: string;
  type?: string | string[];
  description?: string;
  properties?: Record<string, JsonSchema>;
  required?: string[];
  items?: JsonSchema;
  anyOf?: JsonSchema[];
  allOf?: JsonSchema[];
  additionalProperties?: boolean | JsonSchema;
}

export interface SchemaDescription {
  /** The named schemas, by name. */
  readonly named: Record<string, JsonSchema>;
  /** The schemas of their own, by the keys they came under; a reference where one is a named schema itself. */
  readonly own: Record<string, JsonSchema>;
}

export const COMPONENTS = '#/components/schemas/';

/**
 * Describes schemas, those that have a name by reference wherever they occur.
 * @param io whether as they are sent or as they are answered
 */
export function describeSchemas(
  named: NamedSchemas,
  own: Readonly<Record<string, z.ZodType>>,
  io: 'input' | 'output',
): SchemaDescription {
  const registry = z.registry<{ id: string }>();
  for (const [id, schema] of Object.entries(named)) registry.add(schema, { id });
  for (const [id, schema] of Object.entries(own)) if (!registry.has(schema)) registry.add(schema, { id: OWN + id });
  const { schemas } = z.toJSONSchema(registry, {
    io,
    unrepresentable: 'any',
    uri: (id) => COMPONENTS + id,
    override: ({ zodSchema, jsonSchema }) => tidy(zodSchema, jsonSchema as JsonSchema),
  });
  const described: SchemaDescription = { named: {}, own: {} };
  inlineOwn(schemas);
  for (const id of Object.keys(named)) described.named[id] = finish(schemas[id]);
  for (const [key, schema] of Object.entries(own)) {
    const { id } = registry.get(schema) as { id: string };
    described.own[key] = id.startsWith(OWN) ? finish(schemas[id]) : { $ref: COMPONENTS + id };
  }
  return described;
}

const OWN = 'own ';

/** A schema of its own within another has no name to be referred to by: it is written out there. */
function inlineOwn(schemas: Readonly<Record<string, object>>): void {
  const written = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(written);
    if (typeof value !== 'object' || value === null) return value;
    const { $ref } = value as JsonSchema;
    if ($ref?.startsWith(COMPONENTS + OWN) === true) return finish(schemas[$ref.slice(COMPONENTS.length)]);
    return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, written(inner)]));
  };
  for (const schema of Object.values(schemas)) Object.assign(schema, written(schema));
}

/** Leaves out what only zod means. */
function tidy(zodSchema: z.core.$ZodTypes, json: JsonSchema): void {
  const schema = json as Record<string, unknown>;
  const { def } = zodSchema._zod;
  if (schema.format === 'date-time') delete schema.pattern;
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum;
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum;
  if (def.type === 'record') delete schema.propertyNames;
  // Answers may gain members; who reads them must pass over what they do not know.
  if (def.type === 'object' && def.catchall === undefined) delete schema.additionalProperties;
  if (isEmpty(schema.additionalProperties)) schema.additionalProperties = true;
}

/** A copy that shares nothing, since zod gives the same object wherever a schema occurs, its members described. */
function finish(generated: unknown): JsonSchema {
  const { $schema: _dialect, $id: _id, ...schema } = structuredClone(generated) as JsonSchema;
  describeMembers(schema);
  return schema;
}

function describeMembers(value: unknown): void {
  if (typeof value !== 'object' || value === null) return;
  const { properties } = value as JsonSchema;
  for (const [name, member] of Object.entries(properties ?? {})) {
    const description = members[name];
    if (description !== undefined) member.description ??= description;
  }
  for (const inner of Object.values(value)) describeMembers(inner);
}

function isEmpty(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.keys(value).length === 0;
}

/** Tells apart where the members of an input travel: in the path, in the query, or in the body. */
import { COMPONENTS, type JsonSchema } from '../schemas/jsonSchema.ts';

/** Names of the parameters in a path as the router writes it. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:(\w+)/g)].map(([, name]) => name as string);
}

/** The path as OpenAPI writes it. */
export function templated(path: string): string {
  return path.replace(/:(\w+)/g, '{$1}');
}

interface Member {
  readonly name: string;
  readonly schema: JsonSchema;
  readonly required: boolean;
}

/** Every member of an object schema, those of its parts and references included. */
export function membersOf(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): Member[] {
  const whole = resolve(schema, named);
  const own = Object.entries(whole.properties ?? {}).map(([name, member]) => ({
    name,
    schema: member,
    required: whole.required?.includes(name) ?? false,
  }));
  return [...own, ...(whole.allOf ?? []).flatMap((part) => membersOf(part, named))];
}

/** The schema without the members that travel elsewhere; a reference stays one when nothing has to go. */
export function without(
  schema: JsonSchema,
  names: readonly string[],
  named: Readonly<Record<string, JsonSchema>>,
): JsonSchema | undefined {
  const present = membersOf(schema, named);
  const { anyOf, oneOf } = resolve(schema, named);
  // Alternatives share no member of a path.
  if (present.length === 0 && (anyOf ?? oneOf) !== undefined) return schema;
  if (present.every(({ name }) => names.includes(name))) return undefined;
  if (!present.some(({ name }) => names.includes(name))) return schema;
  const whole = resolve(schema, named);
  if (whole.allOf !== undefined) {
    const parts = whole.allOf.map((part) => without(part, names, named)).filter((part) => part !== undefined);
    return parts.length === 1 ? parts[0] : { ...whole, allOf: parts };
  }
  const properties = Object.fromEntries(
    Object.entries(whole.properties ?? {}).filter(([name]) => !names.includes(name)),
  );
  const { required: all, ...rest } = whole;
  const required = all?.filter((name) => !names.includes(name)) ?? [];
  return { ...rest, properties, ...(required.length === 0 ? {} : { required }) };
}

function resolve(schema: JsonSchema, named: Readonly<Record<string, JsonSchema>>): JsonSchema {
  return schema.$ref === undefined ? schema : (named[schema.$ref.slice(COMPONENTS.length)] ?? schema);
}

/** Parses a use case's input; a fault names each wrong member and what it must be. */
import type { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import { detailsOf } from '../../protocol/wire/issue.ts';
import { type UnknownMember, unknownMembers } from '../../protocol/wire/unknownMembers.ts';

type Detail = ReturnType<typeof detailsOf>[number];

/**
 * Unknown members are a fault where the schema is closed, and where they misspell a known one: it would be left out in silence.
 * @throws Fault BAD_REQUEST with a detail for each member at fault, as far as they are not too many
 */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: false });
  const unknown = unknownMembers(schema, input);
  if (parsed.success && unknown.length === 0) return parsed.data;
  const named = new Map(unknown.map((member) => [member.path, detailOf(member)]));
  const issues = parsed.success ? [] : parsed.error.issues.flatMap(detailsOf);
  const told = new Set(issues.map(({ path }) => path));
  const details = [
    ...issues.map((detail) => named.get(detail.path) ?? detail),
    ...[...named.values()].filter(({ path }) => !told.has(path)),
  ];
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw new Fault('BAD_REQUEST', `${first?.path || 'The body'}: ${first?.message}${more}`, details);
}

function detailOf({ path, near }: UnknownMember): Detail {
  return {
    path,
    message: near === undefined ? 'is not a known member' : `is not a known member; did you mean ${near}?`,
  };
}

/** The members that an input may have, by the names that its schema gives them. */
export function membersOf(schema: z.ZodType): readonly string[] {
  const { def, shape } = schema as z.ZodType & {
    readonly def: { readonly in?: z.ZodType; readonly left?: z.ZodType; readonly right?: z.ZodType };
    readonly shape?: object;
  };
  if (shape !== undefined) return Object.keys(shape);
  return [def.in, def.left, def.right].flatMap((part) => (part === undefined ? [] : membersOf(part)));
}

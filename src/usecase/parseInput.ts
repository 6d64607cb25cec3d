/** Parses a use case's input; a fault names each wrong member and what it must be. */
import type { z } from 'zod';
import { Fault } from '../../protocol/wire/fault.ts';
import { detailsOf } from '../../protocol/wire/issue.ts';

/** @throws Fault BAD_REQUEST with a detail for each member at fault, as far as they are not too many */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: false });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap(detailsOf);
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw new Fault('BAD_REQUEST', `${first?.path || 'The body'}: ${first?.message}${more}`, details);
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

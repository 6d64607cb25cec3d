/** Parses a use case's input; a fault names each wrong member and what it must be. */
import type { z } from 'zod';
import { Fault } from '../../../protocol/wire/fault.ts';

/** @throws Fault BAD_REQUEST with one detail for each member at fault */
export function parseInput<Schema extends z.ZodType>(schema: Schema, input: unknown): z.output<Schema> {
  const parsed = schema.safeParse(input, { reportInput: false });
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.flatMap(detailsOf);
  const first = details[0];
  const more = details.length > 1 ? ` (and ${details.length - 1} more)` : '';
  throw new Fault('BAD_REQUEST', `${first?.path || 'The body'}: ${first?.message}${more}`, details);
}

function detailsOf(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'is not a known member' }));
  }
  return [{ path, message: issue.message }];
}

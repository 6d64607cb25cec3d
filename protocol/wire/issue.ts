/** What is wrong with an input, in words: a schema's own are about JavaScript in places. */
import type { z } from 'zod';

/** What a schema finds wrong, by the path of the member, in a phrase that a person can act on. */
export function detailsOf(issue: z.core.$ZodIssue): { path: string; message: string }[] {
  const path = issue.path.join('.');
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'is not a known member' }));
  }
  const inner = issue.code === 'invalid_union' ? ofItsKind(issue.errors) : [];
  if (inner.length > 0) return inner.flatMap((each) => detailsOf({ ...each, path: [...issue.path, ...each.path] }));
  return [{ path, message: ofAnotherKind(issue) ?? issue.message }];
}

/** Of a value that may be of several kinds, such as an object or a list: what is wrong with it as the kind that it is. */
function ofItsKind(errors: readonly (readonly z.core.$ZodIssue[])[]): readonly z.core.$ZodIssue[] {
  const fitting = errors.filter(
    (issues) => !issues.some(({ code, path }) => code === 'invalid_type' && path.length === 0),
  );
  return fitting.length === 1 ? (fitting[0] ?? []) : [];
}

const KINDS: ReadonlyMap<string, string> = new Map([
  ['string', 'a text'],
  ['number', 'a number'],
  ['int', 'a whole number'],
  ['boolean', 'true or false'],
  ['array', 'a list'],
  ['object', 'an object'],
  ['record', 'an object'],
]);

/**
 * What a member that is missing or of another kind must be. The schema's own words are about JavaScript: "received
 * undefined", or "received NaN" for the text of a query that is no number.
 * @returns undefined where the schema says it in words of its own
 */
function ofAnotherKind(issue: z.core.$ZodIssue): string | undefined {
  if (issue.code !== 'invalid_type' || !issue.message.startsWith('Invalid input: expected ')) return undefined;
  if (issue.message.endsWith('received undefined')) return 'is missing';
  const kind = KINDS.get(issue.expected);
  return kind === undefined ? undefined : `must be ${kind}`;
}

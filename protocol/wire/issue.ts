/** What is wrong with an input, in words: a schema's own are about JavaScript in places. */
import type { z } from 'zod';

/** What is wrong with one member, in a phrase that follows its path. */
export interface MemberFault {
  /** Members and indexes with dots between; empty for the whole. */
  readonly path: string;
  readonly message: string;
}

/**
 * @param error what a schema finds wrong
 * @param given what it was given, by which a member that is missing is told from a wrong one
 */
export function detailsOf({ issues }: Pick<z.ZodError, 'issues'>, given: unknown): MemberFault[] {
  const ofWrongKind = new Set(issues.filter(({ code }) => code === 'invalid_type').map(pathOf));
  // A text in the place of a list may be too long for a list besides, which says nothing more.
  const told = issues.filter((issue) => issue.code === 'invalid_type' || !ofWrongKind.has(pathOf(issue)));
  return told.flatMap((issue) => faultsOf(issue, given));
}

function pathOf({ path }: z.core.$ZodIssue): string {
  return path.join('.');
}

function faultsOf(issue: z.core.$ZodIssue, given: unknown): MemberFault[] {
  const path = pathOf(issue);
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ path: path === '' ? key : `${path}.${key}`, message: 'is not a known member' }));
  }
  const inner = issue.code === 'invalid_union' ? ofItsKind(issue.errors) : [];
  if (inner.length > 0) {
    return inner.flatMap((each) => faultsOf({ ...each, path: [...issue.path, ...each.path] }, given));
  }
  return [{ path, message: inWords(issue, given) ?? issue.message }];
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
 * The schema's own words are about JavaScript: "received undefined", "received NaN" for the text of a query that is no
 * number, "expected array to have >=1 items".
 * @returns undefined where the schema says it in words that were written for it
 */
function inWords(issue: z.core.$ZodIssue, given: unknown): string | undefined {
  const { message } = issue;
  switch (issue.code) {
    case 'invalid_type': {
      if (!message.startsWith('Invalid input: expected ')) return undefined;
      if (message.endsWith('received undefined')) return 'is missing';
      const kind = KINDS.get(issue.expected);
      return kind === undefined ? undefined : `must be ${kind}`;
    }
    case 'invalid_value': {
      if (!/^Invalid (?:option|input): expected /.test(message)) return undefined;
      if (valueAt(given, issue.path) === undefined) return 'is missing';
      const values = issue.values.map(String).join(', ');
      return issue.values.length === 1 ? `must be ${values}` : `must be one of ${values}`;
    }
    case 'too_small':
      return message.startsWith('Too small: expected ') ? boundText(issue, issue.minimum, 'least') : undefined;
    case 'too_big':
      return message.startsWith('Too big: expected ') ? boundText(issue, issue.maximum, 'most') : undefined;
    case 'invalid_format':
      return FORMATS.get(message);
    case 'invalid_union':
      return unionText(issue, given);
    default:
      return undefined;
  }
}

/** Of a union of which the value is no kind at all, or whose member that tells the kinds apart is none of them. */
function unionText(issue: z.core.$ZodIssueInvalidUnion, given: unknown): string | undefined {
  if (valueAt(given, issue.path) === undefined) return 'is missing';
  const { options } = issue as { readonly options?: readonly z.core.util.Primitive[] };
  if (options !== undefined) return `must be one of ${options.map(String).join(', ')}`;
  const kinds = issue.errors.map(([first]) => (first?.code === 'invalid_type' ? KINDS.get(first.expected) : undefined));
  return kinds.length === 0 || kinds.includes(undefined) ? undefined : `must be ${kinds.join(' or ')}`;
}

const FORMATS: ReadonlyMap<string, string> = new Map([
  ['Invalid ISO datetime', 'must be a time with its offset, such as 2026-11-01T12:00:00Z'],
  ['Invalid ISO date', 'must be a day, such as 2026-11-01'],
  ['Invalid URL', 'must be an address, such as https://shop.example/'],
]);

const COUNTED: ReadonlyMap<string, readonly [one: string, more: string]> = new Map([
  ['string', ['character', 'characters']],
  ['array', ['element', 'elements']],
  ['set', ['element', 'elements']],
]);

function boundText(
  { origin, inclusive, exact }: z.core.$ZodIssueTooSmall | z.core.$ZodIssueTooBig,
  bound: number | bigint,
  end: 'least' | 'most',
): string {
  const counted = COUNTED.get(origin);
  const than = end === 'least' ? 'more' : 'less';
  const range = inclusive === false ? `${than} than ${bound}` : `at ${end} ${bound}`;
  if (counted === undefined) return `must be ${range}`;
  return `must have ${exact === true ? `exactly ${bound}` : range} ${Number(bound) === 1 ? counted[0] : counted[1]}`;
}

function valueAt(given: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (value as Record<PropertyKey, unknown> | null | undefined)?.[step],
    given,
  );
}

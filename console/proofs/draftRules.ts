/** What reads and judges a draft of a policy in this browser, by the node's own code. See loadRules.ts. */
import { canonical } from '../../protocol/credential/canonical.ts';
import { type CaseOutcome, judgeCase, PolicyCases } from '../../protocol/policy/cases.ts';
import { compilePolicy } from '../../protocol/policy/compile.ts';
import { warningsOf } from '../../protocol/policy/contradictions.ts';
import { GROUPS } from '../../protocol/policy/rule.ts';
import { WORDED } from '../../protocol/policy/ruleMembers.ts';
import { Rules } from '../../protocol/policy/rules.ts';
import { compact } from '../../protocol/wire/compact.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { detailsOf } from '../../protocol/wire/issue.ts';
import { type FieldWords, type FormField, fieldsOf } from './formFields.ts';

/** What is wrong with a member, and what would be right. */
export interface DraftProblem {
  /** Empty for the whole. */
  readonly path: string;
  readonly message: string;
}

type Read<Value> =
  | { readonly ok: true; readonly value: Value }
  | { readonly ok: false; readonly problems: readonly DraftProblem[] };

type Issue = Parameters<typeof detailsOf>[0]['issues'][number];

const WORDS: ReadonlyMap<string, FieldWords> = new Map<string, FieldWords>([
  ...Object.entries(GROUPS).map(([group, label]) => [group, { label }] as const),
  ...WORDED.map(({ path, label, about, isDuration }) => [path, compact({ label, about, isDuration })] as const),
]);

export const FIELDS = fieldsOf(Rules, (path) => WORDS.get(path) ?? { label: path });

/** As much as a person reads. */
const MOST_PROBLEMS = 20;

export function readRules(json: unknown): Read<Rules> {
  const parsed = Rules.safeParse(json);
  if (parsed.success) return { ok: true, value: parsed.data };
  return {
    ok: false,
    problems: parsed.error.issues.flatMap((issue) => problemsOf(issue, json)).slice(0, MOST_PROBLEMS),
  };
}

/** What stands where there is no such rule may be a slip of the keyboard: those that there are are named. */
function problemsOf(issue: Issue, json: unknown): readonly DraftProblem[] {
  const details = detailsOf({ issues: [issue] }, json);
  if (issue.code !== 'unrecognized_keys') return details;
  const names = namesAt(issue.path).join(', ');
  return details.map(({ path, message }) => ({ path, message: `${message}; there are ${names}` }));
}

function namesAt(place: readonly PropertyKey[]): readonly string[] {
  let fields: readonly FormField[] = FIELDS;
  for (const step of place.filter((each) => typeof each === 'string')) {
    const found = fields.find((field) => nameOf(field) === step);
    fields = found !== undefined && 'fields' in found ? found.fields : [];
  }
  return fields.map(nameOf);
}

function nameOf({ path }: FormField): string {
  return path.split('.').at(-1) ?? path;
}

/** Whether two drafts are the same JSON, however they are written. */
export function isSameJson(one: unknown, other: unknown): boolean {
  return canonical(one) === canonical(other);
}

/** Where a draft contradicts itself. */
export function warningsIn(rules: Rules): readonly DraftProblem[] {
  return warningsOf(rules);
}

/** @param text of a file of cases, as `countersign policy test` reads it @param now for cases that do not say when */
export function runCases(rules: Rules, text: string, now: number): Read<readonly CaseOutcome[]> {
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch (error) {
    return { ok: false, problems: [{ path: '', message: `cannot be read as JSON: ${(error as Error).message}` }] };
  }
  const parsed = PolicyCases.safeParse(json);
  if (!parsed.success) {
    return { ok: false, problems: detailsOf(parsed.error, json).slice(0, MOST_PROBLEMS) };
  }
  const policy = compilePolicy(rules);
  const outcomes: CaseOutcome[] = [];
  for (const [number, each] of parsed.data.entries()) {
    try {
      outcomes.push(judgeCase(policy, each, now));
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      return { ok: false, problems: [{ path: `${number}.request.amount`, message: error.message }] };
    }
  }
  return { ok: true, value: outcomes };
}

/** What the form calls a member of the rules; a path that it does not have is said as it is. */
export function labelOf(path: string): string {
  return WORDED.find((member) => member.path === path)?.label ?? path;
}

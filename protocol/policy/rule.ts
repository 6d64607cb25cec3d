/**
 * What a rule of a policy consists of. A rule is one file in rules/: its members in the policy, what it says of a purchase, and
 * the words in which people read it. Everything else about it (the schema, the order of reasons, the form, the tables of the
 * documentation) derives from the list in ruleList.ts.
 */
import type { z } from 'zod';
import type { PolicyCases } from './cases.ts';
import type { Check, CheckInput, Measure } from './check.ts';
import type { CompiledPolicy } from './compile.ts';
import type { Direction, Pair } from './direction.ts';
import type { Rules } from './rules.ts';

/** The groups of a policy in their order, as the console's form calls them. */
export const GROUPS = {
  spend: 'How much',
  merchant: 'Where',
  context: 'When, and with whom',
  risk: 'How often, and how unusual',
  rails: 'How it is paid',
  external: 'What is paid elsewhere',
  mandates: 'What agents bring',
} as const;
export type Group = keyof typeof GROUPS;

/** The members of a policy that a rule has, by their group. */
export type RuleSchema = { readonly [Name in Group]?: Readonly<Record<string, z.ZodType>> };

/**
 * One rule. `Schema` is its schema, `Code` its reason codes, `Cause` its cause to ask for a person, and `Compiled` what it adds
 * to a compiled policy. A rule names them in its type, since the type of a policy is made of them.
 */
export interface Rule<
  Schema extends RuleSchema = RuleSchema,
  Code extends string = never,
  Cause extends string = never,
  Compiled extends object = object,
> {
  readonly schema: Schema;
  /** Each member in words, in the order of the schema. The first is where the console leads to change the rule. */
  readonly members: MembersOf<Schema>;
  /** What is prepared once for each version of a policy: it becomes part of CompiledPolicy. */
  compile?(rules: Rules): Compiled;
  /** Why a purchase is refused, in the order in which reasons are reported. */
  readonly checks?: readonly RuleCheck<Code>[];
  /** When a person is asked. */
  readonly presence?: RulePresence<Cause>;
  /** Where its members contradict each other so that the policy is not taken. */
  conflicts?(rules: Rules): readonly Remark[];
  /** Where it can never apply beside another rule; the policy is taken, and its owner is told. */
  warnings?(rules: Rules): readonly Remark[];
}

/** One sentence about a member of a policy, such as `spend.presence_cap`. */
export interface Remark {
  readonly path: string;
  readonly message: string;
}

/** What a change of a request can be about. */
export const CHANGE_KINDS = ['amount', 'presence', 'time', 'merchant', 'category', 'country'] as const;
export type ChangeKind = (typeof CHANGE_KINDS)[number];

/** What a list of the policy names, with a value of the request for each. */
export interface NamedValue {
  readonly name: string;
  readonly value: string;
}

export interface RuleCheck<Code extends string = string> {
  readonly code: Code;
  /** True for a code that was published after those of what is around a policy, and is reported after them. */
  readonly isLast?: true;
  /** What people call it beside a decision; the label of the rule's first member when absent. */
  readonly name?: string;
  /** Whether the policy sets it: one that is not set says nothing of any purchase, and is not run. Absent where it may always speak. */
  isSet?(policy: CompiledPolicy): boolean;
  readonly check: Check;
  readonly measure: Measure;
  /** The changes of a request that can take this reason away. */
  readonly helps: readonly ChangeKind[];
  /** What the policy names as allowed, where another merchant, category or country helps. */
  named?(policy: CompiledPolicy): readonly NamedValue[];
  /**
   * The first moment from one on (milliseconds since the epoch) at which the rule allows purchases by the clock alone; undefined
   * where there is none soon. Absent where purchases before this one decide.
   */
  opensAt?(policy: CompiledPolicy, from: number): number | undefined;
  /** Its section of the page on errors, in Markdown. */
  readonly docs: { readonly cause: string; readonly remedy: string };
}

export interface RulePresence<Cause extends string = string> {
  readonly cause: Cause;
  /** What people call it beside a decision; the label of the rule's first member when absent. */
  readonly name?: string;
  /** As of a check. */
  isSet?(policy: CompiledPolicy): boolean;
  /** @returns why a person is needed, or undefined */
  asks(input: CheckInput): string | undefined;
  readonly measure: Measure;
}

/** What a sentence may say besides its own value. */
interface SentenceContext {
  readonly rules: Rules;
  /** An amount of the policy with its currency. */
  money(amount: number): string;
  /** A rail in words. */
  rail(name: string): string;
}

export interface Words<Value> {
  /** What the console's form calls it. */
  readonly label: string;
  /** What it is for; absent where its parts say so. */
  readonly about?: string;
  /** True for an amount in units of the currency. */
  readonly isAmount?: true;
  /** True for a duration such as `24h`. */
  readonly isDuration?: true;
  /** How a change of it is called, and whether the change loosens the policy. Without it only its parts are compared. */
  readonly change?: Change<Value>;
  /** What a policy says by it. A part without a sentence is told by the sentence of its whole. */
  sentence?(value: Value, context: SentenceContext): string | undefined;
  readonly parts?: PartsOf<Value>;
}

interface Change<Value> {
  readonly label: string;
  /** What an empty list of it allows, where it lists all that is allowed: "any merchant". */
  readonly everything?: string;
  /** @returns undefined where both mean the same */
  direction(pair: Pair<Value>): Direction | undefined;
}

/** A member of a part, such as `context.geo.allow` and `context.time_windows.from`. */
type PartsOf<Value> = Value extends readonly (infer Entry)[]
  ? PartsOf<Entry>
  : Value extends object
    ? { readonly [Name in keyof Value & string]-?: Words<NonNullable<Value[Name]>> }
    : never;

export interface RuleMember<Value = unknown> extends Words<Value> {
  /**
   * Its section of the page on policies: Markdown (links from the root of the repository), the groups of an example policy, and
   * cases that come out as they say.
   */
  readonly docs: {
    readonly about: string;
    readonly example: Omit<Rules, 'version'>;
    readonly cases: z.input<typeof PolicyCases>;
  };
}

type PathIn<Schema> = {
  [Name in keyof Schema & string]: `${Name}.${keyof Schema[Name] & string}`;
}[keyof Schema & string];

type ValueAt<Schema, Path> = Path extends `${infer Name extends keyof Schema & string}.${infer Member}`
  ? Member extends keyof Schema[Name]
    ? NonNullable<z.output<Schema[Name][Member]>>
    : never
  : never;

type MembersOf<Schema extends RuleSchema> = {
  readonly [Path in PathIn<Schema>]: RuleMember<ValueAt<Schema, Path>>;
};

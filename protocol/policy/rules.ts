/** The rules of a policy as its owner writes them. The schema is strict, so that no unknown rule is silently ignored. */
import { z } from 'zod';
import { Currency, floorToMinor, requireExact, toMinor } from '../money.ts';
import { Fault } from '../wire/fault.ts';
import { GROUPS, type Group, type Remark, type RuleSchema } from './rule.ts';
import { RULES } from './ruleList.ts';
import { valuesAt, WORDED } from './ruleMembers.ts';

type Schemas = (typeof RULES)[number]['schema'];
type SchemaWith<Name extends Group> = Extract<Schemas, { readonly [Each in Name]: unknown }>;
/** The members of several rules in one. */
type UnionMembers<Union> = (Union extends unknown ? (each: Union) => void : never) extends (all: infer All) => void
  ? { [Name in keyof All]: All[Name] }
  : never;
type Shape = { version: z.ZodLiteral<'2.0'> } & {
  [Name in Group]: z.ZodOptional<z.ZodObject<UnionMembers<SchemaWith<Name>[Name]>, z.core.$strict>>;
};

function groupSchema(name: Group) {
  const members = (RULES as readonly { readonly schema: RuleSchema }[]).map(({ schema }) => schema[name]);
  return z.strictObject(Object.assign({}, ...members)).optional();
}

const StrictRules = z.strictObject({
  version: z.literal('2.0'),
  ...Object.fromEntries((Object.keys(GROUPS) as Group[]).map((name) => [name, groupSchema(name)])),
}) as unknown as z.ZodObject<Shape, z.core.$strict>;
type StrictRules = z.infer<typeof StrictRules>;

/**
 * Rules as they are stored: as they were written, since attestations contain their hash, so the schema transforms nothing. It
 * takes the amounts of earlier policies too, which had no bound.
 */
export const StoredRules = StrictRules.superRefine((rules, context) => {
  for (const { conflicts } of RULES as readonly RuleWithConflicts[]) {
    for (const { path, message } of conflicts?.(rules) ?? []) {
      context.addIssue({ code: 'custom', path: path.split('.'), message });
    }
  }
  const { currency } = rules.spend ?? {};
  // Without a currency each request has its own.
  if (currency === undefined) return;
  addFaults(context, rules, (amount) => toMinor(amount, currency, { allowZero: true }));
});

interface RuleWithConflicts {
  conflicts?(rules: StrictRules): readonly Remark[];
}

/** Rules as an owner writes them. */
export const Rules = StoredRules.superRefine((rules, context) => {
  const { currency } = rules.spend ?? {};
  addFaults(context, rules, (amount) => {
    const minor = currency === undefined ? undefined : floorToMinor(amount, currency);
    // What is more than can be counted is refused above.
    if (currency !== undefined && minor !== undefined && minor < Number.MAX_SAFE_INTEGER) requireExact(minor, currency);
    if (currency === undefined && amount >= MOST_UNITS)
      throw new Fault('BAD_REQUEST', `The amount must be less than ${MOST_UNITS}.`);
  });
});
export type Rules = StrictRules;

/** In no currency so many units have less than 16 digits. */
const MOST_UNITS = 1e15;

const AMOUNTS = WORDED.filter(({ isAmount }) => isAmount === true).map(({ path }) => path);

/** Adds an issue for each amount of the rules that a check refuses. @param check throws a Fault */
function addFaults(context: z.RefinementCtx, rules: StrictRules, check: (amount: number) => unknown) {
  // Of a currency that does not exist no amount is wrong.
  if (rules.spend?.currency !== undefined && !Currency.safeParse(rules.spend.currency).success) return;
  for (const { path, value } of AMOUNTS.flatMap((each) => valuesAt(rules, each))) {
    try {
      check(value as number);
    } catch (error) {
      if (!(error instanceof Fault)) throw error;
      context.addIssue({ code: 'custom', path: path.split('.'), message: error.message });
    }
  }
}

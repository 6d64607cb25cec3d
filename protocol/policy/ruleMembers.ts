/** Every member of a policy with its words, in the order of the schema; what has members of its own is followed by them. */
import { GROUPS, type Group, type Rule, type RuleMember, type Words } from './rule.ts';
import { RULES } from './ruleList.ts';
import type { Rules } from './rules.ts';

interface MemberWords extends Words<unknown> {
  /** Such as `spend.amount_cap` and `context.geo.allow`. */
  readonly path: string;
  /** The member that it is a part of. */
  readonly whole?: MemberWords;
}

interface MemberDocs extends MemberWords {
  readonly docs: RuleMember['docs'];
}

/** The members of the groups, such as `context.geo`. */
export const MEMBERS: readonly MemberDocs[] = (Object.keys(GROUPS) as Group[]).flatMap((group) =>
  (RULES as readonly Rule<object, string, string>[]).flatMap((rule) => {
    const words = rule.members as Readonly<Record<string, RuleMember>>;
    return Object.entries(words).flatMap(([path, member]) => (path.startsWith(`${group}.`) ? { ...member, path } : []));
  }),
);

/** The members of the groups and their parts. */
export const WORDED: readonly MemberWords[] = MEMBERS.flatMap(withParts);

function withParts(whole: MemberWords): MemberWords[] {
  const parts = Object.entries((whole.parts ?? {}) as Readonly<Record<string, Words<unknown>>>);
  return [whole, ...parts.flatMap(([name, part]) => withParts({ ...part, path: `${whole.path}.${name}`, whole }))];
}

/** @param path of a member that is in no list */
export function valueAt(rules: Rules, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((within, step) => (within as Record<string, unknown> | undefined)?.[step], rules);
}

/** A value of the rules, and where it is: of what is in a list, with the number of its entry. */
interface PlacedValue {
  readonly path: string;
  readonly value: unknown;
}

/** @param path of a member that may be in a list, such as `context.approval.above` @returns every value that is set */
export function valuesAt(rules: Rules, path: string): readonly PlacedValue[] {
  const root: PlacedValue = { path: '', value: rules };
  return path.split('.').reduce<readonly PlacedValue[]>(
    (within, step) =>
      within.flatMap(entriesOf).flatMap((each) => {
        const value = (each.value as Readonly<Record<string, unknown>>)[step];
        return value === undefined ? [] : [{ path: each.path === '' ? step : `${each.path}.${step}`, value }];
      }),
    [root],
  );
}

function entriesOf({ path, value }: PlacedValue): readonly PlacedValue[] {
  if (!Array.isArray(value)) return [{ path, value }];
  return value.map((entry: unknown, index) => ({ path: `${path}.${index}`, value: entry }));
}

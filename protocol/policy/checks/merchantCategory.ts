/** Merchant category codes (ISO 18245), and the named categories that group them. */
import categories from '../../../data/categories.json' with { type: 'json' };
import type { Check } from '../check.ts';
import type { Rules } from '../rules.ts';

export const CATEGORY_NAMES: readonly string[] = Object.keys(categories);

const CATEGORY_BY_MCC: ReadonlyMap<string, string> = new Map(
  Object.entries(categories).flatMap(([name, codes]) => codes.flatMap(expandCodes).map((mcc) => [mcc, name] as const)),
);

/** A code, or the codes of a range such as `3000-3299`, both ends included (airlines and hotels have one each). */
export function expandCodes(text: string): string[] {
  const [first = text, last = first] = text.split('-');
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => String(Number(first) + i).padStart(4, '0'));
}

/** @returns the category's name, or undefined for a code that is in no category */
export function categoryOf(mcc: string): string | undefined {
  return CATEGORY_BY_MCC.get(mcc);
}

export interface CompiledCategories {
  /** Undefined allows every category. */
  readonly names: ReadonlySet<string> | undefined;
  /** Undefined allows every code. */
  readonly mccAllow: ReadonlySet<string> | undefined;
  readonly mccDeny: ReadonlySet<string>;
}

export function compileCategories(rules: Rules): CompiledCategories {
  return {
    names: setUnlessEmpty(rules.spend?.categories),
    mccAllow: setUnlessEmpty(rules.merchant?.mcc_allow),
    mccDeny: new Set(rules.merchant?.mcc_deny),
  };
}

function setUnlessEmpty(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list === undefined || list.length === 0 ? undefined : new Set(list);
}

/** A request without a code is not checked; a code without a category is in no listed category. */
export const checkCategory: Check = ({ policy, request: { mcc } }) => {
  if (mcc === undefined) return undefined;
  const { names, mccAllow, mccDeny } = policy.categories;
  const category = categoryOf(mcc);
  const shown = `Merchant category ${mcc}${category === undefined ? '' : ` (${category})`}`;
  if (mccDeny.has(mcc)) return { message: `${shown} is denied by the policy.` };
  if (mccAllow !== undefined && !mccAllow.has(mcc)) return { message: `${shown} is not among the codes allowed.` };
  if (names !== undefined && (category === undefined || !names.has(category))) {
    return { message: `${shown} is not in a category that the policy allows: ${[...names].join(', ')}.` };
  }
  return undefined;
};

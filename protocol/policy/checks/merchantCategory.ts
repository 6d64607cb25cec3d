/** Merchant category codes (ISO 18245), and the named categories that group them. */
import { z } from 'zod';
import categories from '../../../data/categories.json' with { type: 'json' };
import type { Check, Measure } from '../check.ts';
import { NOT_SET } from '../explain.ts';
import type { Rules } from '../rules.ts';

export const CATEGORY_NAMES: readonly string[] = Object.keys(categories);

const CATEGORY_BY_MCC: ReadonlyMap<string, string> = new Map(
  Object.entries(categories).flatMap(([name, codes]) => codes.flatMap(expandCodes).map((mcc) => [mcc, name] as const)),
);

export const MerchantCategory = z.string().regex(/^\d{4}$/, 'a merchant category code has four digits (ISO 18245)');

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
  /** Whether a purchase without a known category is refused. */
  readonly strict: boolean;
}

export function compileCategories(rules: Rules): CompiledCategories {
  return {
    names: setUnlessEmpty(rules.spend?.categories),
    mccAllow: setUnlessEmpty(rules.merchant?.mcc_allow),
    mccDeny: new Set(rules.merchant?.mcc_deny),
    strict: rules.spend?.categories_strict === true,
  };
}

function setUnlessEmpty(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list === undefined || list.length === 0 ? undefined : new Set(list);
}

/** Whether a policy asks for the category at all. */
export function asksCategory({ names, mccAllow, mccDeny, strict }: CompiledCategories): boolean {
  return strict || names !== undefined || mccAllow !== undefined || mccDeny.size > 0;
}

/** What a policy's category rules name, each with codes of it: the codes that it allows, or the categories. */
export function namedCategories({
  names,
  mccAllow,
}: CompiledCategories): { readonly name: string; readonly value: string }[] {
  if (mccAllow !== undefined) return [...mccAllow].map((mcc) => ({ name: mcc, value: mcc }));
  return [...CATEGORY_BY_MCC].flatMap(([value, name]) => (names?.has(name) === true ? [{ name, value }] : []));
}

/** A request without a code is checked by a strict policy only; a code without a category is in no listed category. */
export const checkCategory: Check = ({ policy, request: { mcc } }) => {
  const { names, mccAllow, mccDeny, strict } = policy.categories;
  if (mcc === undefined) {
    return strict ? { message: 'The policy asks for the merchant’s category, and nobody knows it.' } : undefined;
  }
  const category = categoryOf(mcc);
  const shown = show(mcc);
  if (mccDeny.has(mcc)) return { message: `${shown} is denied by the policy.` };
  if (mccAllow !== undefined && !mccAllow.has(mcc)) return { message: `${shown} is not among the codes allowed.` };
  if (names !== undefined && (category === undefined || !names.has(category))) {
    return { message: `${shown} is not in a category that the policy allows: ${[...names].join(', ')}.` };
  }
  return undefined;
};

function show(mcc: string): string {
  const category = categoryOf(mcc);
  return `Merchant category ${mcc}${category === undefined ? '' : ` (${category})`}`;
}

export const measureCategory: Measure = ({ policy: { categories }, request: { mcc } }) => {
  if (!asksCategory(categories)) return NOT_SET;
  if (mcc !== undefined) return { asked: mcc, sentence: `${show(mcc)} is allowed.` };
  if (categories.strict) return { asked: 'no category', sentence: 'The merchant’s category is known.' };
  return { notAsked: 'Nobody knows the merchant’s category, which the policy does not ask for.' };
};

/** Merchant category codes (ISO 18245), and the named categories that group them. */
import { z } from 'zod';
import categories from '../../../data/categories.json' with { type: 'json' };

export const CATEGORY_NAMES: readonly string[] = Object.keys(categories);

const CATEGORY_BY_MCC: ReadonlyMap<string, string> = new Map(
  Object.entries(categories).flatMap(([name, codes]) => codes.flatMap(expandCodes).map((mcc) => [mcc, name] as const)),
);

export const MerchantCategory = z.string().regex(/^\d{4}$/, 'a merchant category code has four digits (ISO 18245)');

/** A code, or the codes of a range such as `3000-3350`, both ends included (airlines, car rentals and hotels have one each). */
export function expandCodes(text: string): string[] {
  const [first = text, last = first] = text.split('-');
  return Array.from({ length: Number(last) - Number(first) + 1 }, (_, i) => String(Number(first) + i).padStart(4, '0'));
}

/** @returns the category's name, or undefined for a code that is in no category */
export function categoryOf(mcc: string): string | undefined {
  return CATEGORY_BY_MCC.get(mcc);
}

/** Every code of some categories, each under the name of its category. */
export function mccsOf(names: ReadonlySet<string>): readonly { readonly name: string; readonly value: string }[] {
  return [...CATEGORY_BY_MCC].flatMap(([value, name]) => (names.has(name) ? [{ name, value }] : []));
}

/** As people read a code: "Gambling (7995)"; one that is in no category is itself. */
export function mccText(mcc: string): string {
  const name = categoryOf(mcc);
  return name === undefined ? mcc : `${categoryText(name)} (${mcc})`;
}

/** `general_merchandise` as "General merchandise". */
export function categoryText(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1).replaceAll('_', ' ');
}

/** The categories of merchants that have a name. */
import categories from '../../../data/categories.json' with { type: 'json' };
import { wordsOf } from './codeText.ts';

/** Each by its name and the first of its codes, such as `groceries`, `5411` and "Groceries (5411)". */
export const CATEGORIES = Object.entries(categories).map(
  ([name, [code = '']]) => [name, code, `${wordsOf(name)} (${code})`] as const,
);

/** @param mcc four digits (ISO 18245) @returns such as "Groceries (5411)"; the code alone where it has no name */
export function categoryText(mcc: string): string {
  const found = Object.entries(categories as Readonly<Record<string, readonly string[]>>).find(([, codes]) =>
    codes.includes(mcc),
  );
  return found === undefined ? mcc : `${wordsOf(found[0])} (${mcc})`;
}

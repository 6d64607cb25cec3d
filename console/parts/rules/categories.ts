/** The categories of merchants that have a name. */
import categories from '../../../data/categories.json' with { type: 'json' };
import { wordsOf } from '../values/codeText.ts';

/** Each by its name and the first of its codes, such as `groceries`, `5411` and "Groceries (5411)". */
export const CATEGORIES = Object.entries(categories).map(
  ([name, [code = '']]) => [name, code, `${wordsOf(name)} (${code})`] as const,
);

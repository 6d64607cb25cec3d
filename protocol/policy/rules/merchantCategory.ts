/** What may be bought, by merchant category codes (ISO 18245) and the named categories that group them. */
import { z } from 'zod';
import { allowed, demand, denied } from '../direction.ts';
import { bothWays, isAmong, NOT_SET, namesText } from '../explain.ts';
import type { Rule } from '../rule.ts';
import { CATEGORY_NAMES, categoryOf, categoryText, mccsOf, mccText } from '../values/category.ts';
import { listOf } from '../values/ruleValues.ts';

type CompiledCategories = {
  /** Undefined allows every category. */
  readonly names: ReadonlySet<string> | undefined;
  /** Undefined allows every code. */
  readonly mccAllow: ReadonlySet<string> | undefined;
  readonly mccDeny: ReadonlySet<string>;
  /** Whether a purchase without a known category is refused. */
  readonly strict: boolean;
};

type RuleForm = {
  readonly categories: CompiledCategories;
};

function setUnlessEmpty(list: readonly string[] | undefined): ReadonlySet<string> | undefined {
  return list === undefined || list.length === 0 ? undefined : new Set(list);
}

/** Whether a policy asks for the category at all. */
function asksCategory({ names, mccAllow, mccDeny, strict }: CompiledCategories): boolean {
  return strict || names !== undefined || mccAllow !== undefined || mccDeny.size > 0;
}

function show(mcc: string): string {
  const category = categoryOf(mcc);
  return `Merchant category ${mcc}${category === undefined ? '' : ` (${category})`}`;
}

const Category = z.enum(CATEGORY_NAMES, { error: `must be one of ${CATEGORY_NAMES.join(', ')}` });
const Mcc = z.string().regex(/^\d{4}$/, 'must be a merchant category code of four digits (ISO 18245)');

const schema = {
  spend: {
    categories: listOf(Category).optional().describe('Categories of merchants that are allowed, by their code.'),
    categories_strict: z.boolean().optional().describe('Refuses purchases whose category is not known.'),
  },
  merchant: {
    mcc_allow: listOf(Mcc).optional().describe('Merchant category codes that are allowed.'),
    mcc_deny: listOf(Mcc).optional().describe('Merchant category codes that are denied.'),
  },
};

export const merchantCategory: Rule<typeof schema, 'MCC_DENIED', never, RuleForm> = {
  schema,
  members: {
    'spend.categories': {
      label: 'Categories',
      about: 'Only what is in these may be bought.',
      change: { label: 'categories', everything: 'any category', direction: allowed() },
      sentence: (list) =>
        namesText(list.map(categoryText), (names) => `Only these categories may be bought: ${names}.`),
      docs: {
        about:
          'What may be bought, by the names of [data/categories.json](/data/categories.json), which group merchant category codes (ISO 18245). A request without a code is not checked, unless `spend.categories_strict` says so. The code that the merchant registry has for a domain wins over the one the agent gives, at the cart and the payment too; so does its country.',
        example: { spend: { categories: ['groceries', 'household'] } },
        cases: [
          {
            name: 'a supermarket',
            request: { amount: 5, currency: 'USD', mcc: '5411' },
            expect: { allowed: true },
          },
          {
            name: 'electronics',
            request: { amount: 5, currency: 'USD', mcc: '5732' },
            expect: { allowed: false, reasonCodes: ['MCC_DENIED'] },
          },
          { name: 'no code', request: { amount: 5, currency: 'USD' }, expect: { allowed: true } },
        ],
      },
    },
    'spend.categories_strict': {
      label: 'Refuse unknown categories',
      about: 'Whether a purchase is refused whose category is not known.',
      change: { label: 'a known category is asked for', direction: demand },
      sentence: (is) => (is ? 'A purchase whose category is not known is refused.' : undefined),
      docs: {
        about: 'Refuses what has no known category, so that an agent cannot pass by giving none.',
        example: { spend: { categories: ['groceries'], categories_strict: true } },
        cases: [
          {
            name: 'a supermarket',
            request: { amount: 5, currency: 'USD', mcc: '5411' },
            expect: { allowed: true },
          },
          {
            name: 'no code',
            request: { amount: 5, currency: 'USD' },
            expect: { allowed: false, reasonCodes: ['MCC_DENIED'] },
          },
        ],
      },
    },
    'merchant.mcc_allow': {
      label: 'Category codes that are allowed',
      about: 'Only these merchant category codes (ISO 18245), one in each line.',
      change: { label: 'category codes allowed', everything: 'any category code', direction: allowed() },
      sentence: (list) => namesText(list.map(mccText), (codes) => `Only these categories are allowed: ${codes}.`),
      docs: {
        about: 'The only merchant category codes (ISO 18245) that are allowed.',
        example: { merchant: { mcc_allow: ['5411', '5499'] } },
        cases: [
          {
            name: 'a supermarket',
            request: { amount: 5, currency: 'USD', mcc: '5411' },
            expect: { allowed: true },
          },
          {
            name: 'a bar',
            request: { amount: 5, currency: 'USD', mcc: '5813' },
            expect: { allowed: false, reasonCodes: ['MCC_DENIED'] },
          },
        ],
      },
    },
    'merchant.mcc_deny': {
      label: 'Category codes that are denied',
      about: 'None of these, one in each line.',
      change: { label: 'category codes denied', direction: denied() },
      sentence: (list) => namesText(list.map(mccText), (codes) => `These categories are denied: ${codes}.`),
      docs: {
        about: 'Merchant category codes that are not allowed.',
        example: { merchant: { mcc_deny: ['7995'] } },
        cases: [
          {
            name: 'betting',
            request: { amount: 5, currency: 'USD', mcc: '7995' },
            expect: { allowed: false, reasonCodes: ['MCC_DENIED'] },
          },
          {
            name: 'a supermarket',
            request: { amount: 5, currency: 'USD', mcc: '5411' },
            expect: { allowed: true },
          },
        ],
      },
    },
  },
  compile: ({ spend, merchant }) => ({
    categories: {
      names: setUnlessEmpty(spend?.categories),
      mccAllow: setUnlessEmpty(merchant?.mcc_allow),
      mccDeny: new Set(merchant?.mcc_deny),
      strict: spend?.categories_strict === true,
    },
  }),
  checks: [
    {
      code: 'MCC_DENIED',
      isSet: ({ categories }) => asksCategory(categories),
      // A request without a code is checked by a strict policy only; a code without a category is in no listed category.
      check({ policy, request: { mcc } }) {
        const { names, mccAllow, mccDeny, strict } = policy.categories;
        if (mcc === undefined) {
          return strict ? { message: 'The policy asks for the merchant’s category, which is not known.' } : undefined;
        }
        const category = categoryOf(mcc);
        const shown = show(mcc);
        if (mccDeny.has(mcc)) return { message: `${shown} is denied by the policy.` };
        if (mccAllow !== undefined && !mccAllow.has(mcc))
          return { message: `${shown} is not among the codes allowed.` };
        if (names !== undefined && (category === undefined || !names.has(category))) {
          return { message: `${shown} is not in a category that the policy allows: ${[...names].join(', ')}.` };
        }
        return undefined;
      },
      measure({ policy: { categories }, request: { mcc } }) {
        if (!asksCategory(categories)) return NOT_SET;
        if (mcc !== undefined) return { asked: mcc, sentence: `${show(mcc)} is allowed.` };
        if (categories.strict) return { asked: 'no category', sentence: 'The merchant’s category is known.' };
        return { notAsked: 'The merchant’s category is unknown, and the policy does not ask for it.' };
      },
      helps: ['category'],
      // Each with codes of it: the codes that the policy allows, or the categories.
      named({ categories: { names, mccAllow } }) {
        if (mccAllow !== undefined) return [...mccAllow].map((mcc) => ({ name: mcc, value: mcc }));
        return mccsOf(names ?? new Set());
      },
      docs: {
        cause:
          "the merchant's category code (ISO 18245) is on `merchant.mcc_deny`, or not among those that `merchant.mcc_allow` and `spend.categories` allow; or it is not known, and the policy says `spend.categories_strict`.",
        remedy: "check that the code is the merchant's; have the owner allow the category.",
      },
    },
  ],
  warnings({ merchant }) {
    const { mcc_allow = [], mcc_deny = [] } = merchant ?? {};
    return bothWays('merchant.mcc_allow', mcc_allow, 'mcc_deny', isAmong(mcc_deny));
  },
};

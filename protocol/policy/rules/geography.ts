/** The countries of merchants that are allowed or denied. */
import { z } from 'zod';
import { allowed, denied } from '../direction.ts';
import { bothWays, isAmong, NOT_SET, namesText } from '../explain.ts';
import type { Rule } from '../rule.ts';
import { Country } from '../values/country.ts';
import { listOf } from '../values/ruleValues.ts';

type RuleForm = {
  readonly geo: {
    /** Undefined allows every country. */
    readonly allow: ReadonlySet<string> | undefined;
    readonly deny: ReadonlySet<string>;
  };
};

const schema = {
  context: {
    geo: z
      .strictObject({
        allow: listOf(Country).optional().describe('Those that are allowed; all when absent or empty.'),
        deny: listOf(Country).optional().describe('Those that are denied.'),
      })
      .optional()
      .describe('Countries, ISO 3166-1 alpha-2.'),
  },
};

export const geography: Rule<typeof schema, 'GEO_RESTRICTED', never, RuleForm> = {
  schema,
  members: {
    'context.geo': {
      label: 'Countries',
      parts: {
        allow: {
          label: 'Countries that are allowed',
          about: 'Only these, one in each line (ISO 3166-1, such as DE); a request must then name its country.',
          change: { label: 'countries allowed', everything: 'any country', direction: allowed() },
          sentence: (list) => namesText(list, (countries) => `Only these countries are allowed: ${countries}.`),
        },
        deny: {
          label: 'Countries that are denied',
          about: 'None of these, one in each line.',
          change: { label: 'countries denied', direction: denied() },
          sentence: (list) => namesText(list, (countries) => `These countries are denied: ${countries}.`),
        },
      },
      docs: {
        about:
          'Countries of merchants (ISO 3166-1): `allow` names the only ones that are allowed, and a request must then name its country; `deny` names those that are not allowed.',
        example: { context: { geo: { allow: ['DE', 'AT', 'CH'], deny: ['CH'] } } },
        cases: [
          { name: 'allowed', request: { amount: 5, currency: 'EUR', country: 'AT' }, expect: { allowed: true } },
          {
            name: 'denied',
            request: { amount: 5, currency: 'EUR', country: 'CH' },
            expect: { allowed: false, reasonCodes: ['GEO_RESTRICTED'] },
          },
          {
            name: 'not named',
            request: { amount: 5, currency: 'EUR' },
            expect: { allowed: false, reasonCodes: ['GEO_RESTRICTED'] },
          },
        ],
      },
    },
  },
  compile({ context }) {
    const { allow = [], deny = [] } = context?.geo ?? {};
    return { geo: { allow: allow.length === 0 ? undefined : new Set(allow), deny: new Set(deny) } };
  },
  checks: [
    {
      code: 'GEO_RESTRICTED',
      isSet: ({ geo }) => geo.allow !== undefined || geo.deny.size > 0,
      check({ policy: { geo }, request: { country } }) {
        if (country === undefined) {
          return geo.allow === undefined
            ? undefined
            : { message: 'The policy allows only certain countries, and the request names none.' };
        }
        if (geo.deny.has(country)) return { message: `The policy denies purchases in ${country}.` };
        if (geo.allow === undefined || geo.allow.has(country)) return undefined;
        return { message: `The policy allows no purchases in ${country}.` };
      },
      measure({ policy: { geo }, request: { country } }) {
        if (geo.allow === undefined && geo.deny.size === 0) return NOT_SET;
        if (country === undefined && geo.allow === undefined) return { notAsked: 'The request names no country.' };
        return { asked: country ?? 'no country', sentence: `The policy allows purchases in ${country}.` };
      },
      helps: ['country'],
      named: ({ geo }) => [...(geo.allow ?? [])].map((name) => ({ name, value: name })),
      docs: {
        cause:
          "the merchant's country is on `context.geo.deny`, or not on `context.geo.allow`, or missing where there is a `context.geo.allow`.",
        remedy: 'name the country in `vendorHints.country` (ISO 3166-1); have the owner allow it.',
      },
    },
  ],
  warnings({ context }) {
    const { allow = [], deny = [] } = context?.geo ?? {};
    return bothWays('context.geo.allow', allow, 'deny', isAmong(deny));
  },
};

/** The only merchants that are allowed, by domain. */
import { allowed } from '../direction.ts';
import { bothWays, NOT_SET, namesText } from '../explain.ts';
import type { Rule } from '../rule.ts';
import {
  compileDomains,
  type DomainList,
  DomainPattern,
  isListed,
  NO_MERCHANT,
  patternsCover,
} from '../values/domain.ts';
import { listOf } from '../values/ruleValues.ts';

type RuleForm = {
  /** Undefined allows every merchant. */
  readonly allowedMerchants: DomainList | undefined;
};

/** The merchants that an allow list names, without those that it only tells the parent domain of. */
export function namedMerchants({ allowedMerchants }: RuleForm): readonly string[] {
  return allowedMerchants === undefined ? [] : [...allowedMerchants.exact];
}

const schema = {
  merchant: {
    allow_list: listOf(DomainPattern)
      .optional()
      .describe('Domains that are allowed; `*.example.com` means the subdomains. Empty: all.'),
  },
};

export const allowList: Rule<typeof schema, 'MERCHANT_NOT_ALLOWED', never, RuleForm> = {
  schema,
  members: {
    'merchant.allow_list': {
      label: 'Merchants that are allowed',
      about: 'Only these, one in each line; *.shop.example stands for the subdomains.',
      change: { label: 'allow list', everything: 'any merchant', direction: allowed(patternsCover('allow')) },
      sentence: (list) => namesText(list, (names) => `Only these merchants are allowed: ${names}.`),
      docs: {
        about:
          'The only merchants that are allowed, by domain. `*.` stands for subdomains at any depth, and not for the domain itself. An intent may still name no merchant; its cart must, and is checked again.',
        example: { merchant: { allow_list: ['shop.example', '*.market.example'] } },
        cases: [
          {
            name: 'listed',
            request: { amount: 5, currency: 'USD', merchantDomain: 'shop.example' },
            expect: { allowed: true },
          },
          {
            name: 'a subdomain',
            request: { amount: 5, currency: 'USD', merchantDomain: 'tea.market.example' },
            expect: { allowed: true },
          },
          {
            name: 'another',
            request: { amount: 5, currency: 'USD', merchantDomain: 'other.example' },
            expect: { allowed: false, reasonCodes: ['MERCHANT_NOT_ALLOWED'] },
          },
        ],
      },
    },
  },
  compile({ merchant }) {
    const patterns = merchant?.allow_list ?? [];
    return {
      allowedMerchants: patterns.length === 0 ? undefined : compileDomains(patterns, { coversSubdomains: false }),
    };
  },
  checks: [
    {
      code: 'MERCHANT_NOT_ALLOWED',
      isSet: ({ allowedMerchants }) => allowedMerchants !== undefined,
      // An intent without a merchant passes; its cart, which must name one, is checked again.
      check({ policy: { allowedMerchants: list }, request: { merchantDomain } }) {
        if (list === undefined || merchantDomain === undefined || isListed(list, merchantDomain)) return undefined;
        return { message: `${merchantDomain} is not on the policy's allow list.` };
      },
      measure({ policy: { allowedMerchants: list }, request: { merchantDomain } }) {
        if (list === undefined) return NOT_SET;
        if (merchantDomain === undefined) return NO_MERCHANT;
        return { asked: merchantDomain, sentence: `${merchantDomain} is on the policy's allow list.` };
      },
      helps: ['merchant'],
      named: (policy) => namedMerchants(policy).map((name) => ({ name, value: name })),
      docs: {
        cause: 'the policy has a `merchant.allow_list`, and the merchant is not on it.',
        remedy: 'buy from one that is, or have the owner add its domain, or `*.` and the domain for its subdomains.',
      },
    },
  ],
  warnings({ merchant }) {
    const { allow_list = [], deny_list = [] } = merchant ?? {};
    return bothWays('merchant.allow_list', allow_list, 'deny_list', patternsCover('deny')(deny_list));
  },
};

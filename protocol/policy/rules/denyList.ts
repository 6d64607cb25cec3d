/** Merchants that are denied, by domain. */
import { denied } from '../direction.ts';
import { NOT_SET, namesText } from '../explain.ts';
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
  readonly deniedMerchants: DomainList;
};

const schema = {
  merchant: {
    deny_list: listOf(DomainPattern).optional().describe('Domains that are denied, their subdomains included.'),
  },
};

export const denyList: Rule<typeof schema, 'MERCHANT_DENIED', never, RuleForm> = {
  schema,
  members: {
    'merchant.deny_list': {
      label: 'Merchants that are denied',
      about: 'None of these, with their subdomains; one in each line.',
      change: { label: 'deny list', direction: denied(patternsCover('deny')) },
      sentence: (list) => namesText(list, (names) => `These merchants are denied: ${names}.`),
      docs: {
        about:
          'Merchants that are not allowed. A domain includes its subdomains, which could otherwise be used to evade the rule.',
        example: { merchant: { deny_list: ['scam.example'] } },
        cases: [
          {
            name: 'denied',
            request: { amount: 5, currency: 'USD', merchantDomain: 'www.scam.example' },
            expect: { allowed: false, reasonCodes: ['MERCHANT_DENIED'] },
          },
          {
            name: 'any other',
            request: { amount: 5, currency: 'USD', merchantDomain: 'shop.example' },
            expect: { allowed: true },
          },
        ],
      },
    },
  },
  // A denied domain includes its subdomains, or else www. would evade the list.
  compile: ({ merchant }) => ({
    deniedMerchants: compileDomains(merchant?.deny_list ?? [], { coversSubdomains: true }),
  }),
  checks: [
    {
      code: 'MERCHANT_DENIED',
      isSet: ({ deniedMerchants: list }) => list.exact.size + list.parents.size > 0,
      check({ policy: { deniedMerchants }, request: { merchantDomain } }) {
        if (merchantDomain === undefined || !isListed(deniedMerchants, merchantDomain)) return undefined;
        return { message: `${merchantDomain} is on the policy's deny list.` };
      },
      measure({ policy: { deniedMerchants: list }, request: { merchantDomain } }) {
        if (list.exact.size + list.parents.size === 0) return NOT_SET;
        if (merchantDomain === undefined) return NO_MERCHANT;
        return { asked: merchantDomain, sentence: `${merchantDomain} is not on the policy's deny list.` };
      },
      helps: ['merchant'],
      docs: {
        cause: "the merchant's domain is on `merchant.deny_list`.",
        remedy: 'buy elsewhere, or have the owner remove it from the list.',
      },
    },
  ],
};

/** Known bugs of chains of mandates, which an agent that brings them again meets (mutants.ts). */
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the texts are pieces of programs.
import type { Mutant } from './mutants.ts';

export const MANDATE_MUTANTS: readonly Mutant[] = [
  {
    name: 'a checkout that is signed again',
    amid: 'mandates',
    breaks: 'Only the very same last mandate counts as used, and not another signature for the same checkout.',
    file: 'src/domain/mandates/examineMandate.ts',
    before: "(use !== undefined && use.status !== 'PENDING') || ",
    after: '',
  },
  {
    name: 'a budget that forgets',
    amid: 'mandates',
    breaks: 'Of all uses of an open mandate the last one alone counts in its budget.',
    file: 'src/domain/mandateUses/countUses.ts',
    before: '(row?.spent_minor ?? 0) + amountMinor',
    after: 'amountMinor',
  },
  {
    name: 'an open mandate for two',
    amid: 'mandates',
    breaks: 'An open mandate for one payment allows a second one.',
    file: 'protocol/ap2/mandateUse.ts',
    before: 'if (isSingleUse && uses > 0)',
    after: 'if (isSingleUse && uses > 1)',
  },
  {
    name: 'pairs in one ledger',
    amid: 'mandates',
    breaks: 'Uses of one pair of a Verifiable Intent count in the budgets of all pairs of its layer 2.',
    file: 'protocol/ap2/mandateUse.ts',
    before: 'return pair === undefined ? jwtHash : `${jwtHash} ${pair}`;',
    after: 'return pair === undefined ? jwtHash : jwtHash;',
  },
  {
    name: 'a subscription without a number',
    amid: 'mandates',
    breaks: 'A subscription is set up once more than its number allows.',
    file: 'protocol/ap2/mandateUse.ts',
    before: 'if (setups !== undefined && uses >= setups)',
    after: 'if (setups !== undefined && uses > setups)',
  },
  {
    name: 'one card for all',
    amid: 'mandates',
    breaks:
      'What a person closed is kept by the key of the card issuer, so that another cardholder cannot pay the same checkout.',
    file: 'src/domain/mandates/examineMandate.ts',
    before: 'const signer = credential === undefined ? jwk : (confirmationKey(credential) ?? jwk);',
    after: 'const signer = credential === undefined ? jwk : (confirmationKey({}) ?? jwk);',
  },
  {
    name: 'a checkout paid twice',
    amid: 'checkouts',
    breaks: 'A checkout of UCP that was paid is paid again once its business has signed other terms.',
    file: 'src/store/statements/purchases/payments.ts',
    before: "AND checkout_key = ? AND status <> 'FAILED'",
    after: "AND checkout_key = ? AND status = 'DISPUTED'",
  },
  {
    name: 'mandates before the money',
    amid: 'checkouts',
    breaks: 'The mandates of a checkout are made whatever the rail said, also where it declined.',
    file: 'src/domain/ucp/mandatesOfPayment.ts',
    before: "if (payment.checkout_key === null || payment.status !== 'AUTHORIZED') return;",
    after: 'if (payment.checkout_key === null) return;',
  },
];

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
];

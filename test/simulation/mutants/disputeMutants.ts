/** Known bugs of disputes, several a payment, in part and told in any order (mutants.ts). */
import type { Mutant } from './mutants.ts';

export const DISPUTE_MUTANTS: readonly Mutant[] = [
  {
    name: 'the last dispute decides',
    amid: 'faults',
    breaks: 'Whether a payment is disputed is said by the dispute that was told of last, without its others.',
    file: 'src/domain/railEvents/recordDispute.ts',
    before: '    standing_disputes: payment.standing_disputes + taken(after).count - taken(before).count,\n',
    after: '    standing_disputes: taken(after).count,\n',
  },
  {
    name: 'old news of a dispute count',
    amid: 'faults',
    breaks: 'What a rail says late of a dispute takes the place of what it said since.',
    file: 'protocol/payment.ts',
    before: 'return known.toldAt !== undefined && toldAt !== undefined && toldAt < known.toldAt;',
    after: 'return known.toldAt !== undefined && toldAt !== undefined && toldAt < 0;',
  },
  {
    name: 'a dispute of all that was paid',
    amid: 'faults',
    breaks: 'A dispute of a part of a payment counts as one of all that was captured and not refunded.',
    file: 'src/domain/railEvents/recordDispute.ts',
    before: 'report.currency === currency ? report.amountMinor : undefined;',
    after: 'report.currency === currency ? undefined : report.amountMinor;',
  },
];

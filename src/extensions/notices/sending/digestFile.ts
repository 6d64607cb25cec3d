/** A digest as a file for programs for tables (RFC 4180), in which no name is run as a formula. */
import type { Digest, DigestLine } from '../../../../protocol/webhook/digest.ts';
import type { Notice } from '../../../../protocol/webhook/noticeText.ts';
import { csvLine } from '../../../usecase/list/csv.ts';

const HEADER = ['by', 'name', 'currency', 'payments', 'paid', 'refunded', 'held', 'spent'];

export function digestFile({ from, to, agents, merchants }: Digest): NonNullable<Notice['attachment']> {
  const rows = (by: string, lines: readonly DigestLine[]) =>
    lines.map(({ name, currency, payments, paid, refunded, held, spent }) =>
      csvLine([by, name, currency, payments, amount(paid), amount(refunded), amount(held), amount(spent)]),
    );
  return {
    fileName: `countersign-${from}-${to}.csv`,
    mediaType: 'text/csv; charset=utf-8',
    content: [csvLine(HEADER), ...rows('agent', agents), ...rows('merchant', merchants)].join(''),
  };
}

/** Without the currency, which has a column of its own. */
function amount(text: string): string {
  return text.slice(0, text.lastIndexOf(' '));
}

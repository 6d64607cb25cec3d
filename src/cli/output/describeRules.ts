/** The table of all rules, as people read it in a terminal. */
import type { Operations } from '../../../client/operations.ts';
import { type Cell, columns, money } from './layout.ts';
import { colour } from './print.ts';

type RuleTable = Operations['simulateDraft']['output']['ruleTable'];
type Row = RuleTable[number];

const SAID: Readonly<Record<Row['outcome'], Cell>> = {
  passed: { text: 'passed', paint: colour.green },
  failed: { text: 'failed', paint: colour.red },
  person: { text: 'person', paint: colour.yellow },
  notAsked: 'not asked',
};

export function describeRules(table: RuleTable): string {
  const rows = table.map((row) => [
    row.rule,
    SAID[row.outcome],
    figure(row, row.asked),
    figure(row, row.limit),
    figure(row, row.left),
  ]);
  return columns(['RULE', '', 'ASKED', 'LIMIT', 'LEFT'], rows);
}

function figure({ currency }: Row, value: number | string | undefined): string {
  if (value === undefined) return '';
  if (typeof value === 'string' || currency === undefined) return String(value);
  return `${value < 0 ? '-' : ''}${money(Math.abs(value), currency)}`;
}

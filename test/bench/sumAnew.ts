/** The sums that windows are counted from, made anew of rows that were put into the tables. */
import { readFileSync } from 'node:fs';
import { splitStatements } from '../../src/store/sqlText.ts';

/** As the upgrade of a database from before makes them. */
export const SUM_ANEW: readonly string[] = [
  'DELETE FROM spending_sums',
  ...splitStatements(readFileSync('data/schema/016_history.sql', 'utf8')).filter((statement) =>
    statement.includes('INSERT INTO spending_sums'),
  ),
];

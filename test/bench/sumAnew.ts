/** The sums that windows are counted from, made anew of rows that were put into the tables. */
import { readdirSync, readFileSync } from 'node:fs';
import { splitStatements } from '../../src/store/sqlText.ts';

const SCHEMA = 'data/schema';

/** As the upgrade of a database from before makes them. */
export const SUM_ANEW: readonly string[] = [
  'DELETE FROM spending_sums',
  ...readdirSync(SCHEMA)
    .toSorted()
    .flatMap((file) => splitStatements(readFileSync(`${SCHEMA}/${file}`, 'utf8')))
    .filter((statement) => statement.includes('INSERT INTO spending_sums')),
];

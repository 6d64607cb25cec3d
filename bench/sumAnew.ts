/** What intents and payments come to, for rows that a benchmark has inserted by itself: the node keeps these sums as it stores them. */
import { readFileSync } from 'node:fs';
import { splitStatements } from '../src/store/sqlText.ts';

const SPLIT = 2 ** 26;
const QUARTER_MS = 15 * 60 * 1000;

const HELD = "('PENDING', 'UNKNOWN', 'AUTHORIZED')";
const TAKEN = "('CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED')";
const twoParts = (value: string) => `SUM((${value}) / ${SPLIT}), SUM((${value}) % ${SPLIT})`;
const ofThose = (states: string, value: string) => `CASE WHEN status IN ${states} THEN ${value} ELSE 0 END`;

const INTO_SUMS = 'INSERT INTO spending_sums\n';
/** The columns that there were when they were first made. */
const INTO_FORMER = `INSERT INTO spending_sums
  (tenant_id, scope, quarters, stretch, currency, issued, issued_high, issued_low, paid, paid_high, paid_low)\n`;

/** As the schema makes them for a database that has none. */
const SPENDING = ['003_spending', '006_limits'].flatMap((file) =>
  splitStatements(readFileSync(`data/schema/${file}.sql`, 'utf8'))
    .filter((statement) => /id_digits|spending_counted/.test(statement))
    .map((statement) => asNow(file === '003_spending' ? statement.replace(INTO_SUMS, INTO_FORMER) : statement)),
);

/** Where each agent has paid before, as an upgrade notes it. */
const MERCHANTS = splitStatements(readFileSync('data/schema/021_fewer_pages.sql', 'utf8')).filter((statement) =>
  /INSERT INTO agent_merchants/.test(statement),
);

/** Names that have changed since. */
function asNow(sql: string): string {
  return sql
    .replaceAll('spending_sums', 'limit_buckets')
    .replaceAll(/\bquarters, stretch\b/g, 'bucket_quarters, bucket');
}

const stretches = (scope: string, quarters: number, name: string) => `INSERT INTO spend_sums
  SELECT tenant_id, '${scope}', ${quarters}, created_at / ${quarters * QUARTER_MS}, ${name}, currency,
    SUM(${ofThose(HELD, '1')} + ${ofThose(TAKEN, '1')}), ${twoParts(ofThose(HELD, 'amount_minor'))},
    ${twoParts(ofThose(TAKEN, 'captured_minor'))}, ${twoParts(ofThose(TAKEN, 'refunded_minor'))},
    ${twoParts(ofThose(TAKEN, 'disputed_minor'))}
  FROM payments GROUP BY 1, 2, 3, 4, 5, 6`;

export const SUM_ANEW: readonly string[] = [
  'DELETE FROM limit_buckets',
  'DELETE FROM limit_tails',
  ...SPENDING,
  'DELETE FROM agent_merchants',
  ...MERCHANTS,
  'DELETE FROM spend_sums',
  stretches('all', 1, "''"),
  ...['agent', 'merchant'].flatMap((scope) =>
    [96, 32 * 96].map((quarters) => stretches(scope, quarters, scope === 'agent' ? 'agent_did' : 'merchant')),
  ),
];

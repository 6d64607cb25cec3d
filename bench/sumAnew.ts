/** What intents and payments come to, for rows that a benchmark has inserted by itself: the node keeps these sums as it stores them. */

const SPLIT = 2 ** 26;
const BUCKET_MS = 32 ** 3;
const DAY_MS = 24 * 3600 * 1000;

const HELD = "('PENDING', 'UNKNOWN', 'AUTHORIZED')";
const TAKEN = "('CAPTURED', 'PARTIALLY_REFUNDED', 'REFUNDED', 'DISPUTED')";
const twoParts = (value: string) => `SUM((${value}) / ${SPLIT}), SUM((${value}) % ${SPLIT})`;
const ofThose = (states: string, value: string) => `CASE WHEN status IN ${states} THEN ${value} ELSE 0 END`;

const SPENDING = 'INSERT INTO spending_sums (tenant_id, scope, bucket, currency, transactions, high, low)';
const coarse = (prefix: string, length: number) => `${SPENDING}
  SELECT tenant_id, scope, 'c_' || SUBSTR(bucket, 1, ${length}), currency, SUM(transactions), SUM(high), SUM(low)
  FROM spending_sums WHERE bucket >= '${prefix}_' AND bucket < '${prefix}_{' GROUP BY 1, 2, 3, 4`;

const stretches = (scope: string, days: number, name: string) => `INSERT INTO spend_sums
  SELECT tenant_id, '${scope}', ${days}, created_at / ${days * DAY_MS}, ${name}, currency,
    SUM(${ofThose(HELD, '1')} + ${ofThose(TAKEN, '1')}), ${twoParts(ofThose(HELD, 'amount_minor'))},
    ${twoParts(ofThose(TAKEN, 'captured_minor'))}, ${twoParts(ofThose(TAKEN, 'refunded_minor'))},
    ${twoParts(ofThose("('DISPUTED')", 'captured_minor - refunded_minor'))}
  FROM payments GROUP BY 1, 2, 3, 4, 5, 6`;

export const SUM_ANEW: readonly string[] = [
  'DELETE FROM spending_sums',
  `${SPENDING} SELECT tenant_id, agent_did, SUBSTR(mandate_id, 1, 14), currency, COUNT(*), ${twoParts('reserved_minor')}
   FROM intents GROUP BY 1, 2, 3, 4`,
  `${SPENDING} SELECT tenant_id, agent_did, 'paid_' || (10000000000 + authorized_at / ${BUCKET_MS}), currency, COUNT(*),
     ${twoParts('amount_minor')} FROM payments WHERE status NOT IN ('FAILED', 'CANCELED') GROUP BY 1, 2, 3, 4`,
  `${SPENDING} SELECT tenant_id, 'policy', bucket, currency, SUM(transactions), SUM(high), SUM(low)
   FROM spending_sums GROUP BY 1, 2, 3, 4`,
  coarse('intent', 12),
  coarse('paid', 13),
  `${SPENDING} SELECT tenant_id, status, 'spt_', currency, COUNT(*), ${twoParts('amount_minor')}
   FROM shared_payment_tokens GROUP BY 1, 2, 3, 4`,
  'DELETE FROM spend_sums',
  stretches('all', 1, "''"),
  ...['agent', 'merchant'].flatMap((scope) =>
    [1, 32].map((days) => stretches(scope, days, scope === 'agent' ? 'agent_did' : 'merchant')),
  ),
];

/**
 * Moves what was counted lately from limit_tails into the buckets of each length, and deletes buckets that no window reaches back to.
 * An addition counts the same in either table, and moves in one commit: it does not matter when, how often, or by which clock.
 */
import { all, get, type Script, send } from '../../store.ts';
import { columnNames } from '../tableDefinition.ts';
import { addingTo, BUCKET_QUARTERS, limitBuckets, QUARTER_MS, SUMS } from './limitBuckets.ts';

/**
 * Not of the quarter of an hour that runs, nor of the one before it: what was counted there is likely to change again. Nor does it
 * stay until then where a clock that was ahead has dated it later.
 */
const SETTLED = '(bucket < ? OR bucket > ?)';

function settledAt(now: number): [first: number, last: number] {
  const running = Math.floor(now / QUARTER_MS);
  return [running - 1, running];
}

const SOME = `FROM limit_tails WHERE tenant_id = ? AND scope >= ? AND ${SETTLED} ORDER BY scope, bucket, currency LIMIT ?`;
const LENGTHS = BUCKET_QUARTERS.map((quarters) => `SELECT CAST(${quarters} AS BIGINT) AS quarters`).join(' UNION ALL ');
const ADD = `INSERT INTO limit_buckets (${columnNames(limitBuckets).join(', ')})
  SELECT tenant_id, scope, quarters, bucket / quarters, currency,
    ${SUMS.map((sum) => `CAST(SUM(${sum}) AS BIGINT)`).join(', ')}
  FROM (SELECT * ${SOME}) AS tails CROSS JOIN (${LENGTHS}) AS lengths WHERE true GROUP BY 1, 2, 3, 4, 5
  ${addingTo(limitBuckets)}`;
const REMOVE = `DELETE FROM limit_tails
  WHERE tenant_id = ? AND (scope, bucket, currency) IN (SELECT scope, bucket, currency ${SOME}) RETURNING scope`;

/**
 * @param limit so many rows at most @param from the scope that the step before came to: those of the running quarter stay before it, and
 *   are not read again
 * @returns the scope that this step came to; undefined where there is nothing left to move
 */
export function* rollUp(tenantId: string, now: number, limit: number, from = ''): Script<string | undefined> {
  const some = [tenantId, from, ...settledAt(now), limit] as const;
  yield* send(ADD, ...some);
  const moved = yield* all<{ readonly scope: string }>(REMOVE, tenantId, ...some);
  return moved.length < limit ? undefined : moved.reduce((last, { scope }) => (scope > last ? scope : last), from);
}

/** The tenants of which something can be moved. */
export function* listTenantsToRollUp(now: number): Script<string[]> {
  const sql = `SELECT DISTINCT tenant_id FROM limit_tails WHERE ${SETTLED} ORDER BY tenant_id`;
  const rows = yield* all<{ readonly tenant_id: string }>(sql, ...settledAt(now));
  return rows.map(({ tenant_id: tenantId }) => tenantId);
}

const NEXT_SCOPE = 'SELECT scope FROM limit_buckets WHERE tenant_id = ? AND scope > ? ORDER BY scope LIMIT 1';
const DELETE = 'DELETE FROM limit_buckets WHERE tenant_id = ? AND scope = ? AND bucket_quarters = ? AND bucket < ?';

/**
 * Deletes buckets that ended before a time, of so many scopes.
 * @param after the last scope of the step before @returns the last one of this step; undefined where there is no further one
 */
export function* deleteBucketsBefore(
  tenantId: string,
  time: number,
  after: string,
  scopes: number,
): Script<string | undefined> {
  let last = after;
  for (let walked = 0; walked < scopes; walked += 1) {
    const next = yield* get<{ readonly scope: string }>(NEXT_SCOPE, tenantId, last);
    if (next === undefined) return undefined;
    last = next.scope;
    for (const quarters of BUCKET_QUARTERS) {
      yield* send(DELETE, tenantId, last, quarters, Math.floor(time / (quarters * QUARTER_MS)));
    }
  }
  return last;
}

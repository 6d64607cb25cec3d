/**
 * Intents and payments get into the indexes of lists, and into the sums that windows are counted from, many at a time, on SQLite:
 * alone, each of them would change pages of its own. PostgreSQL has them in both from the start.
 */
import { count, run, type Script } from '../../store.ts';
import { PAYMENTS } from './paymentWindows.ts';
import { sumLate } from './spendingSums.ts';
import { sumLateSpend } from './spendSums.ts';
import { INTENTS } from './velocityWindows.ts';

/** The tables with such rows. */
export const LATE = ['intents', 'payments'] as const;
type Late = (typeof LATE)[number];

/** How many of a tenant's intents, or of its payments, are not listed as they are; counted up to a number. */
export function* countUnlisted(tenantId: string, most: number): Script<number> {
  const counts: number[] = [];
  for (const name of LATE) {
    const unlisted = `SELECT mandate_id FROM ${name} WHERE tenant_id = ? AND unlisted = 1 LIMIT ?`;
    counts.push(yield* count(`SELECT COUNT(*) AS count FROM (${unlisted}) AS unlisted`, tenantId, most));
  }
  return Math.max(...counts);
}

/** Lists rows as they are now, and sums those up that no list had. @param most so many in this commit */
export function* listRows(tenantId: string, late: Late, most: number): Script<void> {
  const which = [`mandate_id IN (${unlistedIn(late)})`, tenantId, most] as const;
  if (late === 'intents') yield* sumLate(INTENTS, tenantId, which);
  else {
    yield* sumLate(PAYMENTS, tenantId, which);
    yield* sumLateSpend(tenantId, which);
  }
  yield* listSummedRows(tenantId, late, most);
}

/** As listRows, for rows that the sums have: both were copied. */
export function* listSummedRows(tenantId: string, late: Late, most: number): Script<void> {
  const sql = `UPDATE ${late} SET listed_as = status WHERE tenant_id = ? AND mandate_id IN (${unlistedIn(late)})`;
  yield* run(sql, tenantId, tenantId, most);
}

function unlistedIn(late: Late): string {
  return `SELECT mandate_id FROM ${late} WHERE tenant_id = ? AND unlisted = 1 ORDER BY mandate_id LIMIT ?`;
}

/** Sums of minor units in two parts, `high * SPLIT + low`, so that a database adds them without overflow and takes them back exactly. */
import { all, type Script, type Value } from '../../store.ts';
import { MOST_MINOR } from '../queries.ts';

/** The low part of one amount is less than this. */
export const SPLIT = 2 ** 26;

interface MinorParts {
  readonly high: number;
  readonly low: number;
}

/** The two parts that an amount is added by. */
export function split(amount: number): MinorParts {
  return { high: Math.trunc(amount / SPLIT), low: amount % SPLIT };
}

export function exactAmount({ high, low }: MinorParts): bigint {
  return BigInt(high) * BigInt(SPLIT) + BigInt(low);
}

/** A sum as a number, which stops where numbers are not exact any more. */
export function saturated(amount: bigint): number {
  return amount > MOST_MINOR ? MOST_MINOR : Number(amount);
}

/** A number of rows and the sum of their amounts, which may be larger than a number is exact. */
export interface ExactSum {
  readonly currency: string;
  readonly transactions: number;
  readonly amount: bigint;
}

/** Amounts of a table summed in two parts: columns of a SELECT. @param column minor units */
export function sumColumns(column: string): string {
  return `COUNT(*) AS transactions, CAST(SUM(${column} / ${SPLIT}) AS BIGINT) AS high,
     CAST(SUM(${column} % ${SPLIT}) AS BIGINT) AS low`;
}

/** @param sql a query that gives sums by currency, in two parts */
export function* readSums(sql: string, ...args: Value[]): Script<ExactSum[]> {
  const rows = yield* all<MinorParts & Omit<ExactSum, 'amount'>>(sql, ...args);
  return rows.map((row) => ({ currency: row.currency, transactions: row.transactions, amount: exactAmount(row) }));
}

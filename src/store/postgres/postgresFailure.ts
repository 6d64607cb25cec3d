/** Classifies errors of PostgreSQL and of the connection to it: retry, give up, or pass it to the script. */
import pg from 'pg';
import { codeOf, unavailable } from '../failure.ts';

/** Serialization failure, deadlock, and a transaction that the server took back since this process paused in it. */
const CONFLICTS: ReadonlySet<string> = new Set(['40001', '40P01', '25P03']);

/** True where a retry helps: the transaction has had no effect, and another try may have. */
export function isConflict(error: unknown): boolean {
  return CONFLICTS.has(codeOf(error) ?? '') || isStalePlan(error);
}

/** `SELECT *` was prepared before another node migrated the schema; only a new connection plans it again. */
function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan');
}

/** True when the connection is lost, so that it is unknown what the server did with the last command. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P0|40003)/.test(error.code ?? '');
  // This process throws these two for arguments and columns; all other errors are of the server or the socket.
  return !(error instanceof TypeError || error instanceof RangeError);
}

/** This process waited too long for a connection or an answer: a retry would only add to the load. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === undefined && error.message.includes('timeout');
}

/**
 * Converts a failure of the server itself to a fault and returns any other error unchanged.
 * Source: SQLSTATE classes 25P0x (idle too long), 53 (resources), 55 (locks), 57 (operator), 58 (system), XX.
 */
export function postgresFault(error: unknown): unknown {
  const unusable = isConnectionLoss(error) || isConflict(error) || /^(25P0|53|55|57|58|XX)/.test(codeOf(error) ?? '');
  return unusable ? unavailable(error) : error;
}

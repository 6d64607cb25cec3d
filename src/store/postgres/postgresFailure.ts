/** What an error of PostgreSQL or of the way to it means: try anew, give up, or tell the script. */
import pg from 'pg';
import { codeOf, unavailable } from '../failure.ts';

/** Running the same again helps: a serialization failure, a deadlock, or a stale plan. */
export function isConflict(error: unknown): boolean {
  const code = codeOf(error);
  return code === '40001' || code === '40P01' || isStalePlan(error);
}

/** `SELECT *` was prepared before another node changed the schema; only a new connection plans it anew. */
function isStalePlan(error: unknown): boolean {
  return codeOf(error) === '0A000' && error instanceof Error && error.message.startsWith('cached plan');
}

/** True when the connection is gone, so that nobody can tell what the server did with the last thing sent. */
export function isConnectionLoss(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return /^(08|57P0|40003)/.test(error.code ?? '');
  // This side refuses arguments and columns with these two; anything else that is not the server's is the socket's.
  return !(error instanceof TypeError || error instanceof RangeError);
}

/** This side gave up waiting for a connection or an answer: trying again would only pile up callers. */
export function isTimeout(error: unknown): boolean {
  return error instanceof Error && codeOf(error) === undefined && error.message.includes('timeout');
}

/**
 * Turns trouble of the server itself into a fault and leaves any other error as it is.
 * Source: SQLSTATE classes 25P0x (idle too long), 53 (resources), 55 (locks), 57 (operator), 58 (system), XX.
 */
export function postgresFault(error: unknown): unknown {
  const trouble = isConnectionLoss(error) || isConflict(error) || /^(25P0|53|55|57|58|XX)/.test(codeOf(error) ?? '');
  return trouble ? unavailable(error) : error;
}

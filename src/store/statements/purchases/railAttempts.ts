/** What was asked of a rail and is not settled yet. The key is the rail's idempotency key. */
import { all, get, run, type Script } from '../../store.ts';

type RailOperation = 'authorize' | 'capture' | 'cancel' | 'refund';

export interface RailAttemptRow {
  readonly attempt_key: string;
  readonly tenant_id: string;
  readonly payment_id: string;
  readonly operation: RailOperation;
  /** JSON of exactly what is sent, so that a repetition is the same request. */
  readonly parameters: string;
  readonly state: 'OPEN' | 'DONE';
  readonly tries: number;
  /** The node that is asking the rail. */
  readonly node_id: string;
  readonly next_at: number;
  readonly created_at: number;
  /** Since when a person has to look at it. */
  readonly flagged_at: number | null;
}

export function* insertRailAttempt(attempt: RailAttemptRow): Script<void> {
  yield* run(
    `INSERT INTO rail_attempts (attempt_key, tenant_id, payment_id, operation, parameters, state, tries, node_id, next_at,
       created_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`,
    attempt.attempt_key,
    attempt.tenant_id,
    attempt.payment_id,
    attempt.operation,
    attempt.parameters,
    attempt.state,
    attempt.tries,
    attempt.node_id,
    attempt.next_at,
    attempt.created_at,
  );
}

export function* findRailAttempt(attemptKey: string): Script<RailAttemptRow | undefined> {
  return yield* get<RailAttemptRow>('SELECT * FROM rail_attempts WHERE attempt_key = ?', attemptKey);
}

/** The operation under way on a payment, if there is one. */
export function* findOpenAttempt(tenantId: string, paymentId: string): Script<RailAttemptRow | undefined> {
  return yield* get<RailAttemptRow>(
    "SELECT * FROM rail_attempts WHERE tenant_id = ? AND payment_id = ? AND state = 'OPEN'",
    tenantId,
    paymentId,
  );
}

export function* countAttempts(tenantId: string, paymentId: string): Script<number> {
  const row = yield* get<{ attempts: number }>(
    'SELECT COUNT(*) AS attempts FROM rail_attempts WHERE tenant_id = ? AND payment_id = ?',
    tenantId,
    paymentId,
  );
  return row?.attempts ?? 0;
}

export function* closeRailAttempt(attemptKey: string): Script<void> {
  yield* run("UPDATE rail_attempts SET state = 'DONE' WHERE attempt_key = ?", attemptKey);
}

/** Takes note that the rail gave no answer and when to ask again. */
export function* postponeRailAttempt(attemptKey: string, nextAt: number): Script<void> {
  yield* run('UPDATE rail_attempts SET tries = tries + 1, next_at = ? WHERE attempt_key = ?', nextAt, attemptKey);
}

/**
 * Attempts whose time has come, and attempts of nodes that are gone (not seen since `deadBefore`).
 */
export function* listDueAttempts(now: number, deadBefore: number, limit: number): Script<RailAttemptRow[]> {
  return yield* all<RailAttemptRow>(
    `SELECT * FROM rail_attempts WHERE state = 'OPEN' AND (next_at <= ? OR node_id NOT IN
       (SELECT node_id FROM nodes WHERE seen_at >= ?)) ORDER BY next_at LIMIT ?`,
    now,
    deadBefore,
    limit,
  );
}

/** Claims an attempt for this node until `until`; false when another node was faster. */
export function* claimRailAttempt(attempt: RailAttemptRow, nodeId: string, until: number): Script<boolean> {
  const changes = yield* run(
    `UPDATE rail_attempts SET node_id = ?, next_at = ?
     WHERE attempt_key = ? AND state = 'OPEN' AND node_id = ? AND next_at = ?`,
    nodeId,
    until,
    attempt.attempt_key,
    attempt.node_id,
    attempt.next_at,
  );
  return changes === 1;
}

/** Leaves an attempt to a person. @returns false when it was left before */
export function* flagRailAttempt(attemptKey: string, now: number): Script<boolean> {
  const changes = yield* run(
    'UPDATE rail_attempts SET flagged_at = ? WHERE attempt_key = ? AND flagged_at IS NULL',
    now,
    attemptKey,
  );
  return changes === 1;
}

/** How many attempts wait for a person. */
export function* countFlaggedAttempts(): Script<number> {
  const row = yield* get<{ flagged: number }>(
    "SELECT COUNT(*) AS flagged FROM rail_attempts WHERE state = 'OPEN' AND flagged_at IS NOT NULL",
  );
  return row?.flagged ?? 0;
}

/** Rail attempts: operations that a rail was asked for, each under an idempotency key. */
import { all, changed, count, get, run, type Script, send } from '../../store.ts';
import { ofGoneNode } from '../node/nodes.ts';
import { flagOf, joinedColumns, rowOutOf } from '../queries.ts';
import { insertInto, integer, later, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { IS_MERCHANT_NOTED } from './agentMerchants.ts';
import { type PaymentRow, payments } from './payments.ts';

export const railAttempts = table(
  'rail_attempts',
  ['attempt_key'],
  {
    /** The payment's id for its authorization, else that id, a colon, and what tells the operation from others. */
    attempt_key: text,
    tenant_id: text,
    payment_id: text,
    operation: oneOf<'authorize' | 'capture' | 'cancel' | 'refund'>(),
    /** JSON of the request that is sent, so that a repetition is the same request. */
    parameters: text,
    state: oneOf<'OPEN' | 'DONE'>(),
    tries: integer,
    /** The node that is asking the rail. */
    node_id: text,
    next_at: integer,
    created_at: integer,
    /** Since when it waits for a person. */
    flagged_at: later(nullable(integer)),
    /** JSON of the answer, where the rail has no database of its own. */
    outcome: later(nullable(text)),
  },
  {
    retention: { kept: 'a key asked of a rail is never used for something else' },
    isTestData: true,
  },
);
export type RailAttemptRow = RowOf<typeof railAttempts>;

export const insertRailAttempt = insertInto(railAttempts);

export function findRailAttempt(attemptKey: string): Script<RailAttemptRow | undefined> {
  return get('SELECT * FROM rail_attempts WHERE attempt_key = ?', attemptKey);
}

const ASKED = `SELECT ${joinedColumns(railAttempts, payments)}, ${flagOf(IS_MERCHANT_NOTED)} AS is_noted
  FROM rail_attempts JOIN payments ON payments.tenant_id = rail_attempts.tenant_id
    AND payments.mandate_id = rail_attempts.payment_id
  WHERE rail_attempts.attempt_key = ? AND rail_attempts.tenant_id = ?`;
const attemptOutOf = rowOutOf(railAttempts);
const paymentOutOf = rowOutOf(payments);

export interface AskedOfRail {
  readonly attempt: RailAttemptRow;
  readonly payment: PaymentRow;
  /** Whether it is noted that the agent has paid the merchant. */
  readonly isMerchantNoted: boolean;
}

/** An attempt with its payment. */
export function* findAsked(tenantId: string, attemptKey: string): Script<AskedOfRail | undefined> {
  const found = yield* get<{ readonly is_noted: 0 | 1 }>(ASKED, attemptKey, tenantId);
  if (found === undefined) return undefined;
  return { attempt: attemptOutOf(found), payment: paymentOutOf(found), isMerchantNoted: found.is_noted === 1 };
}

/** Between them are the keys of a payment's attempts: the semicolon comes after the colon. */
const keysOf = (paymentId: string) => [paymentId, `${paymentId};`] as const;

/** The operation in progress on a payment, if there is one. */
export function findOpenAttempt(tenantId: string, paymentId: string): Script<RailAttemptRow | undefined> {
  const sql = `SELECT * FROM rail_attempts WHERE tenant_id = ? AND payment_id = ? AND attempt_key >= ? AND attempt_key < ?
     AND state = 'OPEN'`;
  return get(sql, tenantId, paymentId, ...keysOf(paymentId));
}

/** The operations in progress of a tenant, in the order in which they are due. */
export function listOpenAttempts(tenantId: string, limit: number): Script<RailAttemptRow[]> {
  const sql = "SELECT * FROM rail_attempts WHERE tenant_id = ? AND state = 'OPEN' ORDER BY next_at LIMIT ?";
  return all(sql, tenantId, limit);
}

export function countAttempts(tenantId: string, paymentId: string): Script<number> {
  const sql = `SELECT COUNT(*) AS count FROM rail_attempts
     WHERE tenant_id = ? AND payment_id = ? AND attempt_key >= ? AND attempt_key < ?`;
  return count(sql, tenantId, paymentId, ...keysOf(paymentId));
}

/** @param outcome what is to be kept of the rail's answer */
export function closeRailAttempt(attemptKey: string, outcome: string | null): Script<void> {
  return send("UPDATE rail_attempts SET state = 'DONE', outcome = ? WHERE attempt_key = ?", outcome, attemptKey);
}

/** Records a try without an answer, and when to ask again. */
export function postponeRailAttempt(attemptKey: string, nextAt: number): Script<void> {
  return send('UPDATE rail_attempts SET tries = tries + 1, next_at = ? WHERE attempt_key = ?', nextAt, attemptKey);
}

/** Makes attempts that are due later than `latest` due now. */
export function hastenRailAttempts(now: number, latest: number): Script<number> {
  return run("UPDATE rail_attempts SET next_at = ? WHERE state = 'OPEN' AND next_at > ?", now, latest);
}

/** Open attempts that are due, and those of nodes that are gone. @param nodeId the node that asks */
export function listDueAttempts(
  nodeId: string,
  now: number,
  deadBefore: number,
  limit: number,
): Script<RailAttemptRow[]> {
  const sql = `SELECT * FROM rail_attempts WHERE state = 'OPEN' AND (next_at <= ? OR ${ofGoneNode('node_id')})
     ORDER BY next_at LIMIT ?`;
  return all(sql, now, nodeId, deadBefore, limit);
}

/** Leases an attempt to this node until `until`; false when another node was faster. */
export function claimRailAttempt(attempt: RailAttemptRow, nodeId: string, until: number): Script<boolean> {
  const sql = `UPDATE rail_attempts SET node_id = ?, next_at = ?
     WHERE attempt_key = ? AND state = 'OPEN' AND node_id = ? AND next_at = ?`;
  return changed(sql, nodeId, until, attempt.attempt_key, attempt.node_id, attempt.next_at);
}

/** Flags an attempt for a person. @returns false when it was flagged before */
export function flagRailAttempt(attemptKey: string, now: number): Script<boolean> {
  const sql = 'UPDATE rail_attempts SET flagged_at = ? WHERE attempt_key = ? AND flagged_at IS NULL';
  return changed(sql, now, attemptKey);
}

/** How many attempts wait for a person. */
export function countFlaggedAttempts(): Script<number> {
  return count("SELECT COUNT(*) AS count FROM rail_attempts WHERE state = 'OPEN' AND flagged_at IS NOT NULL");
}

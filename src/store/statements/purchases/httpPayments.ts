/** Payments that a server asked for by HTTP: what it offered, and what pays it. */
import { all, get, type Script, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import {
  DAY_MS,
  insertInto,
  integer,
  later,
  nullable,
  type RowOf,
  table,
  text,
  upsertInto,
} from '../tableDefinition.ts';

export const httpPayments = table(
  'http_payments',
  ['tenant_id', 'mandate_id'],
  {
    tenant_id: text,
    mandate_id: text,
    /** Its name, such as `mpp`. */
    protocol: text,
    /** What tells the challenge from all others of the tenant; null where the protocol has none. */
    challenge: nullable(text),
    /** Its id, by which a report may name it; two servers may give the same. */
    challenge_id: nullable(text),
    /** As the registry of merchants has it. */
    payee: text,
    /** JSON of the offer as its protocol reads it (see PaymentOffer). */
    offer: text,
    /** Sealed: what the rail made, by which the merchant is paid. */
    credential: later(nullable(text)),
    /** By which a rail that tells of it by name finds the payment. */
    credential_hash: later(nullable(text)),
    /** Until when it pays, in milliseconds since the epoch. */
    expires_at: integer,
    created_at: integer,
    /** JSON: what was told of its settlement. */
    receipt: later(nullable(text)),
    /** What it is paid with, where the node has that itself, such as a wallet. */
    instrument: nullable(text),
    /** When what was told of its settlement is compared with the chain; null where it was, or there is none. */
    confirm_at: nullable(integer),
    /** By what the rail names what was paid with it, where such a name is that of one payment. */
    reference: later(nullable(text)),
  },
  {
    retention: { kept: 'a challenge is never paid by another payment' },
    isTestData: true,
  },
);
export type HttpPaymentRow = RowOf<typeof httpPayments>;

export const insertHttpPayment = insertInto(httpPayments);

export function findHttpPayment(tenantId: string, mandateId: string): Script<HttpPaymentRow | undefined> {
  return get('SELECT * FROM http_payments WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** @param challenge as the row has it */
export function findHttpPaymentOfChallenge(tenantId: string, challenge: string): Script<HttpPaymentRow | undefined> {
  return get('SELECT * FROM http_payments WHERE tenant_id = ? AND challenge = ?', tenantId, challenge);
}

/** @returns two at most: one that is told apart by nothing else is not the only one */
export function listHttpPaymentsOfChallengeId(tenantId: string, challengeId: string): Script<HttpPaymentRow[]> {
  return all('SELECT * FROM http_payments WHERE tenant_id = ? AND challenge_id = ? LIMIT 2', tenantId, challengeId);
}

/** Of any tenant: a notice of a rail names nothing else. */
export function findHttpPaymentOfCredential(credentialHash: string): Script<HttpPaymentRow | undefined> {
  return get('SELECT * FROM http_payments WHERE credential_hash = ?', credentialHash);
}

interface CredentialUpdate extends Pick<HttpPaymentRow, 'tenant_id' | 'mandate_id'> {
  /** Sealed. */
  readonly credential: string;
  readonly credential_hash: string;
}

export function saveHttpCredential(update: CredentialUpdate): Script<void> {
  const { credential, credential_hash: hash, tenant_id: tenantId, mandate_id: mandateId } = update;
  const sql = 'UPDATE http_payments SET credential = ?, credential_hash = ? WHERE tenant_id = ? AND mandate_id = ?';
  return send(sql, credential, hash, tenantId, mandateId);
}

/** @param reference undefined where what was told before stays */
export function saveHttpReceipt(
  { tenant_id: tenantId, mandate_id: mandateId, reference: before }: HttpPaymentRow,
  receipt: string,
  reference?: string,
): Script<void> {
  const sql = 'UPDATE http_payments SET receipt = ?, reference = ? WHERE tenant_id = ? AND mandate_id = ?';
  return send(sql, receipt, reference ?? before, tenantId, mandateId);
}

/** Which payment has a reference that is that of one payment. */
export function findHttpPaymentOfReference(
  { tenant_id: tenantId, protocol }: HttpPaymentRow,
  reference: string,
): Script<HttpPaymentRow | undefined> {
  const sql = 'SELECT * FROM http_payments WHERE tenant_id = ? AND protocol = ? AND reference = ?';
  return get(sql, tenantId, protocol, reference);
}

/** Those to be compared with the chain, the longest waiting first. */
export function listHttpPaymentsToConfirm(now: number, limit: number): Script<HttpPaymentRow[]> {
  return all('SELECT * FROM http_payments WHERE confirm_at <= ? ORDER BY confirm_at LIMIT ?', now, limit);
}

/** @param at null where nothing is left to compare */
export function confirmHttpPaymentAt(tenantId: string, mandateId: string, at: number | null): Script<void> {
  const sql = 'UPDATE http_payments SET confirm_at = ? WHERE tenant_id = ? AND mandate_id = ?';
  return send(sql, at, tenantId, mandateId);
}

/** Those with a credential, by payment. @param after the last one of the page before */
export function listSealedHttpPayments(
  after: string,
  limit: number,
): Script<Pick<HttpPaymentRow, 'tenant_id' | 'mandate_id' | 'credential' | 'credential_hash'>[]> {
  const sql = `SELECT tenant_id, mandate_id, credential, credential_hash FROM http_payments
     WHERE mandate_id > ? AND credential IS NOT NULL ORDER BY mandate_id LIMIT ?`;
  return all(sql, after, limit);
}

/** What the credential of a payment is sealed for. */
export function httpCredentialContext(mandateId: string): string {
  return `http payment ${mandateId}`;
}

/** The last approval that was asked for by each content, so that a fresh challenge of equal content finds it. */
export const httpApprovals = table(
  'http_approvals',
  ['tenant_id', 'content'],
  {
    tenant_id: text,
    /** A hash: who buys, what, and who is paid. */
    content: text,
    approval_id: text,
    created_at: integer,
  },
  {
    retention: {
      goes: '90 days after the approval was asked for',
      purges: [(limit, now) => deleteHttpApprovalsBefore(limit, now - 90 * DAY_MS)],
    },
    isTestData: true,
  },
);

export const saveHttpApproval = upsertInto(httpApprovals);

export function* findHttpApproval(tenantId: string, content: string): Script<string | undefined> {
  const sql = 'SELECT approval_id FROM http_approvals WHERE tenant_id = ? AND content = ?';
  return (yield* get<{ readonly approval_id: string }>(sql, tenantId, content))?.approval_id;
}

/** @param args those asked for before this time */
const deleteHttpApprovalsBefore: DeleteOldest = deleteOldest(httpApprovals, 'created_at < ?', 'created_at');

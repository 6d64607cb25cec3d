/** Payments that are made elsewhere: what was reserved, and what was told of each. */
import type { PaymentStatus } from '../../../../protocol/payment.ts';
import { all, get, type Script, send } from '../../store.ts';
import { insertInto, integer, later, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';

export const externalPayments = table(
  'external_payments',
  ['tenant_id', 'mandate_id'],
  {
    tenant_id: text,
    mandate_id: text,
    /** Its domain. */
    merchant: text,
    /** By what it is paid, such as `card`. */
    channel: text,
    currency: text,
    /** What is reserved, and once it was told, what was paid. */
    amount_minor: integer,
    /** Until when the amount is reserved, in milliseconds since the epoch. */
    expires_at: integer,
    /** Until when what was paid can be told. */
    commit_until: integer,
    created_at: integer,
    /** What the merchant called the order before it was paid. */
    order_reference: nullable(text),
    /** JSON: what was told of the payment (see ExternalEvidence). */
    evidence: later(nullable(text)),
    /** SHA-256 of a document, by which a receipt that comes twice is found. */
    evidence_hash: later(nullable(text)),
    /** What the merchant or the rail calls it. */
    reference: later(nullable(text)),
  },
  {
    retention: { kept: 'a receipt pays for one reservation for ever' },
    isTestData: true,
  },
);
export type ExternalPaymentRow = RowOf<typeof externalPayments>;

export const insertExternalPayment = insertInto(externalPayments);

export function findExternalPayment(tenantId: string, mandateId: string): Script<ExternalPaymentRow | undefined> {
  return get('SELECT * FROM external_payments WHERE tenant_id = ? AND mandate_id = ?', tenantId, mandateId);
}

/** Whose receipt a document is already. */
export function findExternalPaymentOfHash(tenantId: string, hash: string): Script<ExternalPaymentRow | undefined> {
  return get('SELECT * FROM external_payments WHERE tenant_id = ? AND evidence_hash = ?', tenantId, hash);
}

/** Whose reference at the merchant it is already. */
export function findExternalPaymentOfReference(
  tenantId: string,
  merchant: string,
  reference: string,
): Script<ExternalPaymentRow | undefined> {
  const sql = 'SELECT * FROM external_payments WHERE tenant_id = ? AND merchant = ? AND reference = ?';
  return get(sql, tenantId, merchant, reference);
}

type ToldEvidence = Pick<
  ExternalPaymentRow,
  'tenant_id' | 'mandate_id' | 'amount_minor' | 'evidence' | 'evidence_hash' | 'reference'
>;

export function saveExternalEvidence(told: ToldEvidence): Script<void> {
  const { amount_minor: amount, evidence, evidence_hash: hash, reference, tenant_id, mandate_id } = told;
  const columns = 'amount_minor = ?, evidence = ?, evidence_hash = ?, reference = ?';
  const sql = `UPDATE external_payments SET ${columns} WHERE tenant_id = ? AND mandate_id = ?`;
  return send(sql, amount, evidence, hash, reference, tenant_id, mandate_id);
}

/** What an owner says was paid: lines of statements are compared with it from then on. */
export function saveExternalAmount(tenantId: string, mandateId: string, amountMinor: number): Script<void> {
  const sql = 'UPDATE external_payments SET amount_minor = ? WHERE tenant_id = ? AND mandate_id = ?';
  return send(sql, amountMinor, tenantId, mandateId);
}

/** A payment elsewhere, as a line of a statement is compared with it. */
export interface ComparedPayment extends Pick<ExternalPaymentRow, 'mandate_id' | 'merchant' | 'commit_until'> {
  readonly status: PaymentStatus;
  readonly captured_minor: number;
}

/** Two that could be meant are too many for a line, and so are more. */
const MOST_COMPARED = 20;

/** Of those that an index leads to, the ones that no line of a statement was read of, the oldest first. */
function compared(where: string): string {
  const isRead =
    'SELECT 1 FROM external_statement_lines AS l WHERE l.tenant_id = e.tenant_id AND l.mandate_id = e.mandate_id';
  return `SELECT e.mandate_id, e.merchant, e.commit_until, e.created_at, p.status, p.captured_minor
     FROM external_payments AS e JOIN payments AS p ON p.tenant_id = e.tenant_id AND p.mandate_id = e.mandate_id
     WHERE e.tenant_id = ? AND ${where} AND e.currency = ? AND e.created_at BETWEEN ? AND ? AND NOT EXISTS (${isRead})`;
}

const NAMED = `SELECT * FROM (${compared('e.reference = ?')} UNION ${compared('e.order_reference = ?')}) AS named
  ORDER BY created_at LIMIT ${MOST_COMPARED}`;
const OF_AMOUNT = `${compared('e.amount_minor = ?')} ORDER BY e.created_at LIMIT ${MOST_COMPARED}`;

/** Within which a payment was reserved, in milliseconds since the epoch. */
interface ReservedSpan {
  readonly from: number;
  readonly to: number;
}

/** Those that a merchant calls so, by what was told of them or before. */
export function listComparedByName(
  tenantId: string,
  currency: string,
  name: string,
  { from, to }: ReservedSpan,
): Script<ComparedPayment[]> {
  const args = [tenantId, name, currency, from, to] as const;
  return all(NAMED, ...args, ...args);
}

/** @param amountMinor what is reserved, or was paid */
export function listComparedByAmount(
  tenantId: string,
  currency: string,
  amountMinor: number,
  { from, to }: ReservedSpan,
): Script<ComparedPayment[]> {
  return all(OF_AMOUNT, tenantId, amountMinor, currency, from, to);
}

export const externalStatementLines = table(
  'external_statement_lines',
  ['tenant_id', 'line_hash'],
  {
    tenant_id: text,
    /** SHA-256 of the line, and of how many equal ones came before it. */
    line_hash: text,
    outcome: oneOf<'settled' | 'known' | 'differs' | 'unmatched' | 'ambiguous'>(),
    /** The payment that it is about. */
    mandate_id: nullable(text),
    created_at: integer,
  },
  {
    retention: { kept: 'the same line may come again with the statement of a later month' },
    isTestData: true,
  },
);
type StatementLineRow = RowOf<typeof externalStatementLines>;

export const insertStatementLine = insertInto(externalStatementLines);

export function findStatementLine(tenantId: string, lineHash: string): Script<StatementLineRow | undefined> {
  return get('SELECT * FROM external_statement_lines WHERE tenant_id = ? AND line_hash = ?', tenantId, lineHash);
}

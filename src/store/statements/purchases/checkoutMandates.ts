/** The mandates that payments of checkouts of UCP are completed with. */
import { all, get, type Script, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest } from '../queries.ts';
import { DAY_MS, insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const checkoutMandates = table(
  'checkout_mandates',
  ['tenant_id', 'payment_id'],
  {
    tenant_id: text,
    payment_id: text,
    /** For whom the checkout mandate is made, and the payment mandate. */
    audience: text,
    payment_audience: text,
    nonce: text,
    /** Both as they are handed out, once money is held. */
    sealed: later(nullable(text)),
    created_at: integer,
  },
  {
    // They hold for minutes; the evidence has their hashes.
    retention: {
      goes: '30 days after it was made',
      purges: [(limit, now) => deleteCheckoutMandatesBefore(limit, now - 30 * DAY_MS)],
    },
    isTestData: true,
  },
);
export type CheckoutMandatesRow = RowOf<typeof checkoutMandates>;

export const insertCheckoutMandates = insertInto(checkoutMandates);

export function findCheckoutMandates(tenantId: string, paymentId: string): Script<CheckoutMandatesRow | undefined> {
  return get('SELECT * FROM checkout_mandates WHERE tenant_id = ? AND payment_id = ?', tenantId, paymentId);
}

type MandatesUpdate = Pick<CheckoutMandatesRow, 'tenant_id' | 'payment_id'> & { readonly sealed: string };

export function saveCheckoutMandates({ tenant_id, payment_id, sealed }: MandatesUpdate): Script<void> {
  const sql = 'UPDATE checkout_mandates SET sealed = ? WHERE tenant_id = ? AND payment_id = ?';
  return send(sql, sealed, tenant_id, payment_id);
}

/** Those that are sealed, by payment. @param after the last one of the page before */
export function listSealedCheckoutMandates(after: string, limit: number): Script<MandatesUpdate[]> {
  const sql = `SELECT tenant_id, payment_id, sealed FROM checkout_mandates
     WHERE payment_id > ? AND sealed IS NOT NULL ORDER BY payment_id LIMIT ?`;
  return all(sql, after, limit);
}

/** @param args those made before this time */
const deleteCheckoutMandatesBefore: DeleteOldest = deleteOldest(checkoutMandates, 'created_at < ?', 'created_at');

/** What the mandates of a payment are sealed for. */
export function checkoutMandatesContext(paymentId: string): string {
  return `checkout mandates ${paymentId}`;
}

/** Purchases of one print: payments that count as the same, and carts that are approved and not paid yet. */
import { COUNTED_STATES } from '../../../../protocol/policy/values/samePurchase.ts';
import { all, type Script, together } from '../../store.ts';
import { IS_RARE, type PaymentRow } from './payments.ts';

type PaidPurchase = Pick<PaymentRow, 'mandate_id' | 'transaction_id' | 'agent_did' | 'created_at'> & {
  readonly status: (typeof COUNTED_STATES)[number];
};

/** An approved cart has no payment yet. */
interface ApprovedSame {
  readonly status: 'APPROVED';
  readonly created_at: number;
}

/** What is the same as a purchase, and was made before it. */
export type SamePurchase = PaidPurchase | ApprovedSame;

interface DuplicateQuery {
  readonly print: string;
  /** Payments from this moment on, in milliseconds since the epoch; of unknown outcome, all. */
  readonly after: number;
  /** The purchase's own cart, which is no other purchase. */
  readonly cartHash: string;
}

/** So many are counted: a policy allows fewer. */
const MOST_COUNTED = 200;

const COLUMNS = 'mandate_id, transaction_id, agent_did, status, created_at';
const IN_WINDOW = COUNTED_STATES.filter((status) => status !== 'UNKNOWN')
  .map((status) => `'${status}'`)
  .join(', ');
const PAID = `SELECT ${COLUMNS} FROM payments
  WHERE tenant_id = ? AND print = ? AND status IN (${IN_WINDOW}) AND created_at > ?
    AND (cart_hash IS NULL OR cart_hash <> ?) ORDER BY created_at DESC LIMIT ${MOST_COUNTED}`;
// The few that are unknown are looked through, not all that were ever the same.
const UNKNOWN = `SELECT ${COLUMNS} FROM payments
  WHERE tenant_id = ? AND (print || '') = ? AND status = 'UNKNOWN' AND ${IS_RARE} AND (cart_hash IS NULL OR cart_hash <> ?)
  ORDER BY created_at DESC LIMIT ${MOST_COUNTED}`;
const APPROVED = `SELECT 'APPROVED' AS status, created_at FROM approvals
  WHERE tenant_id = ? AND print = ? AND status = 'LIVE' AND expires_at > ? AND cart_hash <> ? AND intent_id <> ?
  ORDER BY created_at DESC LIMIT ${MOST_COUNTED}`;

/** Payments of a print that count, those of unknown outcome first, then the newest first. */
export function* listSamePaid(tenantId: string, { print, after, cartHash }: DuplicateQuery): Script<SamePurchase[]> {
  const [unknown, paid] = yield* together(
    all<PaidPurchase>(UNKNOWN, tenantId, print, cartHash),
    all<PaidPurchase>(PAID, tenantId, print, after, cartHash),
  );
  return [...unknown, ...paid];
}

/**
 * Carts of a print with a live approval token, the newest first. @param intentId that of the purchase, whose own token its next
 * one replaces @param now milliseconds since the epoch
 */
export function listSameApproved(
  tenantId: string,
  { print, cartHash }: DuplicateQuery,
  intentId: string,
  now: number,
): Script<SamePurchase[]> {
  return all(APPROVED, tenantId, print, now, cartHash, intentId);
}

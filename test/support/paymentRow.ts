/** A payment as it is stored at first, for tests that need no purchase before it. */
import type { PaymentRow } from '../../src/store/statements/purchases/payments.ts';

type Given = Pick<
  PaymentRow,
  'tenant_id' | 'mandate_id' | 'agent_did' | 'amount_minor' | 'currency' | 'merchant' | 'created_at'
>;

/** @param number tells it from others: in its intent and its transaction */
export function paymentRow(number: number, given: Given): PaymentRow {
  return {
    ...given,
    transaction_id: `txn_p${number}`,
    context_id: null,
    intent_id: `intent_p${number}`,
    principal_did: given.agent_did,
    status: 'PENDING',
    captured_minor: 0,
    refunded_minor: 0,
    rail: 'CARD_RAIL',
    rail_id: null,
    credential: '{}',
    error_code: null,
    error_message: null,
    authorized_at: given.created_at,
    cart_hash: null,
    print: null,
    description: null,
    governed_did: null,
    mcc: null,
    hold_until: null,
    dispute_count: 0,
    standing_disputes: 0,
    disputed_minor: 0,
    attention: null,
    attention_at: null,
    refund_failed_at: null,
    task_id: null,
    by_mandate: null,
    checkout_key: null,
    credential_formats: null,
  };
}

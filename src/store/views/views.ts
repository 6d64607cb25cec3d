/** All views, in the order in which they are written. */
import type { View } from './view.ts';

/** As DECISION_EVENTS names them, in an SQL text that schema 032 has as well. */
const IS_DECISION =
  "event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED') AND json_valid(data)";

/** Events by actor, type, transaction and session, and decisions by amount. */
const evidenceLists: View = {
  name: 'evidence_lists',
  source: 'evidence',
  columns: {
    tenant_id: 'TEXT NOT NULL',
    seq: 'BIGINT NOT NULL',
    event_type: 'TEXT NOT NULL',
    actor_did: 'TEXT NOT NULL',
    transaction_id: 'TEXT',
    context_id: 'TEXT',
    created_at: 'BIGINT NOT NULL',
  },
  readOut: {
    // Of the type of the column outermost: else SQLite would read the file and the ledger into one list, and sort that.
    currency: { type: 'TEXT', of: `CAST(CASE WHEN ${IS_DECISION} THEN json_extract(data, '$.currency') END AS TEXT)` },
    amount: {
      type: 'REAL',
      of: `CAST(CASE WHEN ${IS_DECISION} THEN json_extract(data,
        CASE WHEN event_type LIKE 'INTENT%' THEN '$.maxAmount' ELSE '$.amount' END) END AS REAL)`,
    },
  },
  indexes: {
    // As search.ts asks for them: PostgreSQL, for which these are indexes of the ledger, would rather read all events of a type.
    evidence_lists_by_actor_alone: '(tenant_id, actor_did, seq)',
    evidence_lists_by_actor: "(tenant_id, (actor_did || ' ' || event_type), seq)",
    evidence_lists_by_type: '(tenant_id, event_type, seq)',
    evidence_lists_by_transaction: '(tenant_id, transaction_id, seq) WHERE transaction_id IS NOT NULL',
    evidence_lists_by_context: '(tenant_id, context_id, seq) WHERE context_id IS NOT NULL',
    evidence_lists_by_amount: '(tenant_id, currency, amount, seq) WHERE currency IS NOT NULL',
  },
};

/** Payments by agent, merchant, principal, transaction and amount. */
const paymentLists: View = {
  name: 'payment_lists',
  source: 'payments',
  columns: {
    tenant_id: 'TEXT NOT NULL',
    mandate_id: 'TEXT NOT NULL',
    transaction_id: 'TEXT NOT NULL',
    agent_did: 'TEXT NOT NULL',
    principal_did: 'TEXT NOT NULL',
    merchant: 'TEXT NOT NULL',
    currency: 'TEXT NOT NULL',
    amount_minor: 'BIGINT NOT NULL',
    created_at: 'BIGINT NOT NULL',
  },
  indexes: {
    payment_lists_by_agent: '(tenant_id, agent_did, mandate_id)',
    payment_lists_by_merchant: '(tenant_id, merchant, mandate_id)',
    payment_lists_by_principal: '(tenant_id, principal_did, created_at, mandate_id)',
    payment_lists_by_transaction: '(tenant_id, transaction_id, mandate_id)',
    payment_lists_by_amount: '(tenant_id, currency, amount_minor, mandate_id)',
  },
};

export const VIEWS: readonly View[] = [evidenceLists, paymentLists];

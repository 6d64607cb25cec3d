-- Decisions are listed by amount, which only the text of their event has: the view reads it there, with an index of its own beside an
-- SQLite file (src/store/views). Text that is damaged has none. PostgreSQL has no test of JSON in each version: it looks for the
-- members that stand beside one another in the canonical text.
DROP VIEW evidence_lists;
/* sqlite only */ CREATE VIEW evidence_lists AS
  SELECT tenant_id, seq, event_type, actor_did, transaction_id, context_id, created_at,
    CAST(CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED') AND json_valid(data)
      THEN json_extract(data, '$.currency') END AS TEXT) AS currency,
    CAST(CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED') AND json_valid(data)
      THEN json_extract(data, CASE WHEN event_type LIKE 'INTENT%' THEN '$.maxAmount' ELSE '$.amount' END) END AS REAL) AS amount
  FROM evidence;
/* postgres only */ CREATE VIEW evidence_lists AS
  SELECT tenant_id, seq, event_type, actor_did, transaction_id, context_id, created_at,
    CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED')
      THEN substring(data from '"currency":"([A-Z]+)"') END AS currency,
    CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED')
      THEN substring(data from '"(?:agentDid":"[^"]*","amount|mandateId":"[^"]*","maxAmount)":([0-9]{1,16}(?:[.][0-9]{1,8})?)')::double precision END AS amount
  FROM evidence;
/* postgres only */ CREATE INDEX evidence_by_amount ON evidence (tenant_id,
    (CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED')
      THEN substring(data from '"currency":"([A-Z]+)"') END),
    (CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED')
      THEN substring(data from '"(?:agentDid":"[^"]*","amount|mandateId":"[^"]*","maxAmount)":([0-9]{1,16}(?:[.][0-9]{1,8})?)')::double precision END),
    seq)
  WHERE (CASE WHEN event_type IN ('INTENT_ISSUED', 'INTENT_DENIED', 'CART_VALIDATED', 'CART_REJECTED')
      THEN substring(data from '"currency":"([A-Z]+)"') END) IS NOT NULL;

-- What purchases hold or have paid is summed beside what was issued, also for each principal, and for the merchants and categories that limits name.
ALTER TABLE intents ADD COLUMN governed_did TEXT;
ALTER TABLE intents ADD COLUMN held_minor BIGINT NOT NULL DEFAULT 0;
ALTER TABLE intents ADD COLUMN held_merchant TEXT;
ALTER TABLE intents ADD COLUMN held_mcc TEXT;
ALTER TABLE intents ADD COLUMN held_until BIGINT;
ALTER TABLE intents ADD COLUMN over_limits TEXT;
CREATE INDEX intents_held_until ON intents (held_until) WHERE held_until IS NOT NULL;
ALTER TABLE payments ADD COLUMN governed_did TEXT;
ALTER TABLE payments ADD COLUMN mcc TEXT;
UPDATE intents SET governed_did = principal_did
  WHERE EXISTS (SELECT 1 FROM principals p WHERE p.tenant_id = intents.tenant_id AND p.did = intents.principal_did);
UPDATE intents SET held_minor = reserved_minor, held_merchant = merchant_domain, held_mcc = mcc WHERE status = 'ACTIVE';
UPDATE payments SET governed_did = principal_did
  WHERE EXISTS (SELECT 1 FROM principals p WHERE p.tenant_id = payments.tenant_id AND p.did = payments.principal_did);
UPDATE payments SET mcc = (SELECT i.mcc FROM intents i WHERE i.tenant_id = payments.tenant_id AND i.mandate_id = payments.intent_id);
CREATE TABLE limit_narrowings (
  tenant_id TEXT NOT NULL,
  merchant TEXT NOT NULL,
  category TEXT NOT NULL,
  PRIMARY KEY (tenant_id, merchant, category)
);
ALTER TABLE spending_sums ADD COLUMN held BIGINT NOT NULL DEFAULT 0;
ALTER TABLE spending_sums ADD COLUMN held_high BIGINT NOT NULL DEFAULT 0;
ALTER TABLE spending_sums ADD COLUMN held_low BIGINT NOT NULL DEFAULT 0;
ALTER TABLE spending_sums ADD COLUMN spent BIGINT NOT NULL DEFAULT 0;
ALTER TABLE spending_sums ADD COLUMN spent_high BIGINT NOT NULL DEFAULT 0;
ALTER TABLE spending_sums ADD COLUMN spent_low BIGINT NOT NULL DEFAULT 0;
-- The time of an intent is that of its id, ten digits of base 32.
CREATE TABLE id_digits (digit TEXT PRIMARY KEY, number BIGINT NOT NULL);
INSERT INTO id_digits VALUES ('0', 0), ('1', 1), ('2', 2), ('3', 3), ('4', 4), ('5', 5), ('6', 6), ('7', 7), ('8', 8), ('9', 9),
  ('a', 10), ('b', 11), ('c', 12), ('d', 13), ('e', 14), ('f', 15), ('g', 16), ('h', 17), ('j', 18), ('k', 19), ('m', 20), ('n', 21),
  ('p', 22), ('q', 23), ('r', 24), ('s', 25), ('t', 26), ('v', 27), ('w', 28), ('x', 29), ('y', 30), ('z', 31);
CREATE TABLE spending_counted (
  tenant_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  governed_did TEXT,
  at BIGINT NOT NULL,
  currency TEXT NOT NULL,
  held BIGINT NOT NULL,
  held_minor BIGINT NOT NULL,
  spent BIGINT NOT NULL,
  spent_minor BIGINT NOT NULL
);
INSERT INTO spending_counted SELECT tenant_id, agent_did, governed_did,
    (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 8, 1)) * 35184372088832
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 9, 1)) * 1099511627776
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 10, 1)) * 34359738368
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 11, 1)) * 1073741824
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 12, 1)) * 33554432
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 13, 1)) * 1048576
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 14, 1)) * 32768
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 15, 1)) * 1024
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 16, 1)) * 32
    + (SELECT number FROM id_digits WHERE digit = SUBSTR(mandate_id, 17, 1)),
    currency, 1, held_minor, 0, 0
  FROM intents WHERE held_minor > 0;
INSERT INTO spending_counted SELECT tenant_id, agent_did, governed_did, authorized_at, currency, 0, 0, 1,
    CASE WHEN status IN ('PENDING', 'UNKNOWN', 'AUTHORIZED') THEN amount_minor ELSE captured_minor END
  FROM payments WHERE status NOT IN ('FAILED', 'CANCELED');
INSERT INTO spending_sums
  SELECT tenant_id,
    CASE WHEN whose.name = 'policy' THEN 'policy' WHEN whose.name = 'agent' THEN agent_did ELSE 'principal ' || governed_did END,
    lengths.quarters, at / (lengths.quarters * 900000), currency, 0, 0, 0, 0, 0, 0,
    SUM(held), SUM(held_minor / 67108864), SUM(held_minor % 67108864),
    SUM(spent), SUM(spent_minor / 67108864), SUM(spent_minor % 67108864)
  FROM spending_counted
  CROSS JOIN (SELECT 'agent' AS name UNION ALL SELECT 'policy' UNION ALL SELECT 'principal') AS whose
  CROSS JOIN (SELECT CAST(1 AS BIGINT) AS quarters UNION ALL SELECT 32 UNION ALL SELECT 1024) AS lengths
  WHERE whose.name <> 'principal' OR governed_did IS NOT NULL
  GROUP BY 1, 2, 3, 4, 5
  ON CONFLICT (tenant_id, scope, quarters, stretch, currency) DO UPDATE SET
    held = excluded.held, held_high = excluded.held_high, held_low = excluded.held_low,
    spent = excluded.spent, spent_high = excluded.spent_high, spent_low = excluded.spent_low;
DROP TABLE spending_counted;
DROP TABLE id_digits;

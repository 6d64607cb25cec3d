-- What counts in limits is summed by stretches of a quarter of an hour, of 32 and of 1024 quarters, in one table; windows have no rows of their own.
DROP TABLE velocity_windows;
DROP TABLE payment_windows;
DROP TABLE spending_sums;
DROP INDEX payments_by_agent_time;
CREATE TABLE spending_sums (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  quarters BIGINT NOT NULL,
  stretch BIGINT NOT NULL,
  currency TEXT NOT NULL,
  issued BIGINT NOT NULL,
  issued_high BIGINT NOT NULL,
  issued_low BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  paid_high BIGINT NOT NULL,
  paid_low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, quarters, stretch, currency)
) WITHOUT ROWID;
CREATE INDEX spending_sums_by_age ON spending_sums (quarters, stretch);
CREATE TABLE shared_payment_token_sums (
  tenant_id TEXT NOT NULL,
  status TEXT NOT NULL,
  currency TEXT NOT NULL,
  transactions BIGINT NOT NULL,
  high BIGINT NOT NULL,
  low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, status, currency)
);
INSERT INTO shared_payment_token_sums
  SELECT tenant_id, status, currency, COUNT(*), SUM(amount_minor / 67108864), SUM(amount_minor % 67108864)
  FROM shared_payment_tokens GROUP BY tenant_id, status, currency;
-- The time of an intent is that of its id, ten digits of base 32.
CREATE TABLE id_digits (digit TEXT PRIMARY KEY, number BIGINT NOT NULL);
INSERT INTO id_digits VALUES ('0', 0), ('1', 1), ('2', 2), ('3', 3), ('4', 4), ('5', 5), ('6', 6), ('7', 7), ('8', 8), ('9', 9),
  ('a', 10), ('b', 11), ('c', 12), ('d', 13), ('e', 14), ('f', 15), ('g', 16), ('h', 17), ('j', 18), ('k', 19), ('m', 20), ('n', 21),
  ('p', 22), ('q', 23), ('r', 24), ('s', 25), ('t', 26), ('v', 27), ('w', 28), ('x', 29), ('y', 30), ('z', 31);
CREATE TABLE spending_counted (
  tenant_id TEXT NOT NULL,
  agent_did TEXT NOT NULL,
  at BIGINT NOT NULL,
  currency TEXT NOT NULL,
  issued BIGINT NOT NULL,
  issued_minor BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  paid_minor BIGINT NOT NULL
);
INSERT INTO spending_counted SELECT tenant_id, agent_did,
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
    currency, 1, reserved_minor, 0, 0
  FROM intents;
INSERT INTO spending_counted SELECT tenant_id, agent_did, authorized_at, currency, 0, 0, 1, amount_minor
  FROM payments WHERE status NOT IN ('FAILED', 'CANCELED');
INSERT INTO spending_sums
  SELECT tenant_id, CASE WHEN whose.name = 'policy' THEN 'policy' ELSE agent_did END, lengths.quarters,
    at / (lengths.quarters * 900000), currency, SUM(issued), SUM(issued_minor / 67108864), SUM(issued_minor % 67108864),
    SUM(paid), SUM(paid_minor / 67108864), SUM(paid_minor % 67108864)
  FROM spending_counted
  CROSS JOIN (SELECT 'agent' AS name UNION ALL SELECT 'policy') AS whose
  CROSS JOIN (SELECT CAST(1 AS BIGINT) AS quarters UNION ALL SELECT 32 UNION ALL SELECT 1024) AS lengths
  GROUP BY 1, 2, 3, 4, 5;
DROP TABLE spending_counted;
DROP TABLE id_digits;

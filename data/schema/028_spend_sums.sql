-- What payments came to by day and by 32 days: of all, of each agent, at each merchant. Days are counted from 1970, in UTC.
-- What belongs together by its time lies together, so that many payments of one time change few pages.
CREATE TABLE spend_sums (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  days BIGINT NOT NULL,
  stretch BIGINT NOT NULL,
  name TEXT NOT NULL,
  currency TEXT NOT NULL,
  payments BIGINT NOT NULL,
  held_high BIGINT NOT NULL,
  held_low BIGINT NOT NULL,
  paid_high BIGINT NOT NULL,
  paid_low BIGINT NOT NULL,
  refunded_high BIGINT NOT NULL,
  refunded_low BIGINT NOT NULL,
  disputed_high BIGINT NOT NULL,
  disputed_low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, days, stretch, name, currency)
) WITHOUT ROWID;
-- The payments that there are get into the sums some thousand at a time, from the newest to the oldest, while the node runs:
-- those with a smaller id than this are in none yet.
CREATE TABLE spend_unfilled (
  tenant_id TEXT PRIMARY KEY,
  below TEXT NOT NULL
);
INSERT INTO spend_unfilled (tenant_id, below) SELECT tenant_id, MAX(mandate_id) || '{' FROM payments GROUP BY tenant_id;

-- What counts in limits is counted by the quarter of an hour in a small table of its own, and moved from there into the buckets of each
-- length once the quarter has ended. Those that there are stay as they are.
DROP INDEX spending_sums_by_age;
ALTER TABLE spending_sums RENAME TO limit_buckets;
ALTER TABLE limit_buckets RENAME COLUMN quarters TO bucket_quarters;
ALTER TABLE limit_buckets RENAME COLUMN stretch TO bucket;
/* postgres only */ ALTER INDEX spending_sums_pkey RENAME TO limit_buckets_pkey;
CREATE TABLE limit_tails (
  tenant_id TEXT NOT NULL,
  scope TEXT NOT NULL,
  bucket BIGINT NOT NULL,
  currency TEXT NOT NULL,
  issued BIGINT NOT NULL,
  issued_high BIGINT NOT NULL,
  issued_low BIGINT NOT NULL,
  paid BIGINT NOT NULL,
  paid_high BIGINT NOT NULL,
  paid_low BIGINT NOT NULL,
  held BIGINT NOT NULL,
  held_high BIGINT NOT NULL,
  held_low BIGINT NOT NULL,
  spent BIGINT NOT NULL,
  spent_high BIGINT NOT NULL,
  spent_low BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, scope, bucket, currency)
);

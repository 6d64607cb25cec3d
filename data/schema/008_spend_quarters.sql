-- What all agents have spent is summed by the quarter of an hour, so that a day may begin at midnight in any time zone.
ALTER TABLE spend_sums RENAME COLUMN days TO quarters;
UPDATE spend_sums SET quarters = quarters * 96;
DELETE FROM spend_sums WHERE scope = 'all';
INSERT INTO spend_sums
  (tenant_id, scope, quarters, stretch, name, currency, payments,
    held_high, held_low, paid_high, paid_low, refunded_high, refunded_low, disputed_high, disputed_low)
  SELECT tenant_id, 'all', 1, created_at / 900000, '', currency, COUNT(*),
    SUM(held / 67108864), SUM(held % 67108864), SUM(paid / 67108864), SUM(paid % 67108864),
    SUM(refunded / 67108864), SUM(refunded % 67108864), SUM(disputed / 67108864), SUM(disputed % 67108864)
  FROM (
    SELECT tenant_id, created_at, currency,
      CASE WHEN status IN ('PENDING', 'UNKNOWN', 'AUTHORIZED') THEN amount_minor ELSE 0 END AS held,
      CASE WHEN status IN ('PENDING', 'UNKNOWN', 'AUTHORIZED') THEN 0 ELSE captured_minor END AS paid,
      CASE WHEN status IN ('PENDING', 'UNKNOWN', 'AUTHORIZED') THEN 0 ELSE refunded_minor END AS refunded,
      CASE WHEN status = 'DISPUTED' THEN captured_minor - refunded_minor ELSE 0 END AS disputed
    FROM payments WHERE status NOT IN ('FAILED', 'CANCELED')
  ) AS counted
  GROUP BY tenant_id, created_at / 900000, currency;

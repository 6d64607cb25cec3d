-- A clock that was set back begins a new run of the chain: within a run, times are in order up to a minute, so that a search by
-- time finds its part of each run by bisection. Of the events that are there, each that is earlier than the one before begins one.
ALTER TABLE evidence ADD COLUMN run_seq BIGINT NOT NULL DEFAULT 1;
ALTER TABLE evidence ADD COLUMN latest_at BIGINT NOT NULL DEFAULT 0;
UPDATE evidence SET latest_at = created_at, run_seq = runs.run_seq
FROM (
  SELECT tenant_id, seq, COALESCE(MAX(began) OVER (PARTITION BY tenant_id ORDER BY seq), 1) AS run_seq
  FROM (
    SELECT tenant_id, seq,
      CASE WHEN created_at < LAG(created_at) OVER (PARTITION BY tenant_id ORDER BY seq) THEN seq END AS began
    FROM evidence
  ) AS steps
) AS runs
WHERE runs.tenant_id = evidence.tenant_id AND runs.seq = evidence.seq;

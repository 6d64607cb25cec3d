-- What is submitted for a dispute is marked before the rail is asked, and recorded as often as the rail counts it: a node that ends
-- before its record looks at the rail.
ALTER TABLE disputes ADD COLUMN submissions BIGINT NOT NULL DEFAULT 0;
ALTER TABLE disputes ADD COLUMN submitting_at BIGINT;
ALTER TABLE disputes ADD COLUMN submitting_by TEXT;
CREATE INDEX disputes_submitting ON disputes (submitting_at) WHERE submitting_at IS NOT NULL;

-- What the sandbox rail has answered stands with what it was asked: one row for each operation, and none besides.
ALTER TABLE rail_attempts ADD COLUMN outcome TEXT;
UPDATE rail_attempts
  SET outcome = (SELECT sandbox_rail.outcome FROM sandbox_rail WHERE sandbox_rail.attempt_key = rail_attempts.attempt_key)
  WHERE attempt_key IN (SELECT attempt_key FROM sandbox_rail);
DROP TABLE sandbox_rail;

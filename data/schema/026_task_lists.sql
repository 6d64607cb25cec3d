-- How a task stands, as JSON, for lists, which unseal nothing; null for those that were kept before this column was.
ALTER TABLE tasks ADD COLUMN status TEXT;
-- What nodes go on with, which another finds when one of them is gone.
CREATE INDEX tasks_leased ON tasks (node_id) WHERE node_id IS NOT NULL;

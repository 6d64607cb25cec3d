-- A secret that was rotated twice within a day: the one before the former one signs too, until its own day is over.
ALTER TABLE webhooks ADD COLUMN older_secret TEXT;
ALTER TABLE webhooks ADD COLUMN older_until BIGINT;

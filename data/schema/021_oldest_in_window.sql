-- The oldest that a window holds, so that it is asked what has left it only once something has: the id of an intent, the time of a
-- payment. Null where that is not known yet, as in the rows that there are.
ALTER TABLE velocity_windows ADD COLUMN oldest TEXT;
ALTER TABLE payment_windows ADD COLUMN oldest BIGINT;

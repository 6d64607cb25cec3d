-- Versions of all policies in one order, the newest first: a new version of an old policy comes before a policy that was made
-- in between. Rows from before stay empty, and so behind all others, in the order of their time.
ALTER TABLE policies ADD COLUMN place TEXT NOT NULL DEFAULT '';
CREATE INDEX policies_newest ON policies (tenant_id, place, created_at, id, version);

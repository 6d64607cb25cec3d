-- A guard that a person removed is known as removed for a while, so that one that still runs is told so and does not begin anew.
ALTER TABLE guards ADD COLUMN removed_at BIGINT;

-- On SQLite the sums get intents and payments many at a time as well, with the indexes of lists: a row that has not been in one of
-- them is in no sum. The sums that there are have every row, so all rows are listed.
/* sqlite only */ UPDATE intents SET listed_as = status WHERE unlisted = 1;
/* sqlite only */ UPDATE payments SET listed_as = status WHERE unlisted = 1;
-- With what the rows are looked for by, so that no others are read. SQLite takes the primary key for as good as an
-- index that names no more columns before the id.
DROP INDEX intents_unlisted;
CREATE INDEX intents_unlisted ON intents (tenant_id, unlisted, mandate_id, agent_did) WHERE unlisted = 1;
DROP INDEX payments_unlisted;
CREATE INDEX payments_unlisted ON payments (tenant_id, unlisted, mandate_id, agent_did, merchant) WHERE unlisted = 1;
DROP INDEX payments_unlisted_by_time;
CREATE INDEX payments_unlisted_by_time ON payments (tenant_id, authorized_at, agent_did) WHERE listed_as = '';

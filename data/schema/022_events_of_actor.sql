-- The events of one actor, whatever their types, newest first: beside an SQLite file the views have an index of it.
/* postgres only */ CREATE INDEX evidence_by_actor_alone ON evidence (tenant_id, actor_did, seq);

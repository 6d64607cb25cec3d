-- What the store needs under load: an index for each list and filter that is offered, and for each deletion of old rows.

-- For housekeeping. The first covers unused tokens alone, so that paid ones do not stay in it.
CREATE INDEX approvals_unused ON approvals (created_at) WHERE status <> 'USED';
CREATE INDEX presence_used_by_age ON presence_used (used_at);
CREATE INDEX logins_ended ON logins (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX webhook_deliveries_held_by_age ON webhook_deliveries (id) WHERE state = 'HELD';

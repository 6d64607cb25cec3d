-- Tables of the store's contract suite; a ; or a ? in a comment is no code.
CREATE TABLE counters (
  name TEXT PRIMARY KEY,
  value BIGINT NOT NULL
);

CREATE TABLE notes (
  tenant_id TEXT NOT NULL,
  seq BIGINT NOT NULL,
  body TEXT DEFAULT 'none; really?',
  PRIMARY KEY (tenant_id, seq)
);
CREATE UNIQUE INDEX notes_by_body ON notes (tenant_id, body);

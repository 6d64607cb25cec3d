-- The node's keys for receipts, shared by the nodes of a deployment: the one that signs is the one without a retirement.
CREATE TABLE receipt_keys (
  kid TEXT PRIMARY KEY,
  x TEXT NOT NULL,
  y TEXT NOT NULL,
  sealed TEXT NOT NULL,
  created_at BIGINT NOT NULL,
  retired_at BIGINT
);

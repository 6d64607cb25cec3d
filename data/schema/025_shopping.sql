-- What an agent says of its purchase besides the money, as JSON; null where it says nothing.
ALTER TABLE intents ADD COLUMN shopping TEXT;
-- A merchant's public key as a JSON Web Key (RFC 7517). Where it is one, or the address of a set of them, the column did names it.
ALTER TABLE merchants ADD COLUMN jwk TEXT;
-- Signatures of merchants that have an id of their own (RFC 7519, jti), and who brought each of them first.
CREATE TABLE cart_signatures (
  tenant_id TEXT NOT NULL,
  merchant TEXT NOT NULL,
  jti_hash TEXT NOT NULL,
  brought_by TEXT NOT NULL,
  ends_at BIGINT NOT NULL,
  PRIMARY KEY (tenant_id, merchant, jti_hash)
);
CREATE INDEX cart_signatures_by_end ON cart_signatures (ends_at);

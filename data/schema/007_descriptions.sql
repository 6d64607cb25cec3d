-- What an owner tells payments and keys apart by: what was bought, and how a key begins. Null for those that were made before.
ALTER TABLE approvals ADD COLUMN description TEXT;
ALTER TABLE payments ADD COLUMN description TEXT;
ALTER TABLE api_keys ADD COLUMN prefix TEXT;

-- Where a chain is asked may hold a key of its provider's: sealed, with its host to show. The node seals those of earlier versions at its start.
ALTER TABLE wallets ADD COLUMN sealed_rpc_url TEXT;
ALTER TABLE wallets ADD COLUMN rpc_host TEXT;

/** Wallets that pay on chains, with the key of each, sealed. */
import { all, exists, get, type Script, send, together } from '../../store.ts';
import { deleteById, findById, listNewest } from '../queries.ts';
import { insertInto, integer, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const wallets = table(
  'wallets',
  ['id'],
  {
    id: text,
    tenant_id: text,
    /** CAIP-2: `eip155:8453`. */
    network: text,
    /** In lower case. */
    address: text,
    /** 32 bytes as `0x…`, sealed. */
    sealed_key: text,
    /** Of an earlier version, which did not seal it; null once it is sealed. */
    rpc_url: nullable(text),
    /** Whose it is; the tenant’s where both are null. */
    agent_did: nullable(text),
    principal_did: nullable(text),
    /** JSON: tokens of its chain besides those that are known (see TokenAsset). */
    assets: text,
    created_at: integer,
    /** Where its chain is asked, sealed, since it may hold a key of its own; null where it is not asked. */
    sealed_rpc_url: nullable(text),
    /** Of that address, to be shown. */
    rpc_host: nullable(text),
  },
  {
    retention: { kept: 'until their owner removes them' },
    isTestData: false,
  },
);
export type WalletRow = RowOf<typeof wallets>;

/** False when the tenant has this address on this chain already. */
export const insertWallet = insertInto(wallets, 'ON CONFLICT (tenant_id, network, address) DO NOTHING');

export const findWallet = findById(wallets);
export const deleteWallet = deleteById(wallets);
export const listWallets = listNewest(wallets);

/** Of any tenant: what a rail was asked names it by its id alone. */
export function findWalletById(id: string): Script<WalletRow | undefined> {
  return get('SELECT * FROM wallets WHERE id = ?', id);
}

/** Of each kind so many are looked at: there is one for each chain, or a few. */
const MOST_LOOKED_AT = 100;
const NEWEST = `ORDER BY id DESC LIMIT ${MOST_LOOKED_AT}`;
const OF_AGENT = `SELECT * FROM wallets WHERE tenant_id = ? AND agent_did = ? ${NEWEST}`;
const OF_PRINCIPAL = `SELECT * FROM wallets WHERE tenant_id = ? AND principal_did = ? ${NEWEST}`;
const OF_TENANT = `SELECT * FROM wallets WHERE tenant_id = ? AND agent_did IS NULL AND principal_did IS NULL ${NEWEST}`;

/** Those that a purchase may be paid with: the agent’s first, then the principal’s, then the tenant’s, each newest first. */
export function* listWalletsFor(tenantId: string, agentDid: string, principalDid: string): Script<WalletRow[]> {
  const [own, principals, common] = yield* together(
    all<WalletRow>(OF_AGENT, tenantId, agentDid),
    all<WalletRow>(OF_PRINCIPAL, tenantId, principalDid),
    all<WalletRow>(OF_TENANT, tenantId),
  );
  return [...own, ...principals, ...common];
}

/** Whether a payment may still be settled by an instrument, or is not known not to be. */
export function isInstrumentNeeded(tenantId: string, instrument: string): Script<boolean> {
  const sql = `SELECT payments.mandate_id FROM http_payments
     JOIN payments ON payments.tenant_id = http_payments.tenant_id AND payments.mandate_id = http_payments.mandate_id
     WHERE http_payments.instrument = ? AND http_payments.tenant_id = ? AND payments.status IN ('PENDING', 'UNKNOWN', 'AUTHORIZED')
     LIMIT 1`;
  return exists(sql, instrument, tenantId);
}

/** In the order of their ids. @param after the last one of the page before */
export function listSealedWallets(after: string, limit: number): Script<SealedWallet[]> {
  return all('SELECT id, sealed_key, sealed_rpc_url FROM wallets WHERE id > ? ORDER BY id LIMIT ?', after, limit);
}

export function saveSealedWallet({ id, sealed_key: key, sealed_rpc_url: url }: SealedWallet): Script<void> {
  return send('UPDATE wallets SET sealed_key = ?, sealed_rpc_url = ? WHERE id = ?', key, url, id);
}

type SealedWallet = Pick<WalletRow, 'id' | 'sealed_key' | 'sealed_rpc_url'>;

type PlainRpcUrl = Pick<WalletRow, 'id' | 'tenant_id'> & { readonly rpc_url: string };

/** Of all tenants. */
export function listPlainRpcUrls(): Script<PlainRpcUrl[]> {
  return all('SELECT id, tenant_id, rpc_url FROM wallets WHERE rpc_url IS NOT NULL');
}

/** In the place of what an earlier version kept as it was given. */
export function sealRpcUrl({ id, sealed_rpc_url: url, rpc_host: host }: SealedRpcUrl): Script<void> {
  return send('UPDATE wallets SET rpc_url = NULL, sealed_rpc_url = ?, rpc_host = ? WHERE id = ?', url, host, id);
}

type SealedRpcUrl = Pick<WalletRow, 'id' | 'sealed_rpc_url' | 'rpc_host'>;

/** What the key of a wallet is sealed for. */
export function walletContext(id: string): string {
  return `wallet ${id}`;
}

/** What the address of its chain is sealed for. */
export function rpcContext(id: string): string {
  return `chain of wallet ${id}`;
}

/** The merchant registry: which key signs for which domain, and the merchant's account at the rail. */
import { all, allKept, get, run, type Script } from '../../store.ts';

export interface MerchantRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly domain: string;
  readonly did: string;
  readonly rail_account_id: string | null;
  readonly created_at: number;
  readonly rail_profile_id: string | null;
}

export function* insertMerchant(merchant: MerchantRow): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO merchants (id, tenant_id, domain, did, rail_account_id, created_at, rail_profile_id)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, domain, did) DO NOTHING`,
    merchant.id,
    merchant.tenant_id,
    merchant.domain,
    merchant.did,
    merchant.rail_account_id,
    merchant.created_at,
    merchant.rail_profile_id,
  );
  return changes === 1;
}

/** Every key bound to a domain. */
export function* findMerchantsOf(tenantId: string, domain: string): Script<readonly MerchantRow[]> {
  return yield* allKept<MerchantRow>(
    'merchants',
    'SELECT * FROM merchants WHERE tenant_id = ? AND domain = ? ORDER BY id',
    tenantId,
    domain,
  );
}

export function* findMerchant(tenantId: string, id: string): Script<MerchantRow | undefined> {
  return yield* get<MerchantRow>('SELECT * FROM merchants WHERE tenant_id = ? AND id = ?', tenantId, id);
}

export function* deleteMerchant(tenantId: string, id: string): Script<void> {
  yield* run('DELETE FROM merchants WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listMerchants(tenantId: string, before: string | undefined, limit: number): Script<MerchantRow[]> {
  return yield* all<MerchantRow>(
    'SELECT * FROM merchants WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    tenantId,
    before ?? '~',
    limit,
  );
}

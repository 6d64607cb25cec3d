/** API keys: only the hash of a key is kept. */
import { get, run, type Script } from '../store.ts';

export interface ApiKeyRow {
  readonly id: string;
  readonly tenant_id: string;
  readonly name: string;
  readonly hash: string;
  readonly permissions: string;
  readonly tier: string;
  readonly created_at: number;
  readonly last_used_at: number | null;
  readonly revoked_at: number | null;
}

export function* insertApiKey(key: Omit<ApiKeyRow, 'last_used_at' | 'revoked_at'>): Script<void> {
  yield* run(
    'INSERT INTO api_keys (id, tenant_id, name, hash, permissions, tier, created_at) VALUES (?, ?, ?, ?, ?, ?, ?)',
    key.id,
    key.tenant_id,
    key.name,
    key.hash,
    key.permissions,
    key.tier,
    key.created_at,
  );
}

export function* findApiKeyByHash(hash: string): Script<ApiKeyRow | undefined> {
  return yield* get<ApiKeyRow>('SELECT * FROM api_keys WHERE hash = ?', hash);
}

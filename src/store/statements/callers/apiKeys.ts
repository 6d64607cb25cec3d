/** API keys: only the hash of a key is kept. */
import { all, allKept, get, run, type Script } from '../../store.ts';

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
  return (yield* allKept<ApiKeyRow>('api_keys', 'SELECT * FROM api_keys WHERE hash = ?', hash))[0];
}

export function* findApiKey(tenantId: string, id: string): Script<ApiKeyRow | undefined> {
  return yield* get<ApiKeyRow>('SELECT * FROM api_keys WHERE tenant_id = ? AND id = ?', tenantId, id);
}

/** False when it was revoked before. */
export function* revokeApiKeyRow(tenantId: string, id: string, now: number): Script<boolean> {
  const changes = yield* run(
    'UPDATE api_keys SET revoked_at = ? WHERE tenant_id = ? AND id = ? AND revoked_at IS NULL',
    now,
    tenantId,
    id,
  );
  return changes === 1;
}

/** Keeps the latest use of a key; several nodes may report theirs in any order. */
export function* noteApiKeyUse(id: string, usedAt: number): Script<void> {
  yield* run(
    'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)',
    usedAt,
    id,
    usedAt,
  );
}

/** Newest first; `before` is the id of the last one on the page before. */
export function* listApiKeys(tenantId: string, before: string | undefined, limit: number): Script<ApiKeyRow[]> {
  return yield* all<ApiKeyRow>(
    'SELECT * FROM api_keys WHERE tenant_id = ? AND id < ? ORDER BY id DESC LIMIT ?',
    tenantId,
    before ?? '~',
    limit,
  );
}

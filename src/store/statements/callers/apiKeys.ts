/** API keys: only the hash of a key is stored. */
import { allCached, changed, run, type Script } from '../../store.ts';
import { findById, listNewest } from '../queries.ts';
import { insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const apiKeys = table('api_keys', ['id'], {
  id: text,
  tenant_id: text,
  name: text,
  hash: text,
  permissions: text,
  tier: text,
  created_at: integer,
  last_used_at: later(nullable(integer)),
  revoked_at: later(nullable(integer)),
});
export type ApiKeyRow = RowOf<typeof apiKeys>;

export const insertApiKey = insertInto(apiKeys);

export function* findApiKeyByHash(hash: string): Script<ApiKeyRow | undefined> {
  return (yield* allCached<ApiKeyRow>('api_keys', 'SELECT * FROM api_keys WHERE hash = ?', hash))[0];
}

export const findApiKey = findById(apiKeys);

/** False when it was revoked before. */
export function revokeApiKeyRow(tenantId: string, id: string, now: number): Script<boolean> {
  const sql = 'UPDATE api_keys SET revoked_at = ? WHERE tenant_id = ? AND id = ? AND revoked_at IS NULL';
  return changed(sql, now, tenantId, id);
}

/** Records the latest use of a key; several nodes may report theirs in any order. */
export function recordApiKeyUse(id: string, usedAt: number): Script<number> {
  const sql = 'UPDATE api_keys SET last_used_at = ? WHERE id = ? AND (last_used_at IS NULL OR last_used_at < ?)';
  return run(sql, usedAt, id, usedAt);
}

export const listApiKeys = listNewest(apiKeys);

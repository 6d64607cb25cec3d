/** API keys: only the hash of a key is stored. */
import { all, allCached, changed, run, type Script } from '../../store.ts';
import { findById, listNewest } from '../queries.ts';
import { insertInto, integer, later, nullable, type RowOf, table, text } from '../tableDefinition.ts';

export const apiKeys = table(
  'api_keys',
  ['id'],
  {
    id: text,
    tenant_id: text,
    name: text,
    hash: text,
    /** How it begins, by which its holder tells it from others; null for keys from before this was written down. */
    prefix: nullable(text),
    permissions: text,
    tier: text,
    created_at: integer,
    last_used_at: later(nullable(integer)),
    revoked_at: later(nullable(integer)),
    /** `key`, `user` or `node`, a space, and the id; null for keys from before this was written down. */
    made_by: nullable(text),
    /** The person behind it: who made it, or made the key that made it. */
    user_id: nullable(text),
    /** The permissions that this person has now; null where there is none. */
    ceiling: nullable(text),
    /** The agents that it acts for alone, separated by spaces; null where it is bound to none. */
    agents: nullable(text),
  },
  {
    retention: { kept: 'evidence names who acted, revoked or not' },
    isTestData: false,
  },
);
export type ApiKeyRow = RowOf<typeof apiKeys>;

export const insertApiKey = insertInto(apiKeys);

/** Whether the node itself made a key: at its first start, or in the data folder. */
export function isOfNode({ made_by: madeBy }: Pick<ApiKeyRow, 'made_by'>): boolean {
  return madeBy?.startsWith('node ') === true;
}

const CACHED = { tables: [apiKeys.name] };

export function* findApiKeyByHash(hash: string): Script<ApiKeyRow | undefined> {
  return (yield* allCached<ApiKeyRow>(CACHED, 'SELECT * FROM api_keys WHERE hash = ?', hash))[0];
}

/** Bounds the keys of a person by the permissions of their new role. */
export function setCeiling(tenantId: string, userId: string, ceiling: string): Script<number> {
  return run('UPDATE api_keys SET ceiling = ? WHERE tenant_id = ? AND user_id = ?', ceiling, tenantId, userId);
}

/** The keys of a person that are still good. */
export function listKeysOfUser(tenantId: string, userId: string): Script<ApiKeyRow[]> {
  const sql = 'SELECT * FROM api_keys WHERE tenant_id = ? AND user_id = ? AND revoked_at IS NULL ORDER BY id';
  return all(sql, tenantId, userId);
}

/** All keys of a person, those that were revoked too. */
export function* listKeyIdsOfUser(tenantId: string, userId: string): Script<string[]> {
  const sql = 'SELECT id FROM api_keys WHERE tenant_id = ? AND user_id = ?';
  return (yield* all<{ readonly id: string }>(sql, tenantId, userId)).map(({ id }) => id);
}

export type MadeKey = Pick<ApiKeyRow, 'id' | 'name'> & { readonly madeBy: string };

/** All keys of a tenant that a key made, those that were revoked too. */
export function listMadeKeys(tenantId: string): Script<MadeKey[]> {
  const sql = `SELECT id, name, made_by AS "madeBy" FROM api_keys WHERE tenant_id = ? AND made_by LIKE 'key %' ORDER BY id`;
  return all(sql, tenantId);
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

/** Policies: one row for each version, of which at most one per tenant is current. */
import { allCached, get, run, type Script } from '../../store.ts';
import { equal, listPage } from '../queries.ts';
import { flag, insertInto, integer, type RowOf, table, text } from '../tableDefinition.ts';

export const policies = table(
  'policies',
  ['tenant_id', 'id', 'version'],
  {
    tenant_id: text,
    id: text,
    version: integer,
    name: text,
    rules: text,
    hash: text,
    is_active: flag,
    created_at: integer,
    /** An id, which orders the versions of a millisecond too; empty in rows from before there was one. */
    place: text,
  },
  {
    retention: { kept: 'evidence names the version that judged' },
    isTestData: false,
  },
);
export type PolicyRow = RowOf<typeof policies>;

export const insertPolicy = insertInto(policies);

const CACHED = { tables: [policies.name] };

export function* findCurrentPolicy(tenantId: string): Script<PolicyRow | undefined> {
  const current = 'SELECT * FROM policies WHERE tenant_id = ? AND is_active = 1';
  return (yield* allCached<PolicyRow>(CACHED, current, tenantId))[0];
}

/** Which version of which policy is the current one. */
export function findCurrentVersion(tenantId: string): Script<Pick<PolicyRow, 'id' | 'version'> | undefined> {
  return get('SELECT id, version FROM policies WHERE tenant_id = ? AND is_active = 1', tenantId);
}

export function findLatestPolicy(tenantId: string, id: string): Script<PolicyRow | undefined> {
  const sql = 'SELECT * FROM policies WHERE tenant_id = ? AND id = ? ORDER BY version DESC LIMIT 1';
  return get(sql, tenantId, id);
}

export function findPolicyVersion(tenantId: string, id: string, version: number): Script<PolicyRow | undefined> {
  return get('SELECT * FROM policies WHERE tenant_id = ? AND id = ? AND version = ?', tenantId, id, version);
}

/** Ends the current policy, so that another can become current. */
export function deactivatePolicies(tenantId: string): Script<number> {
  return run('UPDATE policies SET is_active = 0 WHERE tenant_id = ? AND is_active = 1', tenantId);
}

/** Newest first; `before` is the last version of the page before. */
export function listPolicies(
  tenantId: string,
  before: Pick<PolicyRow, 'place' | 'created_at' | 'id' | 'version'> | undefined,
  limit: number,
): Script<PolicyRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    before &&
      ([
        '(place, created_at, id, version) < (?, ?, ?, ?)',
        before.place,
        before.created_at,
        before.id,
        before.version,
      ] as const),
  ];
  return listPage(policies, conditions, 'place DESC, created_at DESC, id DESC, version DESC', limit);
}

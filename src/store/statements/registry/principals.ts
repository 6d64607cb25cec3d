/** Principals that are governed, and the agents that each has delegated its purchases to. */
import { all, allCached, changed, exists, get, type Script } from '../../store.ts';
import { listPage } from '../queries.ts';
import { insertInto, integer, placeholders, type RowOf, table, text, updateOf } from '../tableDefinition.ts';

export const principals = table(
  'principals',
  ['tenant_id', 'did'],
  {
    tenant_id: text,
    did: text,
    name: text,
    created_at: integer,
  },
  {
    retention: { kept: 'one that is governed stays so' },
    isTestData: false,
  },
);
export type PrincipalRow = RowOf<typeof principals>;

export const delegations = table(
  'delegations',
  ['tenant_id', 'principal_did', 'agent_did'],
  {
    tenant_id: text,
    principal_did: text,
    agent_did: text,
    created_at: integer,
  },
  {
    retention: { kept: 'until their owner withdraws them' },
    isTestData: false,
  },
);
type DelegationRow = RowOf<typeof delegations>;

interface Delegation {
  readonly name: string;
  readonly delegated: 0 | 1;
}

/** False when it is registered already. */
export const insertPrincipal = insertInto(principals, 'ON CONFLICT (tenant_id, did) DO NOTHING');

export const renamePrincipal = updateOf(principals, { set: ['name'], where: ['tenant_id', 'did'] });

export function findPrincipal(tenantId: string, did: string): Script<PrincipalRow | undefined> {
  return get('SELECT * FROM principals WHERE tenant_id = ? AND did = ?', tenantId, did);
}

/** Most principals are mere names. Only who acts for an agent asks about them. */
const CACHED = { tables: [principals.name, delegations.name], empty: true };

/** A governed principal, and whether it has delegated to the agent; undefined for a principal that is a mere name. */
export function* findDelegation(
  tenantId: string,
  principalDid: string,
  agentDid: string,
): Script<Delegation | undefined> {
  const sql = `SELECT name, CASE WHEN EXISTS (SELECT 1 FROM delegations d WHERE d.tenant_id = p.tenant_id
      AND d.principal_did = p.did AND d.agent_did = ?) THEN 1 ELSE 0 END AS delegated
    FROM principals p WHERE p.tenant_id = ? AND p.did = ?`;
  return (yield* allCached<Delegation>(CACHED, sql, agentDid, tenantId, principalDid))[0];
}

export const insertDelegation = insertInto(delegations, 'ON CONFLICT (tenant_id, principal_did, agent_did) DO NOTHING');

/** False when there was none. */
export function deleteDelegation(tenantId: string, principalDid: string, agentDid: string): Script<boolean> {
  const sql = 'DELETE FROM delegations WHERE tenant_id = ? AND principal_did = ? AND agent_did = ?';
  return changed(sql, tenantId, principalDid, agentDid);
}

/** The delegations of several principals, by agent. */
export function listDelegationsOf(tenantId: string, principalDids: readonly string[]): Script<DelegationRow[]> {
  const sql = `SELECT * FROM delegations WHERE tenant_id = ? AND principal_did IN ${placeholders(principalDids)}
    ORDER BY principal_did, agent_did`;
  return all(sql, tenantId, ...principalDids);
}

/** Whose money it is, and who would spend it. */
export interface SpendingPair {
  readonly principal_did: string;
  readonly agent_did: string;
}

/** Those of the pairs whose principal is governed and has not delegated to the agent. */
export function* listUndelegated(tenantId: string, pairs: readonly SpendingPair[]): Script<SpendingPair[]> {
  if (pairs.length === 0) return [];
  const sql = `SELECT a.column1 AS principal_did, a.column2 AS agent_did
    FROM (VALUES ${pairs.map(() => '(?, ?)').join(', ')}) AS a JOIN principals p ON p.tenant_id = ? AND p.did = a.column1
    WHERE NOT EXISTS (SELECT 1 FROM delegations d WHERE d.tenant_id = p.tenant_id
      AND d.principal_did = p.did AND d.agent_did = a.column2)`;
  return yield* all<SpendingPair>(sql, ...pairs.flatMap((pair) => [pair.principal_did, pair.agent_did]), tenantId);
}

/** Newest first; `before` is the last principal of the page before. */
export function listPrincipals(
  tenantId: string,
  before: { readonly createdAt: number; readonly did: string } | undefined,
  limit: number,
): Script<PrincipalRow[]> {
  const conditions = [
    ['tenant_id = ?', tenantId] as const,
    before && (['(created_at, did) < (?, ?)', before.createdAt, before.did] as const),
  ];
  return listPage(principals, conditions, 'created_at DESC, did DESC', limit);
}

/** Whether any principal has delegated to the agent, or the principal to any agent. */
export function hasDelegation(
  tenantId: string,
  { kind, did }: { readonly kind: 'agent' | 'principal'; readonly did: string },
): Script<boolean> {
  const column = kind === 'agent' ? 'agent_did' : 'principal_did';
  return exists(`SELECT 1 FROM delegations WHERE tenant_id = ? AND ${column} = ? LIMIT 1`, tenantId, did);
}

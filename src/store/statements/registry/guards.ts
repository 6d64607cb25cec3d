/** Guards before tools of others: what each told last of its tools, and what people accepted of them. */
import { all, get, run, type Script } from '../../store.ts';
import { type DeleteOldest, deleteOldest, earlier, listPage } from '../queries.ts';
import { DAY_MS, insertInto, integer, nullable, type RowOf, table, text, updateOf } from '../tableDefinition.ts';

export const guards = table(
  'guards',
  ['id'],
  {
    id: text,
    tenant_id: text,
    agent_did: text,
    /** What it is called, once for each agent. */
    name: text,
    /** JSON: its servers with their tools (see GuardServerRecord). */
    servers: text,
    /** Since when a person has to look at a tool; null where none has to be looked at. */
    waiting_since: nullable(integer),
    created_at: integer,
    told_at: integer,
    /** When a person removed it: since then it tells nothing; null where it is there. */
    removed_at: nullable(integer),
  },
  {
    retention: {
      goes: '90 days after it was told of last, also where it was removed',
      purges: [(limit, now) => deleteGuardsBefore(limit, now - 90 * DAY_MS)],
    },
    isTestData: false,
  },
);
export type GuardRow = RowOf<typeof guards>;

const deleteGuardsBefore: DeleteOldest = deleteOldest(guards, 'told_at < ?', 'told_at');

export const insertGuard = insertInto(guards);
export const updateGuard = updateOf(guards, {
  set: ['servers', 'waiting_since', 'told_at'],
  where: ['tenant_id', 'id'],
});

/** What it told and what was accepted of it ends. @returns how many */
export function setGuardRemoved(tenantId: string, id: string, now: number): Script<number> {
  const set = "servers = '[]', waiting_since = NULL, removed_at = ?";
  return run(`UPDATE guards SET ${set} WHERE tenant_id = ? AND id = ? AND removed_at IS NULL`, now, tenantId, id);
}

export function findGuard(tenantId: string, id: string): Script<GuardRow | undefined> {
  return get('SELECT * FROM guards WHERE tenant_id = ? AND id = ? AND removed_at IS NULL', tenantId, id);
}

/** Also one that was removed. */
export function findGuardOf(tenantId: string, agentDid: string, name: string): Script<GuardRow | undefined> {
  return get('SELECT * FROM guards WHERE tenant_id = ? AND agent_did = ? AND name = ?', tenantId, agentDid, name);
}

/** Newest first; `before` is the id of the last one on the page before. */
export function listGuards(
  tenantId: string,
  { agentDid }: { readonly agentDid?: string | undefined },
  before: string | undefined,
  limit: number,
): Script<GuardRow[]> {
  const ofAgent = agentDid === undefined ? undefined : (['agent_did = ?', agentDid] as const);
  const where = [['tenant_id = ?', tenantId], ['removed_at IS NULL'], ofAgent, earlier('id', before)] as const;
  return listPage(guards, where, 'id DESC', limit);
}

/** Those with a tool that a person has to look at, the one that waits longest first. */
export function listWaitingGuards(tenantId: string, limit: number): Script<GuardRow[]> {
  const sql = 'SELECT * FROM guards WHERE tenant_id = ? AND waiting_since IS NOT NULL ORDER BY waiting_since LIMIT ?';
  return all(sql, tenantId, limit);
}

export function* countWaitingGuards(tenantId: string, most: number): Script<number> {
  const some = 'SELECT id FROM guards WHERE tenant_id = ? AND waiting_since IS NOT NULL LIMIT ?';
  const sql = `SELECT COUNT(*) AS count FROM (${some}) AS waiting`;
  return (yield* get<{ count: number }>(sql, tenantId, most))?.count ?? 0;
}

/** Those of an agent besides the newest ones; one that was removed stays known. @returns how many */
export function deleteGuardsBeyond(tenantId: string, agentDid: string, most: number): Script<number> {
  const kept = `SELECT id FROM guards WHERE tenant_id = ? AND agent_did = ? AND removed_at IS NULL
    ORDER BY told_at DESC, id DESC LIMIT ?`;
  const sql = `DELETE FROM guards WHERE tenant_id = ? AND agent_did = ? AND removed_at IS NULL AND id NOT IN (${kept})`;
  return run(sql, tenantId, agentDid, tenantId, agentDid, most);
}

export function deleteGuardsOf(tenantId: string, agentDid: string): Script<number> {
  return run('DELETE FROM guards WHERE tenant_id = ? AND agent_did = ?', tenantId, agentDid);
}

/** The agent registry. A DID belongs to one tenant, so lookups by DID alone find its tenant. */
import type { AgentStatus } from '../../../../protocol/agent.ts';
import { all, allCached, count, run, type Script } from '../../store.ts';
import { earlierPlace, equal, listPage } from '../queries.ts';
import { insertInto, integer, later, nullable, oneOf, type RowOf, table, text, updateOf } from '../tableDefinition.ts';

export const agents = table(
  'agents',
  ['did'],
  {
    did: text,
    tenant_id: text,
    status: oneOf<AgentStatus>(),
    display_name: text,
    description: text,
    capabilities: text,
    velocity: later(nullable(text)),
    created_at: integer,
    revoked_at: later(nullable(integer)),
    reason: later(nullable(text)),
    /** An id, which orders the agents of a millisecond too; empty in rows from before there was one. */
    place: text,
    /** The user whose passkeys approve what it buys, besides its own. */
    owner_user_id: nullable(text),
  },
  {
    retention: { kept: 'a DID is registered once for all time' },
    isTestData: false,
  },
);
export type AgentRow = RowOf<typeof agents>;

const CACHED = { tables: [agents.name] };

/** False when the DID is registered already. */
export const insertAgent = insertInto(agents, 'ON CONFLICT (did) DO NOTHING');

export function* findAgent(tenantId: string, did: string): Script<AgentRow | undefined> {
  const agent = yield* findAgentAnywhere(did);
  return agent?.tenant_id === tenantId ? agent : undefined;
}

/** The agent of a DID, in whichever tenant: a gate learns here to whom the caller belongs and whether it is active. */
export function* findAgentAnywhere(did: string): Script<AgentRow | undefined> {
  return (yield* allCached<AgentRow>(CACHED, 'SELECT * FROM agents WHERE did = ?', did))[0];
}

export function setAgentStatus(
  tenantId: string,
  did: string,
  status: AgentStatus,
  change: { readonly reason: string | null; readonly revokedAt: number | null },
): Script<number> {
  const sql = 'UPDATE agents SET status = ?, reason = ?, revoked_at = ? WHERE did = ? AND tenant_id = ?';
  return run(sql, status, change.reason, change.revokedAt, did, tenantId);
}

/** What people know an agent by, and who owns it. */
export const updateAgent = updateOf(agents, {
  set: ['display_name', 'description', 'owner_user_id'],
  where: ['tenant_id', 'did'],
});

export function setAgentVelocity(tenantId: string, did: string, velocity: string): Script<number> {
  return run('UPDATE agents SET velocity = ? WHERE did = ? AND tenant_id = ?', velocity, did, tenantId);
}

interface AgentFilter {
  readonly status?: AgentStatus | undefined;
  readonly did?: string | undefined;
}

/** Newest first; `before` is the last agent of the page before. */
export function listAgents(
  tenantId: string,
  filter: AgentFilter,
  before: Pick<AgentRow, 'place' | 'created_at' | 'did'> | undefined,
  limit: number,
): Script<AgentRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    equal('status', filter.status),
    equal('did', filter.did),
    earlierPlace('did', before && [before.place, before.created_at, before.did]),
  ];
  return listPage(agents, conditions, 'place DESC, created_at DESC, did DESC', limit);
}

/** The agents that a person owns and that were not revoked, the oldest first. */
export function listOwnedAgents(tenantId: string, userId: string): Script<AgentRow[]> {
  const sql = "SELECT * FROM agents WHERE tenant_id = ? AND owner_user_id = ? AND status <> 'REVOKED' ORDER BY did";
  return all(sql, tenantId, userId);
}

/** How many agents have a status, counted up to a number. */
export function countAgents(tenantId: string, status: AgentStatus, most: number): Script<number> {
  const found = 'SELECT did FROM agents WHERE tenant_id = ? AND status = ? LIMIT ?';
  return count(`SELECT COUNT(*) AS count FROM (${found}) AS found`, tenantId, status, most);
}

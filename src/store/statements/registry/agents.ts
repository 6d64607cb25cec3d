/** The agent registry. A DID belongs to one tenant, so lookups by DID alone find its tenant. */
import type { AgentStatus } from '../../../../protocol/agent.ts';
import { all, allKept, run, type Script } from '../../store.ts';

export interface AgentRow {
  readonly did: string;
  readonly tenant_id: string;
  readonly status: AgentStatus;
  readonly display_name: string;
  readonly description: string;
  readonly capabilities: string;
  readonly velocity: string | null;
  readonly created_at: number;
  readonly revoked_at: number | null;
  readonly reason: string | null;
}

export function* insertAgent(agent: Omit<AgentRow, 'velocity' | 'revoked_at' | 'reason'>): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO agents (did, tenant_id, status, display_name, description, capabilities, created_at)
     VALUES (?, ?, ?, ?, ?, ?, ?) ON CONFLICT (did) DO NOTHING`,
    agent.did,
    agent.tenant_id,
    agent.status,
    agent.display_name,
    agent.description,
    agent.capabilities,
    agent.created_at,
  );
  return changes === 1;
}

export function* findAgent(tenantId: string, did: string): Script<AgentRow | undefined> {
  const agent = yield* findAgentAnywhere(did);
  return agent?.tenant_id === tenantId ? agent : undefined;
}

/** What a gate asks first: whose agent this is, and whether it still may call. */
export function* findAgentAnywhere(did: string): Script<AgentRow | undefined> {
  return (yield* allKept<AgentRow>('agents', 'SELECT * FROM agents WHERE did = ?', did))[0];
}

export function* setAgentStatus(
  tenantId: string,
  did: string,
  status: AgentStatus,
  change: { readonly reason: string | null; readonly revokedAt: number | null },
): Script<void> {
  yield* run(
    'UPDATE agents SET status = ?, reason = ?, revoked_at = ? WHERE did = ? AND tenant_id = ?',
    status,
    change.reason,
    change.revokedAt,
    did,
    tenantId,
  );
}

export function* setAgentVelocity(tenantId: string, did: string, velocity: string): Script<void> {
  yield* run('UPDATE agents SET velocity = ? WHERE did = ? AND tenant_id = ?', velocity, did, tenantId);
}

/** Newest first; `before` is the last agent of the page before. */
export function* listAgents(
  tenantId: string,
  filter: { readonly status?: AgentStatus | undefined },
  before: { readonly createdAt: number; readonly did: string } | undefined,
  limit: number,
): Script<AgentRow[]> {
  const conditions = ['tenant_id = ?'];
  const args: (string | number)[] = [tenantId];
  if (filter.status !== undefined) {
    conditions.push('status = ?');
    args.push(filter.status);
  }
  if (before !== undefined) {
    conditions.push('(created_at, did) < (?, ?)');
    args.push(before.createdAt, before.did);
  }
  return yield* all<AgentRow>(
    `SELECT * FROM agents WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, did DESC LIMIT ?`,
    ...args,
    limit,
  );
}

/** Sessions between agents. */
import type { SessionStatus } from '../../../../protocol/session.ts';
import { all, get, run, type Script } from '../../store.ts';

export interface SessionRow {
  readonly tenant_id: string;
  readonly context_id: string;
  readonly agent_did: string;
  readonly user_did: string;
  readonly status: SessionStatus;
  readonly message_count: number;
  readonly intent_mandate_id: string | null;
  readonly permit_id: string | null;
  readonly created_at: number;
  readonly expires_at: number;
}

export function* insertSession(session: SessionRow): Script<boolean> {
  const changes = yield* run(
    `INSERT INTO sessions (tenant_id, context_id, agent_did, user_did, status, message_count, intent_mandate_id,
       permit_id, created_at, expires_at)
     VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (tenant_id, context_id) DO NOTHING`,
    session.tenant_id,
    session.context_id,
    session.agent_did,
    session.user_did,
    session.status,
    session.message_count,
    session.intent_mandate_id,
    session.permit_id,
    session.created_at,
    session.expires_at,
  );
  return changes === 1;
}

export function* findSession(tenantId: string, contextId: string): Script<SessionRow | undefined> {
  return yield* get<SessionRow>('SELECT * FROM sessions WHERE tenant_id = ? AND context_id = ?', tenantId, contextId);
}

/** Counts one message more, links what it mandated where it did, and moves the session's end. */
export function* countMessage(
  tenantId: string,
  contextId: string,
  links: {
    readonly intentMandateId: string | undefined;
    readonly permitId: string | undefined;
    readonly completed: boolean;
  },
  expiresAt: number,
): Script<void> {
  yield* run(
    `UPDATE sessions SET message_count = message_count + 1, intent_mandate_id = COALESCE(?, intent_mandate_id),
       permit_id = COALESCE(?, permit_id), status = COALESCE(?, status), expires_at = ?
     WHERE tenant_id = ? AND context_id = ?`,
    links.intentMandateId ?? null,
    links.permitId ?? null,
    links.completed ? 'COMPLETED' : null,
    expiresAt,
    tenantId,
    contextId,
  );
}

/** Newest first. An active session past its time counts as expired, as it does where one is shown. */
export function* listSessions(
  tenantId: string,
  filter: { readonly status?: SessionStatus | undefined; readonly agentDid?: string | undefined },
  before: { readonly createdAt: number; readonly contextId: string } | undefined,
  limit: number,
  now: number,
): Script<SessionRow[]> {
  const conditions = ['tenant_id = ?'];
  const args: (string | number)[] = [tenantId];
  const add = (condition: string, ...values: (string | number)[]) => {
    conditions.push(condition);
    args.push(...values);
  };
  if (filter.agentDid !== undefined) add('agent_did = ?', filter.agentDid);
  if (filter.status === 'COMPLETED') add("status = 'COMPLETED'");
  if (filter.status === 'ACTIVE') add("status = 'ACTIVE' AND expires_at > ?", now);
  if (filter.status === 'EXPIRED') add("(status = 'EXPIRED' OR (status = 'ACTIVE' AND expires_at <= ?))", now);
  if (before !== undefined) add('(created_at, context_id) < (?, ?)', before.createdAt, before.contextId);
  return yield* all<SessionRow>(
    `SELECT * FROM sessions WHERE ${conditions.join(' AND ')} ORDER BY created_at DESC, context_id DESC LIMIT ?`,
    ...args,
    limit,
  );
}

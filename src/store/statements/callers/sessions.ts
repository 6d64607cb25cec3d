/** Sessions between agents. */
import type { SessionStatus } from '../../../../protocol/session.ts';
import { get, type Script } from '../../store.ts';
import { equal, listPage, statusAt } from '../queries.ts';
import { insertInto, integer, nullable, oneOf, type RowOf, table, text, updateOf } from '../tableDefinition.ts';

export const sessions = table('sessions', ['tenant_id', 'context_id'], {
  tenant_id: text,
  context_id: text,
  agent_did: text,
  user_did: text,
  status: oneOf<SessionStatus>(),
  message_count: integer,
  intent_mandate_id: nullable(text),
  permit_id: nullable(text),
  created_at: integer,
  expires_at: integer,
});
export type SessionRow = RowOf<typeof sessions>;

/** False when the tenant has a session with that id. */
export const insertSession = insertInto(sessions, 'ON CONFLICT (tenant_id, context_id) DO NOTHING');

export function findSession(tenantId: string, contextId: string): Script<SessionRow | undefined> {
  return get('SELECT * FROM sessions WHERE tenant_id = ? AND context_id = ?', tenantId, contextId);
}

export const updateSession = updateOf(sessions, {
  set: ['status', 'message_count', 'intent_mandate_id', 'permit_id', 'expires_at'],
  where: ['tenant_id', 'context_id'],
});

/** Newest first. An active session past its time counts as expired. */
export function listSessions(
  tenantId: string,
  filter: { readonly status?: SessionStatus | undefined; readonly agentDid?: string | undefined },
  before: { readonly createdAt: number; readonly contextId: string } | undefined,
  limit: number,
  now: number,
): Script<SessionRow[]> {
  const conditions = [
    equal('tenant_id', tenantId),
    equal('agent_did', filter.agentDid),
    statusAt(filter.status, 'ACTIVE', 'EXPIRED', now),
    before && (['(created_at, context_id) < (?, ?)', before.createdAt, before.contextId] as const),
  ];
  return listPage(sessions, conditions, 'created_at DESC, context_id DESC', limit);
}

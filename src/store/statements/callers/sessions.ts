/** Sessions between agents. */

import type { SessionStatus } from '../../../../protocol/session.ts';
import { firstIdAt } from '../../../../protocol/wire/id.ts';
import { all, get, type Script, send } from '../../store.ts';
import { type DeleteOldest, deleteOldest, earlierPlace, equal, listPage } from '../queries.ts';
import { DAY_MS, insertInto, integer, nullable, oneOf, type RowOf, table, text } from '../tableDefinition.ts';
import { type WalkResult, walkNewest } from '../walk.ts';

export const sessions = table(
  'sessions',
  ['tenant_id', 'context_id', 'agent_did'],
  {
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
    /** An id, which orders the sessions of a millisecond too; empty in rows from before there was one. */
    place: text,
  },
  {
    retention: {
      goes: '30 days after it was opened, once it has ended',
      purges: [
        (limit, now, tenantId) => deleteSessionsBefore(limit, tenantId, firstIdAt('ses_', now - 30 * DAY_MS), now),
      ],
      byTenant: true,
    },
    isTestData: true,
  },
);
export type SessionRow = RowOf<typeof sessions>;
/** Each agent has context ids of its own. */
export type SessionKey = Pick<SessionRow, 'tenant_id' | 'agent_did' | 'context_id'>;

/** False when the agent has a session with that id. */
export const insertSession = insertInto(sessions, 'ON CONFLICT (tenant_id, context_id, agent_did) DO NOTHING');

export function findSession({ tenant_id, agent_did, context_id }: SessionKey): Script<SessionRow | undefined> {
  const sql = 'SELECT * FROM sessions WHERE tenant_id = ? AND context_id = ? AND agent_did = ?';
  return get(sql, tenant_id, context_id, agent_did);
}

/** The sessions with that id, of any agents. */
export function findSessionsOfAny(tenantId: string, contextId: string, limit: number): Script<SessionRow[]> {
  const sql = 'SELECT * FROM sessions WHERE tenant_id = ? AND context_id = ? ORDER BY agent_did LIMIT ?';
  return all(sql, tenantId, contextId, limit);
}

/** Counts one message more, links what it mandated where it did, and moves the session's end. */
export function* countMessage(
  { tenant_id, agent_did, context_id }: SessionKey,
  links: {
    readonly intentMandateId: string | undefined;
    readonly permitId: string | undefined;
    readonly completed: boolean;
  },
  expiresAt: number,
): Script<void> {
  yield* send(
    `UPDATE sessions SET message_count = message_count + 1, intent_mandate_id = COALESCE(?, intent_mandate_id),
       permit_id = COALESCE(?, permit_id), status = COALESCE(?, status), expires_at = ?
     WHERE tenant_id = ? AND context_id = ? AND agent_did = ?`,
    links.intentMandateId ?? null,
    links.permitId ?? null,
    links.completed ? 'COMPLETED' : null,
    expiresAt,
    tenant_id,
    context_id,
    agent_did,
  );
}

const PLACE = ['place', 'created_at', 'context_id'] as const;
type SessionCursor = Pick<SessionRow, (typeof PLACE)[number]>;

/** Newest first. An active session past its time counts as expired. */
export function* listSessions(
  tenantId: string,
  filter: { readonly status?: SessionStatus | undefined; readonly agentDid?: string | undefined },
  before: SessionCursor | undefined,
  limit: number,
  now: number,
): Script<WalkResult<SessionRow, SessionCursor>> {
  const { status, agentDid } = filter;
  const conditions = [
    equal('tenant_id', tenantId),
    equal('agent_did', agentDid),
    earlierPlace('context_id', before && [before.place, before.created_at, before.context_id]),
  ];
  if (status === undefined) {
    const order = PLACE.map((column) => `${column} DESC`).join(', ');
    return { rows: yield* listPage(sessions, conditions, order, limit) };
  }
  const fits = (row: Pick<SessionRow, 'status' | 'expires_at'>) =>
    (row.status === 'ACTIVE' && row.expires_at <= now ? 'EXPIRED' : row.status) === status;
  const placeOf = ({ place, created_at, context_id }: SessionCursor) => ({ place, created_at, context_id });
  const list = { conditions, order: PLACE, placeOf, columns: ['status', 'expires_at'], fits } as const;
  return yield* walkNewest(sessions, list, limit);
}

/** Deletes a tenant's old sessions that have ended. @param args tenant, the first place that stays, now */
const deleteSessionsBefore: DeleteOldest = deleteOldest(
  sessions,
  'tenant_id = ? AND place < ? AND expires_at < ?',
  'place',
);

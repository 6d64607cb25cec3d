/** Sessions between agents: opened by or for an agent, then followed. */
import { z } from 'zod';
import { Did } from '../../../protocol/credential/did.ts';
import {
  SESSION_IDLE_SECONDS,
  Session,
  SessionRecord,
  SessionRequest,
  SessionStatus,
  sessionStatusAt,
} from '../../../protocol/session.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { type Page, PageRequest, pageOf } from '../../../protocol/wire/page.ts';
import { requireActsFor } from '../../access/caller.ts';
import {
  findSession,
  insertSession,
  type SessionRow,
  listSessions as selectSessions,
} from '../../store/statements/callers/sessions.ts';
import { positionOf, toPage } from '../core/paging.ts';
import { inOneCommit, inOneRead, useCase } from '../core/useCase.ts';
import { loadAgent } from '../policies/loadFacts.ts';

function showSession(row: SessionRow, now: number): Session {
  return {
    contextId: row.context_id,
    status: sessionStatusAt({ status: row.status, expiresAt: row.expires_at }, now),
    messageCount: row.message_count,
    intentMandateId: row.intent_mandate_id,
    permitId: row.permit_id,
    createdAt: new Date(row.created_at).toISOString(),
    expiresAt: new Date(row.expires_at).toISOString(),
  };
}

export const createSession = useCase({
  summary: 'Opens a session that messages can name by its contextId.',
  input: SessionRequest,
  output: Session,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<SessionRequest, Session>(function* (_deps, caller, input, { now }) {
    requireActsFor(caller, input.agentDid);
    const agent = yield* loadAgent(caller.tenantId, input.agentDid);
    const row: SessionRow = {
      tenant_id: caller.tenantId,
      context_id: input.contextId,
      agent_did: agent.did,
      user_did: input.userDid,
      status: 'ACTIVE',
      message_count: 0,
      intent_mandate_id: null,
      permit_id: null,
      created_at: now,
      expires_at: now + SESSION_IDLE_SECONDS * 1000,
    };
    if (!(yield* insertSession(row))) throw new Fault('CONFLICT', 'A session with this contextId exists already.');
    return showSession(row, now);
  }),
});

const GetSession = z.object({ contextId: z.string() });

export const getSession = useCase({
  summary: 'Shows a session: its status, how many messages it carried, and what was mandated in it.',
  input: GetSession,
  output: Session,
  permission: 'read',
  faults: ['NOT_FOUND'],
  run: inOneRead<z.output<typeof GetSession>, Session>(function* (_deps, caller, { contextId }, now) {
    const row = yield* findSession(caller.tenantId, contextId);
    if (row === undefined || (caller.did !== undefined && caller.did !== row.agent_did)) {
      throw new Fault('NOT_FOUND', `There is no session ${contextId}.`);
    }
    return showSession(row, now);
  }),
});

const ListSessions = PageRequest.extend({ status: SessionStatus.optional(), agentDid: Did.optional() });
const Position = z.object({ createdAt: z.int(), contextId: z.string() });

export const listSessions = useCase({
  summary: 'Lists sessions, newest first.',
  input: ListSessions,
  output: pageOf(SessionRecord),
  permission: 'read',
  run: inOneRead<z.output<typeof ListSessions>, Page<SessionRecord>>(function* (_deps, caller, input, now) {
    const filter = { status: input.status, agentDid: caller.did ?? input.agentDid };
    const before = positionOf(Position, input.cursor);
    const rows = yield* selectSessions(caller.tenantId, filter, before, input.limit + 1, now);
    return toPage(
      rows,
      input.limit,
      (row) => ({ ...showSession(row, now), agentDid: row.agent_did, userDid: row.user_did }),
      (row) => ({ createdAt: row.created_at, contextId: row.context_id }),
    );
  }),
});

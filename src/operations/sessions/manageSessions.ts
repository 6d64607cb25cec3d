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
import { PageRequest } from '../../../protocol/wire/page.ts';
import { isoTime } from '../../../protocol/wire/time.ts';
import { actsFor, type Caller, requireActsFor } from '../../access/caller.ts';
import { loadAgent } from '../../domain/agents/loadAgent.ts';
import {
  findSession,
  findSessionsOfAny,
  insertSession,
  type SessionRow,
  listSessions as selectSessions,
} from '../../store/statements/callers/sessions.ts';
import type { Script } from '../../store/store.ts';
import type { Deps } from '../../usecase/deps.ts';
import { byAgent, listing } from '../../usecase/list/listing.ts';
import { inOneCommit, inOneRead, useCase } from '../../usecase/useCase.ts';

function showSession(row: SessionRow, now: number): Session {
  return {
    contextId: row.context_id,
    status: sessionStatusAt({ status: row.status, expiresAt: row.expires_at }, now),
    messageCount: row.message_count,
    intentMandateId: row.intent_mandate_id,
    permitId: row.permit_id,
    createdAt: isoTime(row.created_at),
    expiresAt: isoTime(row.expires_at),
  };
}

export const createSession = useCase({
  summary: 'Opens a session that messages can name by its contextId.',
  input: SessionRequest,
  output: Session,
  permission: 'write',
  faults: ['NOT_FOUND', 'CONFLICT'],
  run: inOneCommit<SessionRequest, Session>(function* (deps: Pick<Deps, 'newId'>, caller, input, { now }) {
    requireActsFor(caller, input.agentDid);
    const agent = yield* loadAgent(caller.tenantId, input.agentDid);
    if (agent.status !== 'ACTIVE') {
      throw new Fault('CONFLICT', `This agent is ${agent.status.toLowerCase()}; it gets no session.`);
    }
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
      place: deps.newId('ses_'),
    };
    if (!(yield* insertSession(row)))
      throw new Fault('CONFLICT', 'This agent has a session with this contextId already.');
    return showSession(row, now);
  }),
});

const GetSession = z.object({
  contextId: z.string(),
  agentDid: Did.optional().describe('Whose session it is, where several agents have one of this name.'),
});
type GetSession = z.output<typeof GetSession>;

export const getSession = useCase({
  summary: 'Shows a session: its status, how many messages it carried, and what was mandated in it.',
  input: GetSession,
  output: Session,
  permission: 'read',
  showsOwn: true,
  faults: ['NOT_FOUND'],
  run: inOneRead<GetSession, Session>(function* (_deps, caller, input, now) {
    const [row, other] = yield* sessionsNamed(caller, input);
    if (row === undefined) throw new Fault('NOT_FOUND', `There is no session ${input.contextId}.`);
    if (other !== undefined) {
      const message = 'names the agent, since several have a session with this contextId';
      throw new Fault('BAD_REQUEST', `agentDid: ${message}.`, [{ path: 'agentDid', message }]);
    }
    return showSession(row, now);
  }),
});

/** The sessions of that name that the caller may see; more than two are as many as two. */
function* sessionsNamed(caller: Caller, { contextId, agentDid }: GetSession): Script<SessionRow[]> {
  if (agentDid === undefined && caller.agents === undefined) {
    return yield* findSessionsOfAny(caller.tenantId, contextId, 2);
  }
  const found: SessionRow[] = [];
  for (const did of agentDid === undefined ? (caller.agents ?? []) : [agentDid]) {
    const key = { tenant_id: caller.tenantId, agent_did: did, context_id: contextId };
    const row = actsFor(caller, did) ? yield* findSession(key) : undefined;
    if (row !== undefined) found.push(row);
  }
  return found;
}

const ListSessions = PageRequest.extend({ status: SessionStatus.optional(), agentDid: Did.optional() });

export const listSessions = listing({
  summary: 'Lists sessions, newest first.',
  input: ListSessions,
  item: SessionRecord,
  permission: 'read',
  own: byAgent,
  order: {
    position: z.object({ place: z.string(), created_at: z.int(), context_id: z.string() }),
    of: ({ place, created_at, context_id }: SessionRow) => ({ place, created_at, context_id }),
  },
  isLong: ({ status }) => status !== undefined,
  select: ({ tenantId }, { status, agentDid }, before, limit, now) =>
    selectSessions(tenantId, { status, agentDid }, before, limit, now),
  show: (row, now) => ({ ...showSession(row, now), agentDid: row.agent_did, userDid: row.user_did }),
});

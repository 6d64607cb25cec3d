/** What a message does to the session it names: counts, links, and keeps it alive. */

import { SESSION_IDLE_SECONDS, sessionStatusAt } from '../../protocol/session.ts';
import { Fault } from '../../protocol/wire/fault.ts';
import { findSession, type SessionRow, updateSession } from '../store/statements/callers/sessions.ts';
import type { Script } from '../store/store.ts';

/**
 * @throws Fault NOT_FOUND for a session that is not this agent's, SESSION_EXPIRED for one that idled too long
 */
export function* joinSession(tenantId: string, contextId: string, agentDid: string, now: number): Script<SessionRow> {
  const session = yield* findSession(tenantId, contextId);
  if (session === undefined || session.agent_did !== agentDid) {
    throw new Fault('NOT_FOUND', `There is no session ${contextId}.`);
  }
  if (sessionStatusAt({ status: session.status, expiresAt: session.expires_at }, now) === 'EXPIRED') {
    throw new Fault('SESSION_EXPIRED', 'The session has expired; open a new one.');
  }
  return session;
}

interface SessionLinks {
  readonly intentMandateId?: string | undefined;
  readonly permitId?: string | undefined;
  /** True once the session's purchase is paid. */
  readonly completed?: boolean;
}

/** Counts an executed message and links what it mandated. */
export function* touchSession(session: SessionRow, links: SessionLinks, now: number): Script<void> {
  yield* updateSession({
    ...session,
    status: links.completed === true ? 'COMPLETED' : session.status,
    message_count: session.message_count + 1,
    intent_mandate_id: links.intentMandateId ?? session.intent_mandate_id,
    permit_id: links.permitId ?? session.permit_id,
    expires_at: now + SESSION_IDLE_SECONDS * 1000,
  });
}

/** What a result's body mandates. */
export function linksOf(body: unknown): SessionLinks {
  const { intentVc, pmVc, railResponse } = body as {
    readonly intentVc?: { readonly credentialSubject: { readonly mandateId?: string } };
    readonly pmVc?: { readonly credentialSubject: { readonly mandateId?: string } };
    readonly railResponse?: { readonly status: string };
  };
  return {
    intentMandateId: intentVc?.credentialSubject.mandateId,
    permitId: pmVc?.credentialSubject.mandateId,
    completed: railResponse?.status === 'requires_capture',
  };
}

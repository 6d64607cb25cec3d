/** What a request does to the session it names: it must be alive and the caller's own; it counts, links, and keeps it alive. */
import { SESSION_IDLE_SECONDS, sessionStatusAt } from '../../../protocol/session.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { countMessage, findSession, type SessionKey } from '../../store/statements/callers/sessions.ts';
import type { Script } from '../../store/store.ts';
import type { Call } from '../../usecase/call.ts';

/** What the functions below read of the session that a call names, if it names one. */
export function sessionLoads(call: Call): readonly Script<unknown>[] {
  const key = sessionOf(call);
  return key === undefined ? [] : [findSession(key)];
}

/**
 * The session that a call names: one of its own caller's, since another agent's is not found under the same id. The context
 * of a task is no session.
 */
function sessionOf({ caller, contextId, reply }: Call): SessionKey | undefined {
  if (contextId === undefined || reply.kind === 'task') return undefined;
  return { tenant_id: caller.tenantId, agent_did: String(caller.did), context_id: contextId };
}

/** @throws Fault NOT_FOUND for a session that is not this agent's, SESSION_EXPIRED for one that idled too long */
export function* joinSessionOfCall(_deps: unknown, call: Call, now: number): Script<void> {
  const key = sessionOf(call);
  if (key === undefined) return;
  const session = yield* findSession(key);
  if (session === undefined) throw new Fault('NOT_FOUND', `There is no session ${key.context_id}.`);
  if (sessionStatusAt({ status: session.status, expiresAt: session.expires_at }, now) === 'EXPIRED') {
    throw new Fault('SESSION_EXPIRED', 'The session has expired; open a new one.');
  }
}

/** Counts an executed message and links what its result mandates. The database adds, so that none is lost. */
export function* advanceSessionOfCall(_deps: unknown, call: Call, output: unknown, now: number): Script<void> {
  const key = sessionOf(call);
  if (key === undefined) return;
  const { intentVc, pmVc, railResponse } = output as {
    readonly intentVc?: { readonly credentialSubject: { readonly mandateId?: string } };
    readonly pmVc?: { readonly credentialSubject: { readonly mandateId?: string } };
    readonly railResponse?: { readonly status: string };
  };
  yield* countMessage(
    key,
    {
      intentMandateId: intentVc?.credentialSubject.mandateId,
      permitId: pmVc?.credentialSubject.mandateId,
      // A session ends with its purchase.
      completed: railResponse?.status === 'requires_capture',
    },
    now + SESSION_IDLE_SECONDS * 1000,
  );
}

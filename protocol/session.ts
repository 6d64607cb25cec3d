/** Sessions between agents: a context that counts its messages and links its mandates. */
import { z } from 'zod';
import { Did } from './credential/did.ts';

/** A session ends after this long without a message. */
export const SESSION_IDLE_SECONDS = 30 * 60;

export const ContextId = z.string().min(1).max(255);

export const SessionRequest = z.object({ contextId: ContextId, agentDid: Did, userDid: Did });
export type SessionRequest = z.infer<typeof SessionRequest>;

export const SessionStatus = z.enum(['ACTIVE', 'COMPLETED', 'EXPIRED']);
export type SessionStatus = z.infer<typeof SessionStatus>;

export const Session = z.object({
  contextId: z.string(),
  status: SessionStatus,
  messageCount: z.int(),
  intentMandateId: z.string().nullable(),
  permitId: z.string().nullable(),
  createdAt: z.string(),
  expiresAt: z.string(),
});
export type Session = z.infer<typeof Session>;

/** A session as the operator sees it in a list. */
export const SessionRecord = Session.extend({ agentDid: z.string(), userDid: z.string() });
export type SessionRecord = z.infer<typeof SessionRecord>;

/** The status at a time: an active session past its time has expired, even before a worker records it. */
export function sessionStatusAt(session: { status: SessionStatus; expiresAt: number }, now: number): SessionStatus {
  return session.status === 'ACTIVE' && session.expiresAt <= now ? 'EXPIRED' : session.status;
}

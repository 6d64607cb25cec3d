/** Examples: sessions between agents. */
import { AGENT, AT, PRINCIPAL, SESSION } from './story/story.ts';

const session = {
  contextId: SESSION,
  status: 'ACTIVE',
  messageCount: 0,
  intentMandateId: null,
  permitId: null,
  createdAt: AT,
  expiresAt: '2026-11-21T08:17:41.449Z',
};

export const sessionExamples = {
  createSession: { input: { contextId: SESSION, agentDid: AGENT, userDid: PRINCIPAL }, output: session },
  getSession: { input: { contextId: SESSION }, output: session },
  listSessions: {
    input: { status: 'ACTIVE', agentDid: AGENT, limit: 20 },
    output: { data: [{ ...session, agentDid: AGENT, userDid: PRINCIPAL }], hasMore: false, cursor: null },
  },
} as const;

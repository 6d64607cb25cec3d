/** Examples: a purchase of a client of standard A2A that waits for the person. */
import { AGENT } from '../../../documents/examples/story/story.ts';

const AT = '2026-11-21T07:47:41.495Z';
const TASK = 'task_01m7yh6hz3k7r1v5y9c3g7k1p5';
const CONTEXT = 'ctx_01m7yh6hz3k7r1v5y9c3g7k1p6';
const notPlayed = 'A client of standard A2A begins one.';

const summary = {
  id: TASK,
  contextId: CONTEXT,
  kind: 'purchase',
  state: 'TASK_STATE_AUTH_REQUIRED',
  agentDid: AGENT,
  createdAt: AT,
  changedAt: AT,
} as const;

const task = {
  id: TASK,
  contextId: CONTEXT,
  status: {
    state: 'TASK_STATE_AUTH_REQUIRED',
    timestamp: AT,
    message: {
      messageId: 'msg_01m7yh6hz3k7r1v5y9c3g7k1p7',
      role: 'ROLE_AGENT',
      parts: [{ text: 'The person is asked.' }],
    },
  },
} as const;

const canceled = { ...summary, state: 'TASK_STATE_CANCELED', endedAt: AT } as const;

export const taskExamples = {
  listTaskRecords: {
    notPlayed,
    input: { state: 'TASK_STATE_AUTH_REQUIRED', limit: 20 },
    output: { data: [summary], hasMore: false, cursor: null },
  },
  getTaskRecord: { notPlayed, input: { id: TASK }, output: { ...summary, task } },
  cancelTaskRecord: {
    notPlayed,
    input: { id: TASK },
    output: { ...canceled, task: { ...task, status: { state: 'TASK_STATE_CANCELED', timestamp: AT } } },
  },
} as const;

/** Tasks as their owner sees them over REST: what each is, how it stands, and the task itself as A2A writes it. */
import { z } from 'zod';
import { Did } from '../credential/did.ts';
import { ContextId } from '../session.ts';
import { anyObject } from '../wire/json.ts';
import { PageRequest } from '../wire/page.ts';
import { TASK_KINDS } from './exchangePart.ts';
import { TaskState } from './task.ts';

export const TaskSummary = z.object({
  id: z.string(),
  contextId: z.string(),
  kind: z.enum(TASK_KINDS).describe('Which exchange it is; a purchase is the first three.'),
  state: TaskState,
  agentDid: z.string(),
  createdAt: z.string(),
  changedAt: z.string().describe('When its state changed last.'),
  endedAt: z.string().optional(),
});
export type TaskSummary = z.infer<typeof TaskSummary>;

export const TaskRecord = TaskSummary.extend({
  task: anyObject().describe('The task as A2A 1.0 writes it, with its messages and what it handed over.'),
});
export type TaskRecord = z.infer<typeof TaskRecord>;

export const ListTaskRecords = PageRequest.extend({
  state: TaskState.optional().describe('The state it is in.'),
  agentDid: Did.optional(),
  contextId: ContextId.optional(),
});
export type ListTaskRecords = z.output<typeof ListTaskRecords>;

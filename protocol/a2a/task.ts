/**
 * Messages, tasks and their parts as A2A 1.0 writes them in JSON (ProtoJSON of its protocol buffers). Members that are not
 * known are kept where a caller sends them, since they may be signed.
 */
import { z } from 'zod';
import { anyObject } from '../wire/json.ts';
import { TASK_ENDS } from './taskEnds.ts';

const TASK_STATES = [
  'TASK_STATE_SUBMITTED',
  'TASK_STATE_WORKING',
  'TASK_STATE_COMPLETED',
  'TASK_STATE_FAILED',
  'TASK_STATE_CANCELED',
  'TASK_STATE_INPUT_REQUIRED',
  'TASK_STATE_REJECTED',
  'TASK_STATE_AUTH_REQUIRED',
] as const;
export const TaskState = z.enum(TASK_STATES);
export type TaskState = z.infer<typeof TaskState>;

const ENDS: ReadonlySet<TaskState> = new Set(TASK_ENDS);

/** Whether nothing more will happen to a task. */
export function isEnd(state: TaskState): boolean {
  return ENDS.has(state);
}

/** Whether a caller that waits for a task is answered: it has ended, or waits for input or for a person. */
export function isSettled(state: TaskState): boolean {
  return isEnd(state) || state === 'TASK_STATE_INPUT_REQUIRED' || state === 'TASK_STATE_AUTH_REQUIRED';
}

const KINDS_OF_PART = ['text', 'data', 'raw', 'url'] as const;

export const Part = z
  .looseObject({
    text: z.string().optional(),
    data: z.unknown().optional(),
    raw: z.string().optional(),
    url: z.string().optional(),
    mediaType: z.string().max(255).optional(),
    filename: z.string().max(1000).optional(),
    metadata: anyObject().optional(),
  })
  .refine((part) => KINDS_OF_PART.filter((kind) => part[kind] !== undefined).length === 1, {
    message: 'has exactly one of text, data, raw and url',
  });
export type Part = z.infer<typeof Part>;

/** ProtoJSON may write an absent text as an empty one. */
const Absent = z.literal('').transform(() => undefined);
const Id = z.string().min(1).max(255);

export const TaskMessage = z.looseObject({
  messageId: Id,
  contextId: z.union([Absent, Id]).optional(),
  taskId: z.union([Absent, Id]).optional(),
  role: z.literal('ROLE_USER', { error: 'must be ROLE_USER: what a caller sends is the user’s' }),
  parts: z.array(Part).min(1).max(100),
  metadata: anyObject().optional(),
  extensions: z.array(z.string().max(255)).max(50).optional(),
});
export type TaskMessage = z.infer<typeof TaskMessage>;

/** What the node says: a message of its own in a task's status, or in place of a task. */
export interface AgentMessage {
  readonly messageId: string;
  readonly contextId?: string;
  readonly taskId?: string;
  readonly role: 'ROLE_AGENT';
  readonly parts: readonly Part[];
  readonly extensions?: readonly string[];
}

export interface TaskStatus {
  readonly state: TaskState;
  readonly message?: AgentMessage;
  readonly timestamp: string;
}

export interface Artifact {
  readonly artifactId: string;
  readonly name: string;
  readonly parts: readonly Part[];
  readonly extensions?: readonly string[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

export interface Task {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskStatus;
  readonly artifacts?: readonly Artifact[];
  readonly history?: readonly object[];
}

/** What a stream carries (StreamResponse). */
export type TaskEvent =
  | { readonly task: Task }
  | { readonly message: AgentMessage }
  | {
      readonly statusUpdate: { readonly taskId: string; readonly contextId: string; readonly status: TaskStatus };
    }
  | {
      readonly artifactUpdate: {
        readonly taskId: string;
        readonly contextId: string;
        readonly artifact: Artifact;
        readonly lastChunk: true;
      };
    };

const PushAuthentication = z.looseObject({
  scheme: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'is the name of an HTTP scheme'),
  credentials: z
    .string()
    .max(4096)
    .regex(/^[\x20-\x7e]*$/, 'has visible ASCII characters only')
    .optional(),
});

/** Where a task's updates are posted (TaskPushNotificationConfig). */
export const PushConfig = z.looseObject({
  id: z.union([Absent, Id]).optional(),
  url: z.string().min(1).max(2048),
  token: z
    .union([
      Absent,
      z
        .string()
        .max(4096)
        .regex(/^[\x20-\x7e]*$/, 'has visible ASCII characters only'),
    ])
    .optional(),
  authentication: PushAuthentication.optional(),
});
export type PushConfig = z.infer<typeof PushConfig>;

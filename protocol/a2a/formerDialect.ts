/**
 * A2A 0.3 in terms of 1.0 and back: roles, states and the kinds of parts have other names there, and each object names its
 * kind. What has no other name stays as it is.
 */
import type { AgentMessage, Artifact, Part, Task, TaskEvent, TaskState, TaskStatus } from './task.ts';

type Loose = Readonly<Record<string, unknown>>;

const ROLES: Readonly<Record<string, string>> = { user: 'ROLE_USER', agent: 'ROLE_AGENT' };

/** In the metadata of a part of 0.3 whose data are no object in 1.0. */
const IS_WRAPPED = 'data_part_compat';

const FORMER_STATES = {
  TASK_STATE_SUBMITTED: 'submitted',
  TASK_STATE_WORKING: 'working',
  TASK_STATE_COMPLETED: 'completed',
  TASK_STATE_FAILED: 'failed',
  TASK_STATE_CANCELED: 'canceled',
  TASK_STATE_INPUT_REQUIRED: 'input-required',
  TASK_STATE_REJECTED: 'rejected',
  TASK_STATE_AUTH_REQUIRED: 'auth-required',
} as const satisfies Record<TaskState, string>;

/** A message of 0.3 as 1.0 writes it. What is not an object is left for the schema to refuse. */
export function currentMessage(message: unknown): unknown {
  if (!isObject(message)) return message;
  const { kind: _kind, role, parts, ...rest } = message;
  return {
    ...rest,
    role: typeof role === 'string' ? (Object.hasOwn(ROLES, role) ? ROLES[role] : role) : role,
    parts: Array.isArray(parts) ? parts.map(currentPart) : parts,
  };
}

function currentPart(part: unknown): unknown {
  if (!isObject(part)) return part;
  const { kind, file, ...rest } = part;
  if (kind === 'data') return currentData(rest);
  if (kind !== 'file' || !isObject(file)) return rest;
  const { bytes, uri, name, mimeType } = file;
  return defined({ ...rest, raw: bytes, url: uri, filename: name, mediaType: mimeType });
}

function formerMessage(message: object): Loose {
  const { role, parts, ...rest } = message as Loose & { readonly parts: readonly Part[] };
  const former = role === 'ROLE_AGENT' ? 'agent' : 'user';
  return { kind: 'message', ...rest, role: former, parts: parts.map(formerPart) };
}

function formerPart(part: Part): Loose {
  const { text, data, raw, url, mediaType, filename, ...rest } = part;
  if (text !== undefined) return { kind: 'text', text, ...rest };
  if (raw === undefined && url === undefined) return { kind: 'data', ...rest, ...formerData(data, rest.metadata) };
  return { kind: 'file', file: defined({ bytes: raw, uri: url, name: filename, mimeType: mediaType }), ...rest };
}

/** Data of 0.3 are an object: other data are put into one, as A2A's own libraries do it and undo it. */
function formerData(data: unknown, metadata: Loose | undefined): Loose {
  return isObject(data) ? { data } : { data: { value: data }, metadata: { ...metadata, [IS_WRAPPED]: true } };
}

function currentData({ data, metadata, ...rest }: Loose): Loose {
  if (!isObject(data) || !isObject(metadata) || metadata[IS_WRAPPED] !== true)
    return defined({ ...rest, data, metadata });
  const { [IS_WRAPPED]: _isWrapped, ...more } = metadata;
  return { ...rest, data: data['value'], ...(Object.keys(more).length === 0 ? {} : { metadata: more }) };
}

function formerStatus({ state, message, timestamp }: TaskStatus): Loose {
  return defined({ state: FORMER_STATES[state], message: message && formerMessage(message), timestamp });
}

function formerArtifact(artifact: Artifact): Loose {
  return { ...artifact, parts: artifact.parts.map(formerPart) };
}

export function formerTask({ id, contextId, status, artifacts, history }: Task): Loose {
  return defined({
    kind: 'task',
    id,
    contextId,
    status: formerStatus(status),
    artifacts: artifacts?.map(formerArtifact),
    history: history?.map(formerMessage),
  });
}

/** @param isLast whether the stream ends with it, which 0.3 says in the event */
export function formerEvent(event: TaskEvent, isLast: boolean): Loose {
  if ('task' in event) return formerTask(event.task);
  if ('message' in event) return formerMessage(event.message);
  if ('statusUpdate' in event) {
    const { taskId, contextId, status } = event.statusUpdate;
    return { kind: 'status-update', taskId, contextId, status: formerStatus(status), final: isLast };
  }
  const { taskId, contextId, artifact, lastChunk } = event.artifactUpdate;
  return { kind: 'artifact-update', taskId, contextId, artifact: formerArtifact(artifact), append: false, lastChunk };
}

/** A push configuration of 0.3, which names several schemes: the first of them that has a name is used. */
export function currentPush(config: unknown): unknown {
  if (!isObject(config) || !isObject(config['authentication'])) return config;
  const { schemes, credentials } = config['authentication'];
  const scheme = Array.isArray(schemes) ? schemes[0] : undefined;
  return { ...config, authentication: defined({ scheme, credentials }) };
}

export function formerPush(config: Loose): Loose {
  const { taskId, authentication, ...rest } = config;
  const { scheme, credentials } = (authentication ?? {}) as { readonly scheme?: string; readonly credentials?: string };
  const former = scheme === undefined ? undefined : defined({ schemes: [scheme], credentials });
  return { taskId, pushNotificationConfig: defined({ ...rest, authentication: former }) };
}

export function formerAnswer(answer: { readonly task: Task } | { readonly message: AgentMessage }): Loose {
  return 'task' in answer ? formerTask(answer.task) : formerMessage(answer.message);
}

function isObject(value: unknown): value is Loose {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The members that are there. */
function defined(members: Loose): Loose {
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

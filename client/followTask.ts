/** What becomes of a task of standard A2A, until its end: its stream, taken up again wherever the connection broke. */
import { TASK_ENDS } from '../protocol/a2a/taskEnds.ts';
import { FIRST_WAIT_MS, longerWait, pause } from './changes.ts';
import { CountersignError, mediaTypeOf } from './error.ts';
import type { Row } from './operations.ts';
import { randomId } from './randomId.ts';
import type { ClientOptions } from './request.ts';
import { bytesIn, responseTo } from './stream.ts';
import type { Abortable } from './transport.ts';

const ENDPOINT: Row = { method: 'POST', path: '/a2a/v1' };

const ENDS: ReadonlySet<string> = new Set(TASK_ENDS);

/** After these another try may do. */
const PASSING: ReadonlySet<string> = new Set([
  'NETWORK',
  'INVALID_ANSWER',
  'UNAVAILABLE',
  'INTERNAL_ERROR',
  'RATE_LIMITED',
]);

/** A message or an artifact, as A2A 1.0 writes it. */
type Loose = Readonly<Record<string, unknown>>;

interface TaskCondition {
  /** Such as TASK_STATE_AUTH_REQUIRED. */
  readonly state: string;
  readonly message?: Loose;
  readonly timestamp?: string;
}

interface TaskAnswer {
  readonly id: string;
  readonly contextId: string;
  readonly status: TaskCondition;
  readonly artifacts?: readonly Loose[];
  readonly history?: readonly Loose[];
}

/** What is told of a task: how it stands, a new status, or what was made in it. */
export type TaskUpdate =
  | { readonly task: TaskAnswer }
  | { readonly statusUpdate: { readonly taskId: string; readonly contextId: string; readonly status: TaskCondition } }
  | { readonly artifactUpdate: { readonly taskId: string; readonly contextId: string; readonly artifact: Loose } };

interface RpcError {
  readonly message: string;
  readonly data?: readonly { readonly reason?: string }[];
}

/**
 * Yields the task as it stands, then each change, and returns after the one that ends it. Where the connection breaks, or the
 * node stops, it subscribes again, and yields the task as it stands by then.
 * @throws CountersignError where the node refuses the caller or has no such task; a signal's reason once it is aborted
 */
export async function* followTask(
  options: ClientOptions,
  id: string,
  abortable: Abortable = {},
): AsyncGenerator<TaskUpdate> {
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    try {
      for await (const event of changesOf(options, id, abortable)) {
        waitMs = FIRST_WAIT_MS;
        yield event;
        if (endsWith(event)) return;
      }
    } catch (error) {
      abortable.signal?.throwIfAborted();
      if (!isPassing(error)) throw error;
    }
    await pause(waitMs, abortable);
    waitMs = longerWait(waitMs);
  }
}

/** The task as it stands, and what its stream tells, for as long as that holds. */
async function* changesOf(options: ClientOptions, id: string, abortable: Abortable): AsyncGenerator<TaskUpdate> {
  try {
    yield* subscribe(options, id, abortable);
  } catch (error) {
    // There is nothing to subscribe to once a task has ended.
    if (!(error instanceof CountersignError) || error.code !== 'UNSUPPORTED_OPERATION') throw error;
    const response = await ask(options, 'GetTask', id, abortable);
    yield { task: resultIn(await response.text(), response) as TaskAnswer };
  }
}

async function* subscribe(options: ClientOptions, id: string, abortable: Abortable): AsyncGenerator<TaskUpdate> {
  const response = await ask(options, 'SubscribeToTask', id, abortable);
  if (mediaTypeOf(response.headers) !== 'text/event-stream') {
    resultIn(await response.text(), response);
    throw new CountersignError('INVALID_ANSWER', 'The answer is no stream.', { status: response.status });
  }
  const decoder = new TextDecoder();
  let text = '';
  for await (const bytes of bytesIn(response, abortable)) {
    text += decoder.decode(bytes, { stream: true });
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      if (block.startsWith('data: ')) yield resultIn(block.slice('data: '.length), response) as TaskUpdate;
    }
  }
}

function ask(options: ClientOptions, method: string, taskId: string, abortable: Abortable): Promise<Response> {
  const call = { jsonrpc: '2.0', id: randomId(), method, params: { id: taskId } };
  return responseTo(options, ENDPOINT, call, abortable, { 'A2A-Version': '1.0' });
}

/** @throws CountersignError for an error, and INVALID_ANSWER for what no node sends */
function resultIn(text: string, { status }: Response): object {
  let answer: { readonly result?: unknown; readonly error?: RpcError } | null = null;
  try {
    answer = JSON.parse(text);
  } catch {
    // Told below, as for anything else that is no answer.
  }
  const { result, error } = answer ?? {};
  if (typeof error?.message === 'string') {
    throw new CountersignError(error.data?.[0]?.reason ?? 'INVALID_ANSWER', error.message, { status });
  }
  if (typeof result === 'object' && result !== null) return result;
  throw new CountersignError('INVALID_ANSWER', `The answer (status ${status}) is not a node’s.`, { status });
}

function endsWith(event: TaskUpdate): boolean {
  if ('task' in event) return ENDS.has(event.task.status.state);
  return 'statusUpdate' in event && ENDS.has(event.statusUpdate.status.state);
}

function isPassing(error: unknown): boolean {
  if (!(error instanceof CountersignError)) return false;
  const { code, status } = error;
  return PASSING.has(code) && (status < 400 || status >= 500 || status === 429);
}

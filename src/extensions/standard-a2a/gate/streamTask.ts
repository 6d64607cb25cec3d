/**
 * What becomes of a task as server-sent events: the task, then each change in its order, whichever node writes it. A stream that
 * ends before its task says so by an error as its last event: clients of the standard take any other end for the task's.
 */

import type { ServerResponse } from 'node:http';
import type { A2aVersion } from '../../../../protocol/a2a/a2aVersion.ts';
import { formerEvent } from '../../../../protocol/a2a/formerDialect.ts';
import type { Task, TaskEvent } from '../../../../protocol/a2a/task.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Gate } from '../../../gates/shell/gate.ts';
import type { RpcError } from '../../../gates/shell/jsonRpc.ts';
import type { Follower } from '../tasks/progressOfTask.ts';
import { standardError } from './faults.ts';
import { taskCore } from './takeTask.ts';

/** A line that keeps what stands between from closing the connection. */
const COMMENT_SECONDS = 15;
const LONGEST_MS = 20 * 60_000;
/** A reader that takes nothing for so long is cut off: the unread bytes wait in memory, and the connection holds a place. */
const UNREAD_MS = 30_000;

const GO_ON = 'the task goes on, so subscribe to it again, or get it';
const STOPPING = new Fault('UNAVAILABLE', `The node stops; ${GO_ON}.`);
const TIME_IS_UP = new Fault('UNAVAILABLE', `A stream ends after ${LONGEST_MS / 60_000} minutes; ${GO_ON}.`);

export interface Stream {
  readonly id: string | number;
  readonly dialect: A2aVersion;
  readonly taskId: string;
  readonly follower: Follower;
  /** The task, or the message, that it begins with. */
  readonly first: TaskEvent;
  /** For what a message led to: the task as it stands, for a caller that may follow no more streams. */
  readonly asItStands?: { readonly task: Task };
  /** How many events the task had by then. */
  readonly seq: number;
  readonly isOver: boolean;
  /** Whether it ends when it is the caller's turn: a message's stream does, a subscription does not. */
  readonly endsForInput: boolean;
  /** Why it follows its task no further, where that is so from the beginning. */
  readonly refusal?: Fault;
}

export function openStream(response: ServerResponse, headers: Record<string, string>): void {
  response.writeHead(200, {
    ...headers,
    'Content-Type': 'text/event-stream; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Accel-Buffering': 'no',
    'X-Content-Type-Options': 'nosniff',
  });
}

/**
 * Streams until the task ends, the caller goes, the node stops, or the time is up.
 * @param clock milliseconds since any moment, which are never set back
 */
export async function streamTask(
  gate: Gate,
  response: ServerResponse,
  stream: Stream,
  clock: () => number = () => performance.now(),
): Promise<void> {
  const { dialect, taskId, follower, endsForInput, refusal } = stream;
  const until = clock() + LONGEST_MS;
  const write = (event: TaskEvent, isLast: boolean) =>
    put(response, eventOf(stream, { result: spelt(event, dialect, isLast) }));
  await write(stream.first, stream.isOver);
  let { seq, isOver } = stream;
  const follows = () => refusal === undefined && gate.isServing() && clock() < until;
  while (!isOver && !response.destroyed && follows()) {
    const followed = await taskCore(gate).call('followTask', follower, taskId, seq, COMMENT_SECONDS);
    seq = followed.seq;
    isOver = followed.isOver || (endsForInput && isInputAsked(followed.events));
    for (const [at, event] of followed.events.entries()) {
      await write(event, isOver && at === followed.events.length - 1);
    }
    if (followed.events.length === 0 && !response.destroyed) await put(response, ':\n\n');
  }
  if (isOver) response.end();
  else breakStream(response, stream, standardError(refusal ?? (gate.isServing() ? TIME_IS_UP : STOPPING)).error);
}

/** Ends a stream before its task, so that its reader is told an error. */
export function breakStream(response: ServerResponse, stream: Pick<Stream, 'id'>, error: RpcError): void {
  response.end(eventOf(stream, { error }));
}

function eventOf({ id }: Pick<Stream, 'id'>, outcome: object): string {
  return `data: ${JSON.stringify({ jsonrpc: '2.0', id, ...outcome })}\n\n`;
}

function spelt(event: TaskEvent, dialect: A2aVersion, isLast: boolean): object {
  return dialect === '0.3' ? formerEvent(event, isLast) : event;
}

function isInputAsked(events: readonly TaskEvent[]): boolean {
  const last = events.at(-1);
  return last !== undefined && 'statusUpdate' in last && last.statusUpdate.status.state === 'TASK_STATE_INPUT_REQUIRED';
}

/** Waits where the receiver is slower than the sender, so that nothing piles up here; one that does not read is cut off. */
async function put(response: ServerResponse, text: string): Promise<void> {
  if (response.destroyed || response.write(text)) return;
  await new Promise<void>((resolve) => {
    const unread = setTimeout(() => response.destroy(), UNREAD_MS);
    const goOn = () => {
      clearTimeout(unread);
      response.off('drain', goOn).off('close', goOn);
      resolve();
    };
    response.once('drain', goOn).once('close', goOn);
  });
}

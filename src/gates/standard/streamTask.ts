/** What becomes of a task as server-sent events: the task, then each change in its order, whichever node writes it. */

import type { ServerResponse } from 'node:http';
import type { A2aVersion } from '../../../protocol/a2a/a2aVersion.ts';
import { formerEvent } from '../../../protocol/a2a/formerDialect.ts';
import type { TaskEvent } from '../../../protocol/a2a/task.ts';
import type { Follower } from '../../domain/tasks/followTask.ts';
import type { Gate } from '../shell/gate.ts';

/** A line that keeps what stands between from closing the connection. */
const COMMENT_SECONDS = 15;
const LONGEST_MS = 20 * 60_000;
/** A reader that takes nothing for so long is cut off: the unread bytes wait in memory, and the connection holds a place. */
const UNREAD_MS = 30_000;

export interface Stream {
  readonly id: string | number;
  readonly dialect: A2aVersion;
  readonly taskId: string;
  readonly follower: Follower;
  /** The task, or the message, that it begins with. */
  readonly first: TaskEvent;
  /** For what a message led to: the task as it stands, for a caller that may follow no more streams. */
  readonly asItStands?: TaskEvent;
  /** How many events the task had by then. */
  readonly seq: number;
  readonly isOver: boolean;
  /** Whether it ends when it is the caller's turn: a message's stream does, a subscription does not. */
  readonly endsForInput: boolean;
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

/** Streams until the task ends, the caller goes, the node stops, or the time is up. */
export async function streamTask(gate: Gate, response: ServerResponse, stream: Stream): Promise<void> {
  const { id, dialect, taskId, follower, endsForInput } = stream;
  const until = performance.now() + LONGEST_MS;
  const write = (event: TaskEvent, isLast: boolean) =>
    put(response, `data: ${JSON.stringify({ jsonrpc: '2.0', id, result: spelt(event, dialect, isLast) })}\n\n`);
  await write(stream.first, stream.isOver);
  let { seq, isOver } = stream;
  while (!isOver && !response.destroyed && gate.isServing() && performance.now() < until) {
    const followed = await gate.core.call('followTask', follower, taskId, seq, COMMENT_SECONDS);
    seq = followed.seq;
    isOver = followed.isOver || (endsForInput && isInputAsked(followed.events));
    for (const [at, event] of followed.events.entries()) {
      await write(event, isOver && at === followed.events.length - 1);
    }
    if (followed.events.length === 0 && !response.destroyed) await put(response, ':\n\n');
  }
  response.end();
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

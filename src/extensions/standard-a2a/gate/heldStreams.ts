/** How many streams each caller holds open at a gate. Each of them asks the store four times a second, and keeps a connection. */
import type { ServerResponse } from 'node:http';
import { isEnd } from '../../../../protocol/a2a/task.ts';
import { Fault } from '../../../../protocol/wire/fault.ts';
import type { Stream } from './streamTask.ts';

/** As many as of the stream of changes. */
const MOST_STREAMS = 20;

interface HeldStreams {
  /**
   * Takes a place for a stream until its response is closed.
   * @returns the stream; for a message that was carried out, where there is no place left, one that tells how the task stands, and an error
   * unless that is its end
   * @throws Fault RATE_LIMITED for one subscription too many
   */
  admit(stream: Stream, response: ServerResponse): Stream;
}

export function heldStreams(): HeldStreams {
  const open = new Map<string, number>();
  const change = (name: string, by: 1 | -1) => {
    const left = (open.get(name) ?? 0) + by;
    if (left > 0) open.set(name, left);
    else open.delete(name);
  };
  return {
    admit(stream, response) {
      // A connection that is gone already emits no further close.
      if (stream.isOver || response.closed) return stream;
      const { tenantId, kind, id } = stream.follower;
      const name = `${tenantId} ${kind} ${id}`;
      if ((open.get(name) ?? 0) < MOST_STREAMS) {
        change(name, 1);
        response.once('close', () => change(name, -1));
        return stream;
      }
      const refusal = new Fault('RATE_LIMITED', `You have ${MOST_STREAMS} streams open at this gate; close one first.`);
      const { asItStands, endsForInput } = stream;
      if (asItStands === undefined) throw refusal;
      const { state } = asItStands.task.status;
      const isOver = isEnd(state) || (endsForInput && state === 'TASK_STATE_INPUT_REQUIRED');
      return { ...stream, first: asItStands, isOver, refusal };
    },
  };
}

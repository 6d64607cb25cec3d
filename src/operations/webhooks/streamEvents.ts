/**
 * What changes, as server-sent events (WHATWG HTML, section 9.2): every role learns that something changed, and what kind
 * of event it was; who may administer gets the webhook events themselves.
 */
import { setTimeout as pause } from 'node:timers/promises';
import { z } from 'zod';
import { StreamEvents } from '../../../protocol/webhook/subscription.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../access/caller.ts';
import { ChainCursor, type ChainStep, cursorOf, readOn } from '../../domain/evidence/chainTail.ts';
import { eventsOf } from '../../domain/webhooks/eventsOf.ts';
import { ByteStream } from '../../usecase/byteStream.ts';
import type { Deps } from '../../usecase/deps.ts';
import { positionOf } from '../../usecase/list/paging.ts';
import { stillStands } from '../../usecase/standing.ts';
import { inSteps, useCase } from '../../usecase/useCase.ts';

/** A change is to be seen within a second of its commit, on whichever node that was. */
const LOOK_MS = 250;
/** Proxies end what is silent for long; and a reader who is gone is noticed by it. */
const HEARTBEAT_MS = 5000;
/** An access token is renewed more often than this. */
const LONGEST_MS = 20 * 60_000;
/** Each stream asks the store four times a second. */
const MOST_STREAMS = 20;

export const streamEvents = useCase({
  summary: 'Streams what changes, as server-sent events, from the cursor on or from now on.',
  input: StreamEvents,
  output: z.string().describe('`event: change` with the types of what was recorded; `id` is the cursor.'),
  media: ['text/event-stream'],
  endless: true,
  permission: 'read',
  run: inSteps<StreamEvents, ByteStream>(
    async (deps: Pick<Deps, 'memory' | 'settings' | 'stopping' | 'store' | 'suite'>, caller, input) => {
      const place = positionOf(ChainCursor, input.cursor);
      const leave = takePlace(deps, caller);
      return new ByteStream('text/event-stream; charset=utf-8', until(changes(deps, caller, place), leave));
    },
  ),
});

/**
 * Takes a place for a stream when it is admitted: counted later, many that are asked for at once would all find one.
 * @returns gives the place back, once @throws Fault RATE_LIMITED
 */
function takePlace({ memory: { openStreams } }: Pick<Deps, 'memory'>, { kind, id }: Caller): () => void {
  const name = `${kind} ${id}`;
  const held = openStreams.get(name) ?? 0;
  if (held >= MOST_STREAMS) {
    throw new Fault('RATE_LIMITED', `You have ${MOST_STREAMS} streams open at this node; close one first.`);
  }
  openStreams.set(name, held + 1);
  let isHeld = true;
  return () => {
    if (!isHeld) return;
    isHeld = false;
    const left = (openStreams.get(name) ?? 1) - 1;
    if (left > 0) openStreams.set(name, left);
    else openStreams.delete(name);
  };
}

/** Not a generator: of one whose reader goes before the first piece, nothing runs. @param onEnd called however it ends */
function until(pieces: AsyncGenerator<string>, onEnd: () => void): AsyncIterable<string> {
  const next = async () => {
    try {
      const piece = await pieces.next();
      if (piece.done === true) onEnd();
      return piece;
    } catch (error) {
      onEnd();
      throw error;
    }
  };
  const end = () => {
    onEnd();
    return pieces.return(undefined);
  };
  return { [Symbol.asyncIterator]: () => ({ next, return: end }) };
}

async function* changes(
  deps: Pick<Deps, 'settings' | 'stopping' | 'store' | 'suite'>,
  caller: Caller,
  from: ChainCursor | undefined,
): AsyncGenerator<string> {
  const { tenantId } = caller;
  const endsAt = performance.now() + LONGEST_MS;
  let step = await deps.store.read(() => readOn(tenantId, from));
  yield `retry: 1000\nevent: ready\nid: ${cursorOf(step.place)}\ndata: {}\n\n`;
  let silentSince = performance.now();
  while (performance.now() < endsAt) {
    const isDue = performance.now() - silentSince >= HEARTBEAT_MS;
    if (step.rows.length > 0 || isDue) {
      // Each time before anything is told: a logout, like each other end of a caller's access, is recorded too.
      if (!(await deps.store.read((now) => stillStands(caller, now)))) return;
      yield step.rows.length > 0 ? changeOf(deps, caller, step) : ': still here\n\n';
      silentSince = performance.now();
    }
    if (!step.more && !(await paused(deps))) return;
    const { place } = step;
    step = await deps.store.read(() => readOn(tenantId, place));
  }
}

function changeOf(deps: Pick<Deps, 'settings' | 'suite'>, caller: Caller, { rows, place }: ChainStep): string {
  const types = [...new Set(rows.map(({ event_type: type }) => type))];
  const isTold = caller.permissions.has('admin');
  const data = isTold ? { types, events: rows.flatMap((row) => eventsOf(deps, row)) } : { types };
  return `event: change\nid: ${cursorOf(place)}\ndata: ${JSON.stringify(data)}\n\n`;
}

/** False when the node is stopping. */
function paused(deps: Pick<Deps, 'stopping'>): Promise<boolean> {
  return pause(LOOK_MS, true, { signal: deps.stopping }).catch(() => false);
}

/** What changes at a node, as it happens: server-sent events, taken up again wherever the connection broke. */
import { CountersignError } from './error.ts';
import { type Operations, operations, type WebhookEvent } from './operations.ts';
import type { ClientOptions } from './request.ts';
import { piecesOf } from './stream.ts';
import type { Abortable } from './transport.ts';

export interface Change {
  /** Leads to what comes after; undefined where the node told none. */
  readonly cursor: string | undefined;
  /** The types of what was recorded. */
  readonly types: readonly string[];
  /** The webhook events, for who may administer. */
  readonly events?: readonly WebhookEvent[];
}

export const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 15_000;

/**
 * Yields each change, oldest first, and goes on after the last one when the connection breaks. The first thing that it
 * yields has no types: from its cursor on nothing is missed.
 * @throws CountersignError where the node refuses the caller; a signal's reason once it is aborted
 */
export async function* followChanges(
  options: ClientOptions,
  input: Operations['streamEvents']['input'] = {},
  abortable: Abortable = {},
): AsyncGenerator<Change> {
  let { cursor } = input;
  let waitMs = FIRST_WAIT_MS;
  for (;;) {
    try {
      for await (const change of changesOnce(options, cursor, abortable)) {
        cursor = change.cursor ?? cursor;
        waitMs = FIRST_WAIT_MS;
        yield change;
      }
    } catch (error) {
      abortable.signal?.throwIfAborted();
      if (isRefusal(error)) throw error;
    }
    await pause(waitMs, abortable);
    waitMs = longerWait(waitMs);
  }
}

/** What another try would not change. */
function isRefusal(error: unknown): boolean {
  if (!(error instanceof CountersignError)) return true;
  return error.status !== undefined && error.status >= 400 && error.status < 500 && error.status !== 429;
}

async function* changesOnce(
  options: ClientOptions,
  cursor: string | undefined,
  abortable: Abortable,
): AsyncGenerator<Change> {
  let text = '';
  for await (const piece of piecesOf(
    options,
    operations.streamEvents,
    cursor === undefined ? {} : { cursor },
    abortable,
  )) {
    text += piece;
    const blocks = text.split('\n\n');
    text = blocks.pop() ?? '';
    for (const block of blocks) {
      const change = changeIn(block);
      if (change !== undefined) yield change;
    }
  }
}

/** @param block the lines of one event; a comment is no event */
function changeIn(block: string): Change | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const [, name, value] = /^(\w+): ?(.*)$/.exec(line) ?? [];
    if (name !== undefined && value !== undefined) fields.set(name, value);
  }
  const data = fields.get('data');
  if (data === undefined) return undefined;
  return { types: [], ...membersIn(data), cursor: fields.get('id') };
}

/** @throws CountersignError INVALID_ANSWER for what no node sends: a proxy between has cut it, or answers itself */
function membersIn(data: string): Partial<Change> {
  try {
    const members: unknown = JSON.parse(data);
    if (typeof members === 'object' && members !== null) return members;
  } catch {
    // Told below, as for anything else that is no change.
  }
  throw new CountersignError('INVALID_ANSWER', 'What came is no change of a node.', { status: 200 });
}

/** The wait after the given one. */
export function longerWait(ms: number): number {
  return Math.min(ms * 2, LONGEST_WAIT_MS);
}

/** @throws a signal's reason once it is aborted */
export function pause(ms: number, { signal }: Abortable): Promise<void> {
  return new Promise((resolve, reject) => {
    const end = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', abort);
    };
    const abort = () => {
      end();
      reject(signal?.reason);
    };
    const timer = setTimeout(() => {
      end();
      resolve();
    }, ms);
    signal?.addEventListener('abort', abort);
  });
}

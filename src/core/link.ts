/**
 * Messages between two threads: each asks the other by name. What is said in one turn of the event loop shares
 * messages, of a few items each.
 */
import { deserializeError, type SerializedError, serializeError } from './serveRequest.ts';

/**
 * A message is sent at the end of the turn, or as soon as it has so many items. A turn may read as many requests as there are
 * connections: the core begins with the first of them while the gate still reads the others.
 */
export const MOST_ITEMS = 8;

type Item =
  | readonly ['ask', id: number, name: string, given: readonly unknown[]]
  | readonly ['answer', id: number, result: unknown]
  | readonly ['throw', id: number, error: SerializedError];

/** One end of a way for messages between two threads; what is sent arrives in order, as a copy. */
export interface ThreadChannel {
  send(items: readonly Item[]): void;
  onMessage(take: (items: readonly Item[]) => void): void;
}

interface PendingRequest {
  resolve(result: unknown): void;
  reject(error: Error): void;
}

export interface ThreadLink {
  /** @throws what the other end throws, and an error once it is lost */
  ask(name: string, ...given: readonly unknown[]): Promise<unknown>;
  /** The other end will answer nothing more. */
  lose(cause: Error): void;
}

/** @param channel to the other end @param answer what the other end asks, by name */
export function linkOver(
  channel: ThreadChannel,
  answer: (name: string, given: readonly unknown[]) => Promise<unknown>,
): ThreadLink {
  const waiting = new Map<number, PendingRequest>();
  let lastId = 0;
  let lost: Error | undefined;
  let outgoing: Item[] = [];

  function say(item: Item): void {
    outgoing.push(item);
    if (outgoing.length === MOST_ITEMS) flush();
    else if (outgoing.length === 1) setImmediate(flush);
  }

  function flush(): void {
    if (outgoing.length === 0) return;
    const items = outgoing;
    outgoing = [];
    channel.send(items);
  }

  async function answerTo(id: number, name: string, given: readonly unknown[]): Promise<void> {
    try {
      say(['answer', id, await answer(name, given)]);
    } catch (error) {
      say(['throw', id, serializeError(error)]);
    }
  }

  function settle(id: number): PendingRequest | undefined {
    const asked = waiting.get(id);
    waiting.delete(id);
    return asked;
  }

  channel.onMessage((items) => {
    for (const item of items) {
      if (item[0] === 'ask') void answerTo(item[1], item[2], item[3]);
      else if (item[0] === 'answer') settle(item[1])?.resolve(item[2]);
      else settle(item[1])?.reject(deserializeError(item[2]));
    }
  });

  return {
    ask(name, ...given) {
      return new Promise((resolve, reject) => {
        if (lost !== undefined) return reject(lost);
        lastId += 1;
        waiting.set(lastId, { resolve, reject });
        say(['ask', lastId, name, given]);
      });
    },
    lose(cause) {
      lost = cause;
      for (const { reject } of waiting.values()) reject(cause);
      waiting.clear();
    },
  };
}

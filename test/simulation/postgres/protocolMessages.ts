/**
 * What passes between a node and PostgreSQL, message by message, as far as a world has to understand it: where one ends, which
 * ask for an answer, and what the server says of itself (https://www.postgresql.org/docs/current/protocol-message-formats.html).
 */

export interface Message {
  /** The letter that it begins with; empty for the first one of a connection, which has none. */
  readonly kind: string;
  readonly bytes: Buffer;
}

const LENGTH_BYTES = 4;

/** Cuts what passes in one direction into its messages, however it arrives. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  #isFirst: boolean;

  /** @param from who sends: only a node's first message has no letter */
  constructor(from: 'node' | 'server') {
    this.#isFirst = from === 'node';
  }

  /** @returns the messages that are whole by now */
  read(bytes: Buffer): Message[] {
    this.#rest = this.#rest.length === 0 ? bytes : Buffer.concat([this.#rest, bytes]);
    const messages: Message[] = [];
    for (;;) {
      const head = this.#isFirst ? 0 : 1;
      if (this.#rest.length < head + LENGTH_BYTES) return messages;
      const length = head + this.#rest.readUInt32BE(head);
      if (this.#rest.length < length) return messages;
      messages.push({ kind: this.#rest.toString('latin1', 0, head), bytes: this.#rest.subarray(0, length) });
      this.#rest = this.#rest.subarray(length);
      this.#isFirst = false;
    }
  }
}

/** Whether the server says once that it is ready again, after it has done what a message of a node asks for. */
export function isAnsweredByReady({ kind }: Message): boolean {
  return kind === '' || kind === 'Q' || kind === 'S';
}

/** Whether a message of a node has the server execute something. */
export function isExecuted({ kind }: Message): boolean {
  return kind === 'Q' || kind === 'E';
}

/** Whether a connection that is ready is in a transaction. */
export function isInTransaction({ bytes }: Message): boolean {
  return bytes.toString('latin1', 5, 6) !== 'I';
}

/** The process that serves a connection, as the server names it. */
export function processOf({ bytes }: Message): number {
  return bytes.readInt32BE(5);
}

/** An error under another SQLSTATE, where it is the one that was expected. */
export function withState(message: Message, expected: string, state: string): Message {
  const text = message.bytes.toString('latin1');
  if (!text.includes(`\0C${expected}\0`)) return message;
  return { ...message, bytes: Buffer.from(text.replace(`\0C${expected}\0`, `\0C${state}\0`), 'latin1') };
}

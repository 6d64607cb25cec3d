/**
 * The connections of a server: how many there may be, and how they end when the node stops, each with the answer that is
 * under way on it.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { peerSubject, type TrustedProxies } from '../../../access/clientAddress.ts';
import { takeTurns } from './turns.ts';

interface Connections {
  /** Has a request answered at its turn. @param answer begins to, and gives what is to be called when the response is closed */
  take(request: IncomingMessage, response: ServerResponse, answer: () => () => void): void;
  /**
   * Takes what has reached this machine, then no more connections, and lets requests in flight end. What is left at the limit is cut
   * off.
   */
  drain(limitMs: number): Promise<void>;
}

interface Limits {
  readonly maxSockets: number;
  readonly maxSocketsPerAddress: number;
  /** They bring the connections of many clients, and are counted among all alone. */
  readonly proxies: TrustedProxies;
}

/** What the node waits for on a connection: a request, or, where there is one, the rest of its body. */
interface Wait {
  /** Milliseconds by this process's steady clock. */
  readonly since: number;
  readonly request?: IncomingMessage;
}

/** Where no place is left, a connection that has not brought a whole request for so long gives its own to a new one. */
const HELD_MS = 1000;

/** What all connections together may leave unread, and how often that is looked at. */
const ALL_UNSENT = 64 * 1024 * 1024;
const SWEEP_MS = 250;

/** A node that stops takes connections and requests until as many rounds of the event loop have brought none, or the time is up. */
const QUIET_ROUNDS = 5;
const MOST_TAKING_MS = 1000;

/** Where too much waits to be read, the connections that have left the most are closed, WebSockets among them. */
function endUnread(sockets: Iterable<Socket>): void {
  const unread = [...sockets].filter(({ writableLength }) => writableLength > 0);
  let bytes = unread.reduce((sum, { writableLength }) => sum + writableLength, 0);
  if (bytes <= ALL_UNSENT) return;
  for (const socket of unread.sort((one, other) => other.writableLength - one.writableLength)) {
    if (bytes <= ALL_UNSENT) return;
    bytes -= socket.writableLength;
    socket.destroy();
  }
}

/** The open connections, each with its place. */
class Places {
  readonly #limits: Limits;
  /** How each gives its place back. */
  readonly #open = new Map<Socket, () => void>();
  /** The longest waiting first. A connection that became a WebSocket is not among them. */
  readonly #waits = new Map<Socket, Wait>();
  readonly #perAddress = new Map<string, number>();

  constructor(limits: Limits) {
    this.#limits = limits;
  }

  get sockets(): Iterable<Socket> {
    return this.#open.keys();
  }

  /** @returns false where there is no place for a new connection */
  take(socket: Socket): boolean {
    const { proxies, maxSockets, maxSocketsPerAddress } = this.#limits;
    const subject = peerSubject(socket.remoteAddress, proxies);
    const held = subject === undefined ? 0 : (this.#perAddress.get(subject) ?? 0);
    if (held >= maxSocketsPerAddress || (this.#open.size >= maxSockets && !this.#makeRoom())) return false;
    if (subject !== undefined) this.#perAddress.set(subject, held + 1);
    const release = () => {
      if (this.#open.delete(socket)) this.#release(socket, subject);
    };
    this.#open.set(socket, release);
    socket.once('close', release);
    this.waitOn(socket);
    return true;
  }

  #release(socket: Socket, subject: string | undefined): void {
    this.#waits.delete(socket);
    if (subject === undefined) return;
    const left = (this.#perAddress.get(subject) ?? 1) - 1;
    if (left === 0) this.#perAddress.delete(subject);
    else this.#perAddress.set(subject, left);
  }

  /** Notes that the node waits on a connection, from now on. */
  waitOn(socket: Socket, request?: IncomingMessage): void {
    this.#waits.delete(socket);
    if (!this.#open.has(socket)) return;
    this.#waits.set(socket, { since: performance.now(), ...(request === undefined ? {} : { request }) });
  }

  /** Notes that the node waits for the next request, unless another came while this one was being answered. */
  answered(socket: Socket, request: IncomingMessage): void {
    if (this.#waits.get(socket)?.request === request) this.waitOn(socket);
  }

  /** A connection that became a WebSocket keeps its place. */
  keep(socket: Socket): void {
    this.#waits.delete(socket);
  }

  /** Ends the connection that has kept the node waiting for longest. @returns false where none has for long */
  #makeRoom(): boolean {
    for (const [socket, { since, request }] of this.#waits) {
      if (performance.now() - since < HELD_MS) return false;
      // A request that came whole is being answered.
      if (request?.complete === true) continue;
      this.#open.get(socket)?.();
      socket.destroy();
      return true;
    }
    return false;
  }
}

/** @param server before its first connection */
export function watchConnections(server: Server, limits: Limits): Connections {
  const places = new Places(limits);
  const unanswered = new OpenRequests();
  let arrivals = 0;
  server.on('connection', (socket: Socket) => {
    arrivals += 1;
    if (!places.take(socket)) turnAway(socket);
  });
  server.on('upgrade', ({ socket }: IncomingMessage) => places.keep(socket));
  const turns = takeTurns();
  const sweep = setInterval(() => endUnread(places.sockets), SWEEP_MS);
  sweep.unref();
  server.once('close', () => clearInterval(sweep));
  return {
    take(request, response, answer) {
      arrivals += 1;
      const { socket } = request;
      places.waitOn(socket, request);
      unanswered.add(socket, response);
      turns.take(request, response, () => {
        const answered = answer();
        return () => {
          unanswered.delete(socket, response);
          places.answered(socket, request);
          answered();
        };
      });
    },
    async drain(limitMs) {
      unanswered.sayLast();
      await takeWaiting(() => arrivals);
      return new Promise((resolve) => {
        const limit = setTimeout(() => {
          for (const socket of places.sockets) socket.destroy();
        }, limitMs);
        server.close(() => {
          clearTimeout(limit);
          resolve();
        });
        // The server closes those that idle between requests; those that have sent nothing yet it takes for busy.
        for (const socket of places.sockets) if (socket.bytesRead === 0) socket.destroy();
      });
    },
  };
}

/**
 * Connections wait in the queue of the listener, and requests in sockets, until the event loop comes to them: it takes one connection a
 * round. Whose bytes were here before the node was told to stop is answered.
 * @param arrivals how many connections and requests have come
 */
async function takeWaiting(arrivals: () => number): Promise<void> {
  const until = performance.now() + MOST_TAKING_MS;
  for (let quiet = 0, seen = arrivals(); quiet < QUIET_ROUNDS && performance.now() < until; quiet += 1) {
    await setImmediate();
    if (arrivals() !== seen) quiet = -1;
    seen = arrivals();
  }
}

/** The requests that have no answer yet, by their connection and in the order in which they came. */
class OpenRequests {
  readonly #responses = new Map<Socket, Set<ServerResponse>>();
  #isLast = false;

  add(socket: Socket, response: ServerResponse): void {
    const before = this.#responses.get(socket);
    if (before === undefined) {
      this.#responses.set(socket, new Set([response]));
      socket.once('close', () => this.#responses.delete(socket));
    } else {
      // It is not the last one after all.
      if (this.#isLast) for (const each of before) if (!each.headersSent) each.removeHeader('Connection');
      before.add(response);
    }
    if (this.#isLast) sayLast(response);
  }

  delete(socket: Socket, response: ServerResponse): void {
    const left = this.#responses.get(socket);
    left?.delete(response);
    // An answer that had begun before could not say that it is the last one.
    if (this.#isLast && left?.size === 0) socket.destroySoon();
  }

  /** From now on the last answer of each connection says so: a caller that keeps it would lose its next request on it. */
  sayLast(): void {
    this.#isLast = true;
    for (const responses of this.#responses.values()) {
      const last = [...responses].at(-1);
      if (last !== undefined) sayLast(last);
    }
  }
}

const FULL = JSON.stringify({
  error: {
    code: 'UNAVAILABLE',
    message: 'Too many connections are open to this node; close some, or try again later.',
  },
});
const FULL_ANSWER =
  'HTTP/1.1 503 Service Unavailable\r\nContent-Type: application/json\r\nRetry-After: 1\r\nConnection: close\r\n' +
  `Content-Length: ${Buffer.byteLength(FULL)}\r\n\r\n${FULL}`;

/** Answered before a request is read, so that it costs next to nothing. */
function turnAway(socket: Socket): void {
  socket.on('error', () => {});
  socket.write(FULL_ANSWER, () => socket.destroy());
}

function sayLast(response: ServerResponse): void {
  if (!response.headersSent) response.setHeader('Connection', 'close');
}

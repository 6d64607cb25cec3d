/**
 * One connection of a node to PostgreSQL: a real socket of the server, and between it and the node the world, in whose time bytes
 * are on their way, are lost with a process that is killed, and end with a connection that is cut.
 */
import { connect, type Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { Owner, Scheduled } from '../machine/eventLoop.ts';
import type { DatabaseServer } from './databaseServer.ts';
import {
  isAnsweredByReady,
  isExecuted,
  isInTransaction,
  type Message,
  MessageReader,
  processOf,
  withState,
} from './protocolMessages.ts';
import type { ServerLimits } from './simulatedPostgres.ts';

/** After so long a system gives up a connection on which nothing comes through. */
const GIVEN_UP_MS = 15 * 60_000;
const NO_IDLE_LIMIT = 'idle_in_transaction_session_timeout = 0';

export class Link extends Duplex {
  /** Whose connection it is. */
  readonly owner: Owner;
  readonly limits: ServerLimits;
  /** The process of the server that serves it; undefined before it is known. */
  process: number | undefined;
  /** Whether the server waits for a lock that another session holds, as far as is known. */
  isBlocked = false;
  /** How often the server has become ready. */
  answers = 0;
  /** The number of answers after which it was found to wait for a lock the last time. */
  blockedAfter: number | undefined;
  readonly #server: DatabaseServer;
  readonly #wire: Owner;
  readonly #fromNode = new MessageReader('node');
  readonly #fromServer = new MessageReader('server');
  #socket: Socket | undefined;
  #isConnecting = false;
  /** How often the server has to become ready until it has done all that was asked. */
  #awaited = 0;
  #outAt = 0;
  #inAt = 0;
  /** Nothing passes any more, and neither end is told. */
  #isLost = false;
  #hasIdleLimit = true;
  #idle: Scheduled | undefined;
  /** The SQLSTATE of an error that the world causes, and the one that the server's own limit gives. */
  #renamed: { readonly from: string; readonly to: string } | undefined;

  constructor(server: DatabaseServer, owner: Owner, limits: ServerLimits) {
    super({ allowHalfOpen: true });
    this.owner = owner;
    this.limits = limits;
    this.#server = server;
    this.#wire = server.loop.newOwner('the database’s network');
    this.on('error', () => {});
  }

  /** Whether the server has something to do for it. */
  get isAwaited(): boolean {
    return this.#isConnecting || this.#awaited > 0;
  }

  get isOpen(): boolean {
    return this.#socket !== undefined && !this.#socket.destroyed;
  }

  connect(port: number, host: string): this {
    this.#send(() => {
      if (this.#server.isDown) {
        this.#arrive(() => this.destroy(Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' })));
        return;
      }
      this.#isConnecting = true;
      this.#socket = connect({ port, host, noDelay: true });
      this.#listen(this.#socket);
      this.#server.opened(this);
    });
    return this;
  }

  /** Nothing passes any more in either direction, and neither side learns of it before its system gives up. */
  lose(): void {
    this.#isLost = true;
    this.#server.loop.schedule(this.#wire, GIVEN_UP_MS, 'given up', () => this.reset());
  }

  /** Both sides learn at once that the connection is broken; what is on its way is lost. */
  reset(): void {
    this.#isLost = true;
    this.#socket?.destroy();
    this.#server.loop.schedule(this.owner, 0, 'reset', () =>
      this.destroy(Object.assign(new Error('read ECONNRESET'), { code: 'ECONNRESET' })),
    );
  }

  /** Its process is gone. @param isAtOnce whether what it sent last is lost as well */
  abandon(isAtOnce: boolean): void {
    if (isAtOnce) this.#isLost = true;
    this.#send(() => {}, true);
  }

  /** What the server is told to do next fails with one SQLSTATE, and the node reads the other. */
  rename(from: string, to: string): void {
    this.#renamed = { from, to };
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    this.#send(() => this.#forward(bytes));
    done();
  }

  override _writev(chunks: readonly { readonly chunk: Buffer }[], done: () => void): void {
    const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk));
    this.#send(() => this.#forward(bytes));
    done();
  }

  override _final(done: () => void): void {
    this.#send(() => this.#socket?.end());
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    this.#send(() => {}, true);
    done(error);
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  /** Does something at the server, after all before it. @param isEnd whether the connection ends with it, also a lost one */
  #send(act: () => void, isEnd = false): void {
    const { loop } = this.#server;
    this.#outAt = Math.max(this.#outAt, loop.now + this.#server.delay(), this.#server.stalledUntil(this.owner));
    loop.schedule(this.#wire, this.#outAt - loop.now, 'to the server', () => {
      if (!this.#isLost) act();
      if (isEnd) this.#socket?.destroy();
    });
  }

  /** Has something happen at the node, after all before it. */
  #arrive(act: () => void): void {
    const { loop } = this.#server;
    this.#inAt = Math.max(this.#inAt, loop.now + this.#server.delay(), this.#server.stalledUntil(this.owner));
    loop.schedule(this.owner, this.#inAt - loop.now, 'from the server', () => {
      if (!this.#isLost) act();
    });
  }

  /** As many messages as leave the node before its process ends. */
  #forward(bytes: Buffer): void {
    // What comes after the connection has ended is dropped.
    if (!this.isOpen) return;
    const messages = this.#fromNode.read(bytes);
    const isEnd = (message: Message) => !this.owner.dead && isExecuted(message) && this.#endsHere();
    const end = messages.findIndex(isEnd);
    this.#write(end < 0 ? messages : messages.slice(0, end));
    if (end >= 0 && !this.owner.dead) this.reset();
  }

  #write(sent: readonly Message[]): void {
    if (sent.length === 0) return;
    this.#awaited += sent.filter(isAnsweredByReady).length;
    if (sent.some(({ bytes: each }) => each.includes(NO_IDLE_LIMIT))) this.#hasIdleLimit = false;
    if (this.#idle !== undefined) this.#idle.cancelled = true;
    this.#server.sends(this);
    this.#socket?.write(Buffer.concat(sent.map((message) => message.bytes)));
  }

  /** Whether the process or this connection ends at what passes now. */
  #endsHere(): boolean {
    return this.#server.endsAt(this.owner) || this.#server.cutsAt(this.owner);
  }

  #listen(socket: Socket): void {
    socket.on('connect', () => {
      this.#isConnecting = false;
      this.#server.hears();
      this.#arrive(() => this.emit('connect'));
    });
    socket.on('data', (bytes) => {
      const messages = this.#fromServer.read(bytes).map((message) => this.#understand(message));
      this.#server.hears();
      const parts = this.#server.cutInTwo(messages);
      for (const part of parts) this.#bring(part);
    });
    socket.on('error', () => {});
    socket.on('close', () => {
      this.#isConnecting = false;
      this.#awaited = 0;
      this.#server.closed(this);
      this.#arrive(() => {
        this.push(null);
        this.destroy();
      });
    });
  }

  #bring(messages: readonly Message[]): void {
    if (messages.length === 0) return;
    this.#arrive(() => {
      // The server has done it, and the node does not learn so.
      if (messages.some(isReady) && this.#endsHere()) {
        if (!this.owner.dead) this.reset();
        return;
      }
      this.push(Buffer.concat(messages.map(({ bytes }) => bytes)));
    });
  }

  #understand(message: Message): Message {
    if (message.kind === 'K') this.process = processOf(message);
    if (isReady(message)) {
      this.#awaited = Math.max(0, this.#awaited - 1);
      this.answers += 1;
      if (!isInTransaction(message)) this.#hasIdleLimit = true;
      else if (this.#awaited === 0) this.#limitIdleness();
    }
    if (message.kind !== 'E' || this.#renamed === undefined) return message;
    return withState(message, this.#renamed.from, this.#renamed.to);
  }

  /** PostgreSQL ends a session that says nothing within its transaction. */
  #limitIdleness(): void {
    if (this.limits.idleInTransaction === 0 || !this.#hasIdleLimit) return;
    this.#idle = this.#server.loop.schedule(this.#wire, this.limits.idleInTransaction, 'idle in transaction', () => {
      this.rename('57P01', '25P03');
      this.#server.endSession(this);
    });
  }
}

function isReady({ kind }: Message): boolean {
  return kind === 'Z';
}

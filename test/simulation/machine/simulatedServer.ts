/** The real HTTP server of Node, whose connections are pairs of streams in memory. */
import { Server } from 'node:http';
import { Duplex } from 'node:stream';

export class SimulatedServer extends Server {
  readonly #begin: (server: SimulatedServer) => void;
  readonly #open = new Set<Wire>();
  #closed: (() => void) | undefined;
  #isClosed = false;
  /** Where it listens. */
  port = 0;

  /** @param begin told when it listens */
  constructor(begin: (server: SimulatedServer) => void) {
    super();
    this.#begin = begin;
  }

  override listen(...given: unknown[]): this {
    const [port] = given;
    const done = given.find((each) => typeof each === 'function') as (() => void) | undefined;
    this.port = typeof port === 'number' ? port : 0;
    this.#begin(this);
    if (done !== undefined) process.nextTick(done);
    return this;
  }

  override address(): { port: number; family: string; address: string } {
    return { port: this.port, family: 'IPv4', address: '127.0.0.1' };
  }

  override close(done?: (error?: Error) => void): this {
    this.#isClosed = true;
    this.#closed = done;
    this.#tellIfClosed();
    return this;
  }

  override closeAllConnections(): void {
    for (const wire of this.#open) wire.destroy();
  }

  override closeIdleConnections(): void {}

  get takesConnections(): boolean {
    return !this.#isClosed;
  }

  /**
   * @param answered given all bytes that the server sent; undefined where the connection broke before its end
   * @param sent told of the bytes as they are sent, where the caller streams
   */
  connect(from: string, answered: (bytes: Buffer | undefined) => void, sent?: (bytes: Buffer) => void): Wire {
    const ended = (bytes: Buffer | undefined) => {
      this.#open.delete(wire);
      this.#tellIfClosed();
      answered(bytes);
    };
    const wire = new Wire(from, ended, sent);
    this.#open.add(wire);
    this.emit('connection', wire);
    return wire;
  }

  #tellIfClosed(): void {
    if (!this.#isClosed || this.#open.size > 0) return;
    const done = this.#closed;
    this.#closed = undefined;
    done?.();
  }
}

/** One connection, as the server sees it: what Node's server asks of a socket. */
export class Wire extends Duplex {
  readonly remoteAddress: string;
  bytesRead = 0;
  readonly #sent: Buffer[] = [];
  #finished = false;
  readonly #ended: (bytes: Buffer | undefined) => void;
  readonly #tell: ((bytes: Buffer) => void) | undefined;

  constructor(from: string, ended: (bytes: Buffer | undefined) => void, tell?: (bytes: Buffer) => void) {
    super({ allowHalfOpen: true });
    this.remoteAddress = from;
    this.#ended = ended;
    this.#tell = tell;
    this.on('error', () => {});
  }

  /** Bytes from the client; null ends its side. */
  bring(bytes: Buffer | null): void {
    if (this.destroyed) return;
    this.bytesRead += bytes?.length ?? 0;
    this.push(bytes);
  }

  override _read(): void {}

  override _write(bytes: Buffer, _encoding: string, done: () => void): void {
    if (this.#tell === undefined) this.#sent.push(bytes);
    else this.#tell(bytes);
    done();
  }

  override _final(done: () => void): void {
    this.#finished = true;
    done();
  }

  override _destroy(error: Error | null, done: (error: Error | null) => void): void {
    done(error);
    this.#ended(this.#finished ? Buffer.concat(this.#sent) : undefined);
  }

  destroySoon(): void {
    if (this.writable) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  setTimeout(): this {
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }
}

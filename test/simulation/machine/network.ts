/** The network between actors and nodes: slow, and as the weather is, it loses, doubles and delays. */
import type { Chance } from './chance.ts';
import type { EventLoop, Owner } from './eventLoop.ts';
import type { Wire } from './simulatedServer.ts';
import type { Site } from './site.ts';

/** How often each thing happens, in a thousand messages. */
export interface Weather {
  requestLost: number;
  requestTwice: number;
  answerLost: number;
  /** Delayed by up to a minute. */
  late: number;
}

export const FAIR: Weather = { requestLost: 0, requestTwice: 0, answerLost: 0, late: 0 };

export interface HttpRequest {
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface HttpReply {
  readonly status: number;
  readonly text: string;
}

/** What a client gets: the reply, or why there is none. */
export type Exchanged = HttpReply | { readonly why: string };

const PATIENCE_MS = 30_000;
/** The longest delay of a message. */
export const LATE_MS = 60_000;

export class Network {
  readonly #loop: EventLoop;
  readonly #chance: Chance;
  readonly #site: Site;
  weather: Weather = FAIR;

  constructor(loop: EventLoop, chance: Chance, site: Site) {
    this.#loop = loop;
    this.#chance = chance;
    this.#site = site;
  }

  /** How long one message is on its way, in milliseconds. */
  delay(): number {
    const { late } = this.weather;
    return this.#chance.permille(late) ? this.#chance.below(LATE_MS) : 0.2 + 4 * this.#chance.fraction() ** 3;
  }

  /** Never rejects. It takes 30 seconds at most. */
  exchange(from: Owner, place: number, request: HttpRequest): Promise<Exchanged> {
    return new Promise((resolve) => {
      let done = false;
      const end = (outcome: Exchanged, afterMs: number) => {
        this.#loop.schedule(from, afterMs, 'answer', () => {
          if (done) return;
          done = true;
          limit.cancelled = true;
          resolve(outcome);
        });
      };
      const limit = this.#loop.schedule(from, PATIENCE_MS, 'no answer', () => {
        done = true;
        resolve({ why: 'no answer within 30 s' });
      });
      const { weather } = this;
      const times = this.#chance.permille(weather.requestLost)
        ? 0
        : this.#chance.permille(weather.requestTwice)
          ? 2
          : 1;
      for (let time = 0; time < times; time++) this.#bring(place, request, end);
    });
  }

  /**
   * A connection that stays: bytes arrive in their order, or the connection breaks.
   * @param told given what the node sent; undefined once the connection is over
   * @returns what sends bytes, and null to break the connection
   */
  open(from: Owner, place: number, told: (bytes: Buffer | undefined) => void): (bytes: Buffer | null) => void {
    const arrival = this.#loop.newOwner('the network');
    const last = { there: 0, here: 0 };
    let wire: Wire | undefined;
    let isOver = false;
    const later = (owner: Owner, way: 'there' | 'here', run: () => void) => {
      last[way] = Math.max(last[way], this.#loop.now + this.delay());
      this.#loop.schedule(owner, last[way] - this.#loop.now, way, run);
    };
    const end = () =>
      later(from, 'here', () => {
        if (!isOver) told(undefined);
        isOver = true;
      });
    later(arrival, 'there', () => {
      const life = this.#site.life(place);
      if (life?.server?.takesConnections !== true) {
        end();
        return;
      }
      this.#loop.current = life.owner;
      const sent = (bytes: Buffer) =>
        later(from, 'here', () => {
          if (!isOver && !life.owner.dead) told(bytes);
        });
      wire = life.server.connect('192.0.2.1', end, sent);
    });
    return (bytes) =>
      later(arrival, 'there', () => {
        const life = this.#site.life(place);
        if (wire === undefined || life === undefined) return;
        this.#loop.current = life.owner;
        if (bytes === null || this.#chance.permille(this.weather.requestLost)) wire.destroy();
        else wire.bring(bytes);
      });
  }

  #bring(place: number, request: HttpRequest, end: (outcome: Exchanged, afterMs: number) => void): void {
    const arrival = this.#loop.newOwner('the network');
    this.#loop.schedule(arrival, this.delay(), 'arrival', () => {
      const life = this.#site.life(place);
      if (life?.server?.takesConnections !== true) {
        end({ why: 'connection refused' }, this.delay());
        return;
      }
      // From here on the node acts.
      this.#loop.current = life.owner;
      const wire = life.server.connect('192.0.2.1', (bytes) => {
        const reply = bytes === undefined || life.owner.dead ? undefined : replyOf(bytes);
        if (reply === undefined) end({ why: 'connection broken' }, this.delay());
        else if (!this.#chance.permille(this.weather.answerLost)) end(reply, this.delay());
      });
      wire.bring(bytesOf(request));
    });
  }
}

function bytesOf({ method, path, headers, body = '' }: HttpRequest): Buffer {
  const given = {
    Host: 'node.example',
    Connection: 'close',
    'Content-Length': String(Buffer.byteLength(body)),
    ...headers,
  };
  const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.from(`${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n${body}`);
}

/** @returns undefined where the answer is not whole */
function replyOf(bytes: Buffer): HttpReply | undefined {
  const end = bytes.indexOf('\r\n\r\n');
  if (end < 0) return undefined;
  const head = bytes.toString('latin1', 0, end);
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  const body = bytes.subarray(end + 4);
  const length = /\r\ncontent-length: (\d+)/i.exec(head)?.[1];
  if (length !== undefined) return body.length < Number(length) ? undefined : { status, text: body.toString('utf8') };
  if (!/\r\ntransfer-encoding: chunked/i.test(head)) return { status, text: body.toString('utf8') };
  const whole = joinChunks(body);
  return whole && { status, text: whole.toString('utf8') };
}

/** @returns undefined where the last chunk is missing */
function joinChunks(body: Buffer): Buffer | undefined {
  const chunks: Buffer[] = [];
  for (let at = 0; ; ) {
    const line = body.indexOf('\r\n', at);
    if (line < 0) return undefined;
    const size = Number.parseInt(body.toString('latin1', at, line), 16);
    if (size === 0) return Buffer.concat(chunks);
    if (!(size > 0) || line + 2 + size > body.length) return undefined;
    chunks.push(body.subarray(line + 2, line + 2 + size));
    at = line + 2 + size + 2;
  }
}

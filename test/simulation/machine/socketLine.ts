/** A client's end of a WebSocket (RFC 6455) over a connection of the world's network: text frames, pings, and the end. */

import { UNHEARD } from '../history.ts';
import type { Chance } from './chance.ts';
import type { EventLoop, Owner } from './eventLoop.ts';
import type { Exchanged, Network } from './network.ts';

/** Longer than the longest delays there and back, and than a node takes: no frame is lost on a connection that stays. */
const PATIENCE_MS = 180_000;
const TEXT = 0x1;
const CLOSE = 0x8;
const PING = 0x9;
const PONG = 0xa;

export interface LineOptions {
  readonly network: Network;
  readonly loop: EventLoop;
  readonly owner: Owner;
  /** Keys and masks. */
  readonly chance: Chance;
  readonly place: number;
  readonly path: string;
  readonly headers?: Readonly<Record<string, string>>;
}

export class SocketLine {
  readonly #options: LineOptions;
  readonly #send: (bytes: Buffer | null) => void;
  readonly #waiting = new Map<string, (outcome: Exchanged) => void>();
  #bytes = Buffer.alloc(0);
  #isOpen = false;
  #isOver = false;
  #toSend: Buffer[] = [];

  constructor(options: LineOptions) {
    this.#options = options;
    const { network, owner, place, path, headers = {}, chance } = options;
    this.#send = network.open(owner, place, (bytes) => this.#take(bytes));
    const given = {
      Host: 'node.example',
      Connection: 'Upgrade',
      Upgrade: 'websocket',
      'Sec-WebSocket-Version': '13',
      'Sec-WebSocket-Key': chance.bytes(16).toString('base64'),
      ...headers,
    };
    const lines = Object.entries(given).map(([name, value]) => `${name}: ${value}\r\n`);
    this.#send(Buffer.from(`GET ${path} HTTP/1.1\r\n${lines.join('')}\r\n`));
  }

  get isOver(): boolean {
    return this.#isOver;
  }

  /** Sends a request of JSON-RPC. @param id as the text has it @returns its answer, or why there is none */
  ask(id: string, text: string): Promise<Exchanged> {
    const { loop, owner } = this.#options;
    if (this.#isOver) return Promise.resolve({ why: 'the socket is over' });
    return new Promise((resolve) => {
      const limit = loop.schedule(owner, PATIENCE_MS, 'no answer', () => end({ why: UNHEARD }));
      const end = (outcome: Exchanged) => {
        limit.cancelled = true;
        this.#waiting.delete(id);
        resolve(outcome);
      };
      this.#waiting.set(id, end);
      const frame = this.#frame(TEXT, Buffer.from(text));
      if (this.#isOpen) this.#send(frame);
      else this.#toSend.push(frame);
    });
  }

  /** Breaks the connection, with requests under way too. */
  cut(): void {
    this.#send(null);
    this.#end('the client broke the connection');
  }

  #end(why: string): void {
    this.#isOver = true;
    for (const end of [...this.#waiting.values()]) end({ why });
  }

  #take(bytes: Buffer | undefined): void {
    if (this.#isOver) return;
    if (bytes === undefined) {
      this.#end('connection broken');
      return;
    }
    this.#bytes = Buffer.concat([this.#bytes, bytes]);
    if (!this.#isOpen && !this.#isUpgraded()) return;
    for (let frame = this.#next(); frame !== undefined && !this.#isOver; frame = this.#next()) this.#read(frame);
  }

  /** Reads the answer to the upgrade. */
  #isUpgraded(): boolean {
    const end = this.#bytes.indexOf('\r\n\r\n');
    if (end < 0) return false;
    const [line = ''] = this.#bytes.toString('latin1', 0, end).split('\r\n');
    this.#bytes = this.#bytes.subarray(end + 4);
    if (!line.startsWith('HTTP/1.1 101')) {
      this.#end(`the upgrade was answered ${line.slice(9)}`);
      return false;
    }
    this.#isOpen = true;
    for (const frame of this.#toSend.splice(0)) this.#send(frame);
    return true;
  }

  #read({ kind, payload }: { readonly kind: number; readonly payload: Buffer }): void {
    if (kind === PING) this.#send(this.#frame(PONG, payload));
    if (kind === CLOSE) {
      this.#send(this.#frame(CLOSE, payload));
      this.#end(`the node closed the socket: ${payload.toString('utf8', 2)}`);
    }
    if (kind !== TEXT) return;
    const text = payload.toString('utf8');
    const { id } = JSON.parse(text) as { readonly id?: unknown };
    this.#waiting.get(String(id))?.({ status: 200, text });
  }

  /** The next whole frame; servers send theirs whole and unmasked. */
  #next(): { readonly kind: number; readonly payload: Buffer } | undefined {
    const bytes = this.#bytes;
    if (bytes.length < 2) return undefined;
    const short = (bytes[1] as number) & 0x7f;
    const head = short < 126 ? 2 : short === 126 ? 4 : 10;
    if (bytes.length < head) return undefined;
    const length = short < 126 ? short : short === 126 ? bytes.readUInt16BE(2) : Number(bytes.readBigUInt64BE(2));
    if (bytes.length < head + length) return undefined;
    this.#bytes = bytes.subarray(head + length);
    return { kind: (bytes[0] as number) & 0x0f, payload: bytes.subarray(head, head + length) };
  }

  /** Section 5.3: what a client sends is masked. */
  #frame(kind: number, payload: Buffer): Buffer {
    const mask = this.#options.chance.bytes(4);
    const masked = Buffer.from(payload.map((byte, at) => byte ^ (mask[at % 4] as number)));
    const { length } = payload;
    const head = Buffer.alloc(length < 126 ? 2 : length < 65_536 ? 4 : 10);
    head[0] = 0x80 | kind;
    head[1] = 0x80 | (length < 126 ? length : length < 65_536 ? 126 : 127);
    if (head.length === 4) head.writeUInt16BE(length, 2);
    if (head.length === 10) head.writeBigUInt64BE(BigInt(length), 2);
    return Buffer.concat([head, mask, masked]);
  }
}

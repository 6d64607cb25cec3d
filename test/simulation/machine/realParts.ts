/**
 * Puts the world's parts in the place of this process's own: timers, clocks, randomness, threads, sockets.
 * The node's code finds them where it finds the real ones. It is called before any of that code runs.
 */
import crypto from 'node:crypto';
import fs from 'node:fs';
import http from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import timersPromises from 'node:timers/promises';
import workerThreads from 'node:worker_threads';
import type { Chance } from './chance.ts';
import { signByP256 } from './ecdsa.ts';
import type { EventLoop, Owner, Scheduled } from './eventLoop.ts';
import { SimulatedServer } from './simulatedServer.ts';
import { SimulatedThread } from './simulatedThread.ts';

/** What of this process the world is asked for. */
export interface Parts {
  readonly loop: EventLoop;
  readonly chance: Chance;
  /** Random bytes of the owner. */
  randomOf(owner: Owner): Chance;
  /** A server that begins to listen. */
  listen(server: SimulatedServer): void;
}

/** The longest timer that Node has; a longer one becomes the shortest. */
const LONGEST_MS = 2 ** 31 - 1;
const RealDate = Date;
const realRandomBytes = crypto.randomBytes;
const realSign = crypto.sign;
type SignedBy = crypto.KeyObject | { readonly key: crypto.KeyObject };

export function replaceRealParts(parts: Parts): void {
  replaceTimers(parts);
  replaceClocks(parts);
  replaceRandomness(parts);
  waitForThreads(parts.loop);
  Object.assign(workerThreads, { Worker: SimulatedThread.of(parts.loop) });
  const createServer = () => new SimulatedServer((server) => parts.listen(server));
  Object.assign(http, { createServer });
  syncBuiltinESMExports();
}

class Timer {
  readonly #loop: EventLoop;
  readonly #owner: Owner;
  readonly #run: () => void;
  readonly #everyMs: number | undefined;
  #scheduled: Scheduled;
  readonly #ms: number;

  constructor(loop: EventLoop, ms: number, run: () => void, repeats: boolean) {
    this.#loop = loop;
    this.#owner = loop.current;
    this.#ms = ms >= 1 && ms <= LONGEST_MS ? Math.trunc(ms) : 1;
    this.#everyMs = repeats ? this.#ms : undefined;
    this.#run = run;
    this.#scheduled = this.#schedule();
  }

  #schedule(): Scheduled {
    return this.#loop.schedule(this.#owner, this.#ms, 'timer', () => {
      if (this.#everyMs !== undefined) this.#scheduled = this.#schedule();
      this.#run();
    });
  }

  close(): this {
    this.#scheduled.cancelled = true;
    return this;
  }

  refresh(): this {
    this.close();
    this.#scheduled = this.#schedule();
    return this;
  }

  ref(): this {
    return this;
  }

  unref(): this {
    return this;
  }

  hasRef(): boolean {
    return true;
  }

  [Symbol.dispose](): void {
    this.close();
  }
}

type Callback = (...given: unknown[]) => void;

function replaceTimers({ loop, chance }: Parts): void {
  const timer =
    (repeats: boolean) =>
    (run: Callback, ms?: number, ...given: unknown[]) =>
      new Timer(loop, Number(ms ?? 1), () => run(...given), repeats);
  const clear = (given: unknown) => {
    if (given instanceof Timer) given.close();
  };
  // A process runs its own immediates in their order; of those of two processes either may be the first.
  const lastOf = new WeakMap<Owner, number>();
  const immediate = (run: Callback, ...given: unknown[]) => {
    const at = Math.max(lastOf.get(loop.current) ?? 0, loop.now + chance.fraction() / 20);
    lastOf.set(loop.current, at);
    return loop.schedule(loop.current, at - loop.now, 'immediate', () => run(...given));
  };
  const clearImmediate = (given: Scheduled | undefined) => {
    if (given !== undefined) given.cancelled = true;
  };
  const pause = (ms?: number, value?: unknown, options?: { readonly signal?: AbortSignal }) =>
    new Promise((resolve, reject) => {
      const { signal } = options ?? {};
      const abort = () => {
        waiting.close();
        reject(Object.assign(new Error('The operation was aborted'), { name: 'AbortError', code: 'ABORT_ERR' }));
      };
      const waiting = new Timer(
        loop,
        Number(ms ?? 1),
        () => {
          signal?.removeEventListener('abort', abort);
          resolve(value);
        },
        false,
      );
      if (signal?.aborted === true) abort();
      else signal?.addEventListener('abort', abort, { once: true });
    });
  const turned = (value?: unknown) => new Promise((resolve) => immediate(() => resolve(value)));
  Object.assign(globalThis, { setTimeout: timer(false), setInterval: timer(true), setImmediate: immediate });
  Object.assign(globalThis, { clearTimeout: clear, clearInterval: clear, clearImmediate });
  Object.assign(timersPromises, { setTimeout: pause, setImmediate: turned });
}

function replaceClocks({ loop }: Parts): void {
  const wall = () => Math.floor(loop.time + loop.current.skewMs);
  const simulated = function SimulatedDate(this: unknown, ...given: unknown[]) {
    if (new.target === undefined) return new RealDate(wall()).toString();
    return Reflect.construct(RealDate, given.length === 0 ? [wall()] : given, new.target);
  };
  Object.setPrototypeOf(simulated, RealDate);
  Object.assign(simulated, { now: wall });
  Object.defineProperty(simulated, 'prototype', { value: RealDate.prototype });
  RealDate.prototype.constructor = simulated;
  globalThis.Date = simulated as unknown as DateConstructor;
  const steady = () => loop.now - loop.current.bornAt;
  Object.defineProperty(performance, 'now', { value: steady, configurable: true, writable: true });
}

function replaceRandomness({ loop, randomOf }: Parts): void {
  const bytes = (size: number) => randomOf(loop.current).bytes(size);
  const randomBytes = (size: number, done?: (error: Error | null, bytes: Buffer) => void) => {
    const drawn = bytes(size);
    if (done === undefined) return drawn;
    process.nextTick(done, null, drawn);
    return undefined;
  };
  const randomUUID = () => {
    const drawn = bytes(16);
    drawn[6] = ((drawn[6] as number) & 0x0f) | 0x40;
    drawn[8] = ((drawn[8] as number) & 0x3f) | 0x80;
    return drawn.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
  };
  const fill = <Into extends NodeJS.ArrayBufferView>(into: Into): Into => {
    Buffer.from(into.buffer, into.byteOffset, into.byteLength).set(bytes(into.byteLength));
    return into;
  };
  // Only keys of P-256 draw a number for each signature.
  const sign = (algorithm: string | null, data: Buffer, key: SignedBy) =>
    'key' in key && key.key.asymmetricKeyType === 'ec'
      ? signByP256(key.key, data, bytes)
      : realSign(algorithm, data, key as never);
  Object.assign(crypto, { randomBytes, randomUUID, randomFillSync: fill, sign });
  Object.defineProperty(globalThis.crypto, 'getRandomValues', { value: fill });
  Object.defineProperty(globalThis.crypto, 'randomUUID', { value: randomUUID });
  Math.random = () => randomOf(loop.current).fraction();
}

/** What runs on threads ends before anything else happens, one after the other. */
function waitForThreads(loop: EventLoop): void {
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = <Given extends unknown[]>(call: (...given: Given) => Promise<unknown>) =>
    function (this: unknown, ...given: Given) {
      return loop.whole(() => {
        const done = last.then(() => call.apply(this, given));
        last = done.catch(() => {});
        return done;
      });
    };
  const subtle = Object.getPrototypeOf(globalThis.crypto.subtle) as Record<string, unknown>;
  for (const name of ['sign', 'verify', 'digest', 'importKey', 'exportKey', 'generateKey', 'deriveBits', 'encrypt']) {
    const call = subtle[name] as (...given: unknown[]) => Promise<unknown>;
    Object.defineProperty(subtle, name, { value: inTurn(call), configurable: true, writable: true });
  }
  for (const name of ['open', 'readFile', 'readdir', 'writeFile', 'mkdir', 'rm', 'rename', 'stat'] as const) {
    const call = fs.promises[name] as (...given: unknown[]) => Promise<unknown>;
    Object.assign(fs.promises, { [name]: name === 'open' ? inTurn(waitingHandles(call, inTurn)) : inTurn(call) });
  }
}

type Call = (...given: unknown[]) => Promise<unknown>;

/** What is done with a file that was opened is waited for as well. */
function waitingHandles(open: Call, inTurn: (call: Call) => Call): Call {
  return async (...given) => {
    const handle = (await open(...given)) as Record<string, unknown>;
    for (const name of ['datasync', 'sync', 'read', 'write', 'stat', 'close']) {
      Object.defineProperty(handle, name, { value: inTurn(handle[name] as Call) });
    }
    return handle;
  };
}

/** Really unpredictable: for the seed of a run that was given none. */
export function drawSeed(): number {
  return realRandomBytes(4).readUInt32LE();
}

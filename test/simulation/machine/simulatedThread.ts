/** A thread of the node in the world's time: the code of SQLite's reader, whose messages take their turn in the queue. */
import { EventEmitter } from 'node:events';
import { createRequire } from 'node:module';
import type { EventLoop, Owner } from './eventLoop.ts';
import SimulatedDatabase from './simulatedDatabase.ts';

interface Options {
  readonly workerData: unknown;
}

type Load = (name: string) => unknown;

export abstract class SimulatedThread extends EventEmitter {
  readonly #loop: EventLoop;
  readonly #owner: Owner;
  readonly #port = new EventEmitter();
  #ended = false;

  constructor(loop: EventLoop, code: string, { workerData }: Options) {
    super();
    this.#loop = loop;
    this.#owner = loop.current;
    const parentPort = Object.assign(this.#port, {
      postMessage: (message: unknown) => this.#send(this, structuredClone(message)),
    });
    const real = createRequire(import.meta.url);
    const load: Load = (name) => {
      if (name === 'node:worker_threads') return { parentPort, workerData };
      return name.includes('better-sqlite3') ? SimulatedDatabase : real(name);
    };
    new Function('require', code)(load);
  }

  /** The class that stands for `Worker`. */
  static of(loop: EventLoop): new (code: string, options: Options) => SimulatedThread {
    return class extends SimulatedThread {
      constructor(code: string, options: Options) {
        super(loop, code, options);
      }
    };
  }

  postMessage(message: unknown): void {
    this.#send(this.#port, structuredClone(message));
  }

  ref(): void {}

  unref(): void {}

  async terminate(): Promise<number> {
    this.#ended = true;
    return 1;
  }

  #send(to: EventEmitter, message: unknown): void {
    this.#loop.schedule(this.#owner, 0.01, 'thread', () => {
      if (!this.#ended) to.emit('message', message);
    });
  }
}

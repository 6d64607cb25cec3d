/** A thread beside the writer, with a connection of its own: long exports and verifications read there. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { addonFile } from '../../assets/addon.ts';
import { isBinary } from '../../assets/assets.ts';
import { sqliteFault, unavailable } from '../failure.ts';
import { pump } from '../pump.ts';
import type { Result, Script, Statement } from '../store.ts';
import { THREAD_CODE } from './threadCode.ts';
import { bindable } from './values.ts';

type Asked = { readonly sql: string; readonly args: unknown };
type Answer = { readonly rows: readonly unknown[] } | { readonly message: string; readonly code?: string };

interface Waiting {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export class StoreThread {
  readonly #file: string;
  /** Started when it is first needed. */
  #worker: Worker | undefined;
  /** Answers come in the order of what was asked. */
  #waiting: Waiting[] = [];
  /** Scripts run one after the other, each on a snapshot. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(file: string) {
    this.#file = resolve(file);
  }

  /** Runs a script that only reads, on one snapshot. */
  read<T>(makeScript: () => Script<T>): Promise<T> {
    const done = this.#last.then(() => this.#onSnapshot(makeScript));
    this.#last = done.catch(() => {});
    return done;
  }

  /** Ends the thread once the scripts under way are done. */
  async close(): Promise<void> {
    await this.#last;
    await this.#worker?.terminate();
  }

  async #onSnapshot<T>(makeScript: () => Script<T>): Promise<T> {
    await this.#query({ sql: 'BEGIN', args: [] });
    try {
      return await pump(makeScript(), (statements) =>
        Promise.all(statements.map((statement) => this.#query(statement))),
      );
    } finally {
      await this.#query({ sql: 'COMMIT', args: [] });
    }
  }

  #query({ sql, args }: Statement): Promise<Result> {
    return this.#ask({ sql, args: bindable(args) });
  }

  #ask(asked: Asked): Promise<Result> {
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#waiting.push({ resolve, reject });
      // The process lives while it waits for an answer, and no longer.
      worker.ref();
      worker.postMessage(asked);
    });
  }

  #start(): Worker {
    const library = isBinary ? undefined : createRequire(import.meta.url).resolve('better-sqlite3');
    const addon = isBinary ? addonFile('better_sqlite3.node') : undefined;
    // Without the options of this process, which may load a compiler.
    const worker = new Worker(THREAD_CODE, {
      eval: true,
      execArgv: [],
      workerData: { file: this.#file, library, addon },
    });
    worker.on('message', (answer: Answer) => this.#settle(answer));
    const lost = (cause: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#waiting.splice(0)) reject(unavailable(cause));
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('The thread beside the store ended.')));
    return worker;
  }

  #settle(answer: Answer): void {
    const asked = this.#waiting.shift();
    if (this.#waiting.length === 0) this.#worker?.unref();
    if ('rows' in answer) asked?.resolve({ rows: answer.rows, changes: 0 });
    else asked?.reject(sqliteFault(Object.assign(new Error(answer.message), { code: answer.code })));
  }
}

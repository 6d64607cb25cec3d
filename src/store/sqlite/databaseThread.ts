/** A thread with an SQLite connection of its own, which answers one statement after the other. */
import { createRequire } from 'node:module';
import { resolve } from 'node:path';
import { Worker } from 'node:worker_threads';
import { addonFile } from '../../assets/addon.ts';
import { isBinary } from '../../assets/assets.ts';
import { sqliteFault, unavailable } from '../failure.ts';
import type { Result, Statement } from '../store.ts';
import { bindable } from './sqliteConnection.ts';
import { THREAD_CODE } from './threadCode.ts';

type ThreadQuery = { readonly sql: string; readonly args: unknown; readonly writes: boolean };
type ThreadAnswer = Result | { readonly message: string; readonly code?: string };

interface PendingQuery {
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

export interface ThreadOptions {
  /** Statements that each connection begins with. */
  readonly setup?: readonly string[];
  /** Whether its file is opened to be written. */
  readonly writable?: boolean;
}

export class DatabaseThread {
  readonly #file: string;
  readonly #options: Required<ThreadOptions>;
  /** Started when it is first needed, and again after it was lost. */
  #worker: Worker | undefined;
  /** Answers come in the order of the queries. */
  #pending: PendingQuery[] = [];

  constructor(file: string, { setup = [], writable = false }: ThreadOptions = {}) {
    this.#file = resolve(file);
    this.#options = { setup, writable };
  }

  /**
   * @param writes whether it may change something
   * @throws Fault UNAVAILABLE when the database cannot answer, or the thread ended
   */
  query({ sql, args }: Pick<Statement, 'sql' | 'args'>, writes = false): Promise<Result> {
    const query: ThreadQuery = { sql, args: bindable(args), writes };
    this.#worker ??= this.#start();
    const worker = this.#worker;
    return new Promise((resolve, reject) => {
      this.#pending.push({ resolve, reject });
      // The process lives while it waits for an answer, and no longer.
      worker.ref();
      worker.postMessage(query);
    });
  }

  /** Ends the thread, and what it has not answered. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }

  #start(): Worker {
    const library = isBinary ? undefined : createRequire(import.meta.url).resolve('better-sqlite3');
    const addon = isBinary ? addonFile('better_sqlite3.node') : undefined;
    // Without the options of this process, which may load a compiler.
    const worker = new Worker(THREAD_CODE, {
      eval: true,
      execArgv: [],
      workerData: { file: this.#file, library, addon, ...this.#options },
    });
    worker.on('message', (answer: ThreadAnswer) => this.#settle(answer));
    const lost = (cause: unknown) => {
      if (this.#worker === worker) this.#worker = undefined;
      for (const { reject } of this.#pending.splice(0)) reject(unavailable(cause));
    };
    worker.on('error', lost);
    worker.on('exit', () => lost(new Error('The thread beside the store ended.')));
    return worker;
  }

  #settle(answer: ThreadAnswer): void {
    const pending = this.#pending.shift();
    if (this.#pending.length === 0) this.#worker?.unref();
    if ('rows' in answer) pending?.resolve(answer);
    else pending?.reject(sqliteFault(Object.assign(new Error(answer.message), { code: answer.code })));
  }
}

/**
 * A thread beside the writer: long exports and verifications read there, each on a snapshot; and views are written there, between two
 * of them.
 */
import { pump } from '../pump.ts';
import type { Result, Script, Statement } from '../store.ts';
import { DatabaseThread, type ThreadOptions } from './databaseThread.ts';

type Query = (statement: Pick<Statement, 'sql' | 'args'>) => Promise<Result>;

export class StoreThread {
  readonly #thread: DatabaseThread;
  /** What begins a snapshot. */
  readonly #begin: readonly string[];
  /** Scripts and other work run one after the other. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param options `first`: a statement that each snapshot begins with */
  constructor(file: string, { first, ...options }: ThreadOptions & { readonly first?: string } = {}) {
    this.#thread = new DatabaseThread(file, options);
    this.#begin = first === undefined ? ['BEGIN'] : ['BEGIN', first];
  }

  /** Runs a script that only reads, on one snapshot. */
  read<T>(makeScript: () => Script<T>): Promise<T> {
    return this.#alone(() => this.#onSnapshot(makeScript));
  }

  /** Runs work that may write, while nothing else is asked here. */
  write<T>(work: (query: Query) => Promise<T>): Promise<T> {
    return this.#alone(() => work((statement) => this.#thread.query(statement, true)));
  }

  /** Ends the thread once what is under way is done. */
  async close(): Promise<void> {
    await this.#last;
    await this.#thread.close();
  }

  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#last.then(work);
    this.#last = done.catch(() => {});
    return done;
  }

  async #onSnapshot<T>(makeScript: () => Script<T>): Promise<T> {
    for (const sql of this.#begin) await this.#thread.query({ sql, args: [] });
    try {
      return await pump(makeScript(), (statements) =>
        Promise.all(statements.map((statement) => this.#thread.query(statement))),
      );
    } finally {
      await this.#thread.query({ sql: 'COMMIT', args: [] });
    }
  }
}

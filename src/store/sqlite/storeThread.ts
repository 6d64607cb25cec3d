/** A thread beside the writer: long exports and verifications read there, each on a snapshot. */
import { pump } from '../pump.ts';
import type { Script } from '../store.ts';
import { DatabaseThread } from './databaseThread.ts';

export class StoreThread {
  readonly #thread: DatabaseThread;
  /** What begins a snapshot. */
  readonly #begin: readonly string[];
  /** Scripts run one after the other, each on a snapshot. */
  #last: Promise<unknown> = Promise.resolve();

  /** @param views the statements by which its connection reads views, where the database has a file of them */
  constructor(file: string, views?: { readonly setup: readonly string[]; readonly first: string }) {
    this.#thread = new DatabaseThread(file, views);
    this.#begin = views === undefined ? ['BEGIN'] : ['BEGIN', views.first];
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
    await this.#thread.close();
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

/** Writes the views of an SQLite ledger into a file beside it, in a thread of its own, after the commits that they are of. */
import { closeSync, existsSync, openSync, rmSync } from 'node:fs';
import type { ViewsState } from '../store.ts';
import { VIEWS } from '../views/views.ts';
import { DatabaseThread } from './databaseThread.ts';
import { viewsFilesOf, viewsSetup } from './viewsFile.ts';
import { compareView, createViews, fillView, formOf, IS_CURRENT, isBehind, NOTE_VIEWS } from './viewsSql.ts';

/** Rows gather for so long: the more of them share a commit, the fewer pages each one costs. */
const GATHER_MS = 500;
/** After a failure, such as a full disk. */
export const RETRY_MS = 5000;
/** Rows of a view that one commit takes. */
const BATCH_ROWS = 20_000;
/** With more rows than these to come, lists read the ledger for longer than a purchase should wait. */
const FAR_ROWS = 50_000;

export class ViewsWriter {
  readonly #database: string;
  readonly #clock: () => number;
  #thread: DatabaseThread;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #isOpen = false;
  /** The time of the first commit that the views have not reached, in milliseconds since the epoch. */
  #behindSince: number | undefined;
  #isFar = false;
  #failure: string | undefined;

  /** @param database the ledger's file @param clock milliseconds since the epoch */
  constructor(database: string, clock: () => number) {
    this.#database = database;
    this.#clock = clock;
    this.#thread = this.#makeThread();
  }

  get state(): ViewsState {
    // A clock that is set back makes nothing of the past the future.
    const behindMs = this.#behindSince === undefined ? 0 : Math.max(1, this.#clock() - this.#behindSince);
    return { behindMs, isFar: this.#isFar, failure: this.#failure };
  }

  /**
   * Makes the file, or makes it anew where it is of another form, of another ledger or damaged. Where that fails, it is tried again.
   * @param isAnew whether to remove the file that there is; no other connection may have it open
   * @returns whether it can be read
   */
  async open(isAnew = false): Promise<boolean> {
    this.#behindSince ??= this.#clock();
    try {
      const [file = ''] = viewsFilesOf(this.#database);
      if (isAnew || !existsSync(file) || !(await this.#isUsable())) await this.#make();
      await this.#measure();
    } catch (error) {
      this.#isFar = true;
      this.#failure = reasonOf(error);
      return false;
    }
    this.#isOpen = true;
    this.#schedule(0);
    return true;
  }

  async #make(): Promise<void> {
    await this.#thread.close();
    for (const file of viewsFilesOf(this.#database)) rmSync(file, { force: true });
    const [file = ''] = viewsFilesOf(this.#database);
    closeSync(openSync(file, 'a', 0o600));
    this.#thread = this.#makeThread();
    await this.#run('BEGIN');
    for (const sql of createViews(VIEWS)) await this.#run(sql);
    await this.#run(NOTE_VIEWS, formOf(VIEWS));
    await this.#run('COMMIT');
  }

  /** Called after a commit that changed what views are of. */
  noteCommit(): void {
    this.#behindSince ??= this.#clock();
    this.#schedule(GATHER_MS);
  }

  /** Writes nothing until it is opened again, and lets the file be removed. */
  async pause(): Promise<void> {
    this.#isOpen = false;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    await this.#thread.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.pause();
  }

  #makeThread(): DatabaseThread {
    const [attach = ''] = viewsSetup(this.#database);
    return new DatabaseThread(this.#database, {
      writable: true,
      // It runs statements whose rows are few.
      heapMib: 16,
      setup: [
        attach,
        'PRAGMA views.page_size = 8192',
        'PRAGMA views.journal_mode = WAL',
        // After a power cut the file may lack its last commits, which the ledger has.
        'PRAGMA views.synchronous = NORMAL',
        'PRAGMA views.cache_size = -4096',
      ],
    });
  }

  async #isUsable(): Promise<boolean> {
    try {
      const [state] = await this.#rows<[string]>('SELECT form FROM views.state');
      if (state?.[0] !== formOf(VIEWS)) return false;
      for (const view of VIEWS) if ((await this.#rows(compareView(view))).length > 0) return false;
      return true;
    } catch {
      return false;
    }
  }

  #schedule(delayMs: number): void {
    if (this.#closed || !this.#isOpen || this.#timer !== undefined || this.#running !== undefined) return;
    this.#timer = setTimeout(() => {
      this.#timer = undefined;
      this.#running = this.#catchUp().finally(() => {
        this.#running = undefined;
        if (this.#behindSince !== undefined) this.#schedule(this.#failure === undefined ? GATHER_MS : RETRY_MS);
      });
    }, delayMs).unref();
  }

  /** Writes what the ledger has by now. It does not throw: what is not written is read from the ledger, and tried again. */
  async #catchUp(): Promise<void> {
    const since = this.#behindSince;
    this.#behindSince = undefined;
    try {
      while (this.#isOpen && (await this.#step())) if (this.#isFar) await this.#measure();
      if (this.#isOpen) {
        this.#isFar = false;
        this.#failure = undefined;
      } else this.#behindSince = since;
    } catch (error) {
      this.#behindSince = since;
      this.#failure = reasonOf(error);
      await this.#run('ROLLBACK').catch(() => {});
      await this.#measure().catch(() => {});
    }
  }

  /** One commit. @returns whether there is more to write */
  async #step(): Promise<boolean> {
    await this.#run('BEGIN');
    const [current] = await this.#rows<[number]>(`SELECT ${IS_CURRENT}`);
    if (current?.[0] === 0) {
      for (const { name } of VIEWS) await this.#run(`DELETE FROM views.${name}`);
      await this.#run('DELETE FROM views.state');
      await this.#run(NOTE_VIEWS, formOf(VIEWS));
    }
    let isMore = false;
    for (const view of VIEWS) if ((await this.#run(fillView(view), BATCH_ROWS)) === BATCH_ROWS) isMore = true;
    await this.#run('COMMIT');
    return isMore;
  }

  async #measure(): Promise<void> {
    let isFar = false;
    for (const view of VIEWS) if ((await this.#rows(isBehind(view), FAR_ROWS)).length > 0) isFar = true;
    this.#isFar = isFar;
  }

  async #run(sql: string, ...args: (string | number)[]): Promise<number> {
    return (await this.#thread.query({ sql, args })).changes;
  }

  async #rows<Row>(sql: string, ...args: number[]): Promise<readonly Row[]> {
    const { rows } = await this.#thread.query({ sql, args });
    return rows.map((row) => Object.values(row as object)) as Row[];
  }
}

function reasonOf(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  return cause instanceof Error ? cause.message : String(cause);
}

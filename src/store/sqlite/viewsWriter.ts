/** Writes the views of an SQLite ledger into a file beside it, in the thread beside the store, after the commits that they are of. */
import { closeSync, openSync, rmSync } from 'node:fs';
import { causeOf, codeOf, isDamage } from '../failure.ts';
import type { ViewsState } from '../store.ts';
import { VIEWS } from '../views/views.ts';
import { StoreThread } from './storeThread.ts';
import { VIEWS_FIRST, viewsFilesOf, viewsSetup } from './viewsFile.ts';
import {
  CREATE_STATE,
  compareView,
  createViews,
  fillView,
  formOf,
  IS_CURRENT,
  isBehind,
  LIST_TABLES,
  LOCK_VIEWS,
  NOTE_VIEWS,
} from './viewsSql.ts';

/** Rows gather for so long: the more of them share a commit, the fewer pages each one costs. */
const GATHER_MS = 500;
/** After a failure, such as a full disk. */
export const RETRY_MS = 5000;
/** Rows of a view that one commit takes. */
const BATCH_ROWS = 20_000;
/** With more rows than these to come, reading them takes longer than a purchase should wait. */
const FAR_ROWS = 5000;

interface ViewsEvents {
  /** The views are near enough to the ledger to be read from now on, or too far behind it. */
  onFar(isFar: boolean): void;
  /** A page of the views cannot be used: they are to be made anew. */
  onDamage(): void;
}

export class ViewsWriter {
  readonly #database: string;
  readonly #clock: () => number;
  readonly #events: ViewsEvents;
  #thread: StoreThread;
  #timer: NodeJS.Timeout | undefined;
  #running: Promise<void> | undefined;
  #closed = false;
  #isOpen = false;
  /** The time of the first commit that the views have not reached, in milliseconds since the epoch. */
  #behindSince: number | undefined;
  /** The same, of those commits that are being written. */
  #writingSince: number | undefined;
  #isFar = true;
  #failure: string | undefined;

  /** @param database the ledger's file @param clock milliseconds since the epoch */
  constructor(database: string, clock: () => number, events: ViewsEvents) {
    this.#database = database;
    this.#clock = clock;
    this.#events = events;
    this.#thread = this.#makeThread();
  }

  /** The thread that views are written and read in. */
  get thread(): StoreThread {
    return this.#thread;
  }

  get state(): ViewsState {
    // A clock that is set back makes nothing of the past the future.
    const since = this.#writingSince ?? this.#behindSince;
    const behindMs = since === undefined ? 0 : Math.max(1, this.#clock() - since);
    return { behindMs, isFar: this.#isFar, failure: this.#failure };
  }

  /**
   * Makes the views, or makes them anew where they are of another form, of another ledger or damaged. Where that fails, it is tried again.
   * @param isAnew whether to remove the file that there is; no other connection of this node may have it open
   * @returns whether it has them
   */
  async open(isAnew = false): Promise<boolean> {
    this.#behindSince ??= this.#clock();
    try {
      if (isAnew) await this.#remove();
      try {
        await this.#make();
      } catch (error) {
        if (!isDamage(error)) throw error;
        await this.#remove();
        await this.#make();
      }
      await this.#thread.write((query) => this.#measure(query));
    } catch (error) {
      this.#failure = causeOf(error).message;
      return false;
    }
    this.#isOpen = true;
    this.#schedule(0);
    return true;
  }

  async #remove(): Promise<void> {
    await this.#thread.close();
    for (const file of viewsFilesOf(this.#database)) rmSync(file, { force: true });
    this.#thread = this.#makeThread();
  }

  /** Another node may have the file open and read it, or be about to make the same: so it stays, and one of them changes it. */
  async #make(): Promise<void> {
    const [file = ''] = viewsFilesOf(this.#database);
    // SQLite would make it for all users to read.
    closeSync(openSync(file, 'a', 0o600));
    await this.#thread.write(async (query) => {
      await run(query, CREATE_STATE);
      await inTransaction(query, async () => {
        await run(query, LOCK_VIEWS);
        if (await isUsable(query)) return;
        for (const [name] of await rowsOf<[string]>(query, LIST_TABLES)) await run(query, `DROP TABLE views."${name}"`);
        for (const sql of createViews(VIEWS)) await run(query, sql);
        await run(query, NOTE_VIEWS, formOf(VIEWS));
      });
    });
  }

  /** Called after a commit that changed what views are of. */
  noteCommit(): void {
    this.#behindSince ??= this.#clock();
    this.#schedule(GATHER_MS);
  }

  /** Writes nothing until it is opened again, and lets the file be removed. */
  async pause(): Promise<void> {
    this.#isOpen = false;
    this.#isFar = true;
    clearTimeout(this.#timer);
    this.#timer = undefined;
    await this.#running;
    await this.#thread.close();
  }

  async close(): Promise<void> {
    this.#closed = true;
    await this.pause();
  }

  #makeThread(): StoreThread {
    const [attach = '', ...reading] = viewsSetup(this.#database);
    return new StoreThread(this.#database, {
      writable: true,
      first: VIEWS_FIRST,
      setup: [
        attach,
        'PRAGMA views.page_size = 8192',
        'PRAGMA views.journal_mode = WAL',
        // After a power cut the file may lack its last commits, which the ledger has.
        'PRAGMA views.synchronous = NORMAL',
        'PRAGMA views.cache_size = -4096',
        ...reading,
      ],
    });
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
    this.#writingSince = this.#behindSince;
    this.#behindSince = undefined;
    try {
      while (this.#isOpen && (await this.#thread.write((query) => this.#step(query)))) {
        // What else is asked in the thread comes between.
      }
      if (this.#isOpen) {
        this.#failure = undefined;
        this.#setFar(false);
      } else this.#behindSince = this.#writingSince;
    } catch (error) {
      this.#behindSince = this.#writingSince;
      this.#failure = causeOf(error).message;
      await this.#thread.write((query) => this.#measure(query)).catch(() => {});
      if (isDamage(error)) this.#events.onDamage();
    } finally {
      this.#writingSince = undefined;
    }
  }

  /** One commit. @returns whether there is more to write */
  #step(query: Query): Promise<boolean> {
    return inTransaction(query, async () => {
      const [current] = await rowsOf<[number]>(query, `SELECT ${IS_CURRENT}`);
      if (current?.[0] === 0) {
        for (const { name } of VIEWS) await run(query, `DELETE FROM views.${name}`);
        await run(query, 'DELETE FROM views.state');
        await run(query, NOTE_VIEWS, formOf(VIEWS));
      }
      let isMore = false;
      for (const view of VIEWS) if ((await run(query, fillView(view), BATCH_ROWS)) === BATCH_ROWS) isMore = true;
      return isMore;
    });
  }

  async #measure(query: Query): Promise<void> {
    let isFar = false;
    for (const view of VIEWS) if ((await rowsOf(query, isBehind(view), FAR_ROWS)).length > 0) isFar = true;
    this.#setFar(isFar);
  }

  #setFar(isFar: boolean): void {
    if (isFar === this.#isFar) return;
    // What throws leaves things as they are, and is tried again.
    this.#events.onFar(isFar);
    this.#isFar = isFar;
  }
}

/** The file is usable where it has the views of this version, and of this ledger as far as its newest rows say. */
async function isUsable(query: Query): Promise<boolean> {
  try {
    const [state] = await rowsOf<[string]>(query, 'SELECT form FROM views.state');
    if (state?.[0] !== formOf(VIEWS)) return false;
    for (const view of VIEWS) if ((await rowsOf(query, compareView(view))).length > 0) return false;
    return true;
  } catch (error) {
    if (codeOf(causeOf(error)) === 'SQLITE_ERROR') return false;
    throw error;
  }
}

async function inTransaction<T>(query: Query, work: () => Promise<T>): Promise<T> {
  await run(query, 'BEGIN');
  try {
    const given = await work();
    await run(query, 'COMMIT');
    return given;
  } catch (error) {
    // On a full disk SQLite may have rolled back by itself.
    await run(query, 'ROLLBACK').catch(() => {});
    throw error;
  }
}

type Query = Parameters<Parameters<StoreThread['write']>[0]>[0];

/** @returns how many rows it changed */
async function run(query: Query, sql: string, ...args: (string | number)[]): Promise<number> {
  return (await query({ sql, args })).changes;
}

async function rowsOf<Row>(query: Query, sql: string, ...args: number[]): Promise<readonly Row[]> {
  const { rows } = await query({ sql, args });
  return rows.map((row) => Object.values(row as object)) as Row[];
}

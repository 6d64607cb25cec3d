/**
 * A machine on which nodes run, each a process of its own, on one data folder: started, killed at any statement, and with it the
 * power cut. A node that is gone has no more effect that could be observed: its timers, its messages and its statements end.
 */
import fs from 'node:fs';
import Database from 'better-sqlite3';
import { readConfig } from '../../../src/node/config/config.ts';
import { type Node, startNode } from '../../../src/node/startNode.ts';
import type { Program } from '../faults/nextVersions.ts';
import type { Chance } from './chance.ts';
import { Disk } from './disk.ts';
import type { EventLoop, Owner } from './eventLoop.ts';
import { watchDatabases } from './simulatedDatabase.ts';
import type { SimulatedServer } from './simulatedServer.ts';

/** A statement that changes rows. */
const CHANGING = /^\s*(INSERT|UPDATE|DELETE)/;
/** One process of a node, from its start to its end. */
export interface Life {
  readonly owner: Owner;
  readonly number: number;
  readonly program: Program;
  node: Node | undefined;
  server: SimulatedServer | undefined;
}

interface Place {
  life: Life | undefined;
  lives: number;
  /** Ends its process after so many statements more. */
  crashIn: number | undefined;
  /** Its disk is full at the first change after so many statements more. */
  fullIn: number | undefined;
}

export interface SiteOptions {
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  /** How many nodes. */
  readonly nodes: number;
  readonly loop: EventLoop;
  readonly chance: Chance;
  /** Whether the log is copied into the database often, so that it is seen in a short life. */
  readonly copiesOften: boolean;
  /** Told that a node could not start, which is told with its reason. */
  onRefused(place: number, reason: unknown): void;
  /** Told that a process is gone, so that what it had open elsewhere ends. */
  onGone?(owner: Owner): void;
  /** Told that a process has ended, other than at once by the world's call. */
  onEnd(place: number, what: 'crash' | 'stopped', why: string): void;
}

const THIS_PROGRAM: Program = { version: 0, isBroken: false };

/** Thrown at a statement of a process that is gone. */
class Gone extends Error {}

export class Site {
  readonly #options: SiteOptions;
  readonly #places: Place[];
  /** What is installed at each place, and is started there the next time. */
  readonly programs: Program[];
  readonly disk: Disk;
  /** The newest version that has run. */
  #newest = 0;
  readonly #databases = new Map<Database.Database, Owner>();
  readonly #descriptors = new Map<number, Owner>();
  /** At how many places a process ends after some statements. */
  #crashes = 0;
  /** How many commits find from now on that the disk takes no sync. */
  failingSyncs = 0;
  /** Whether the transaction that began last writes: the commit of one that reads syncs nothing. */
  #isWriting = false;
  /** Whether the statement that runs is the world's own, at which no process ends. */
  #isOwn = false;

  constructor(options: SiteOptions) {
    this.#options = options;
    this.#places = Array.from({ length: options.nodes }, () => ({
      life: undefined,
      lives: 0,
      crashIn: undefined,
      fullIn: undefined,
    }));
    this.programs = this.#places.map(() => THIS_PROGRAM);
    this.disk = new Disk(options.folder);
    watchDatabases({
      copiesOften: options.copiesOften,
      opened: (database) => this.#databases.set(database, options.loop.current),
      whole: (work) => options.loop.whole(work),
      before: (database, sql) => this.#before(database, sql),
      after: (database) => this.#after(database),
    });
    this.#watchFiles();
  }

  /** The process at a place, where one runs. */
  life(place: number): Life | undefined {
    return this.#places[place]?.life;
  }

  /** The program of the process that acts at present. */
  get acting(): Program {
    return this.lives.find(({ owner }) => owner === this.#options.loop.current)?.program ?? THIS_PROGRAM;
  }

  /** Whether a version has begun to serve. */
  hasRun(version: number): boolean {
    return this.#newest >= version;
  }

  get lives(): readonly Life[] {
    return this.#places.flatMap(({ life }) => life ?? []);
  }

  /** @param skewMs by how much its clock is ahead */
  start(place: number, skewMs: number): void {
    const at = this.#places[place] as Place;
    const { loop, env } = this.#options;
    at.lives += 1;
    const owner = loop.newOwner(`node ${place} life ${at.lives}`, skewMs);
    const program = this.programs[place] as Program;
    const isFormer = program.version < this.#newest;
    const life: Life = { owner, number: at.lives, program, node: undefined, server: undefined };
    at.life = life;
    const clock = () => Math.floor(loop.time + owner.skewMs);
    loop.schedule(owner, 0, 'start', () => {
      startNode(readConfig({ ...env, PORT: String(8402 + place) }), { time: clock }).then(
        (node) => {
          if (isFormer && !owner.dead) throw new Error('A former program has started on the data of a newer one.');
          this.#newest = Math.max(this.#newest, program.version);
          this.#started(life, node);
        },
        (reason) => {
          if (owner.dead) return;
          this.#end(place);
          this.#options.onRefused(place, reason);
        },
      );
    });
  }

  #started(life: Life, node: Node): void {
    life.node = node;
  }

  /** A server that the process which acts at present has opened. */
  listening(server: SimulatedServer): void {
    for (const life of this.lives) if (life.owner === this.#options.loop.current) life.server = server;
  }

  /** Ends the process before or after the statement that is so many halves away; 0 calls that off. */
  killAfter(place: number, statements: number): void {
    const at = this.#places[place];
    if (at !== undefined) at.crashIn = statements > 0 ? statements : undefined;
    this.#crashes = this.#places.filter(({ crashIn }) => crashIn !== undefined).length;
  }

  /** Has one statement that changes something, so many statements later, find the disk full; 0 calls that off. */
  fullAfter(place: number, statements: number): void {
    const at = this.#places[place];
    if (at !== undefined) at.fullIn = statements > 0 ? statements : undefined;
  }

  /** Ends the process at a place now, as `kill -9` does. */
  kill(place: number): void {
    const others = this.lives.filter((life) => life !== this.life(place));
    // Files of a process are as it left them, also if closing its connections here would tidy them.
    const left = others.length === 0 ? this.disk.copy() : undefined;
    this.#end(place, left);
  }

  /** Ends all processes, with what of their files was on the disk. */
  cutPower(): void {
    const left = this.disk.copyAfterCut(this.#options.chance);
    const places = this.#places.flatMap(({ life }, place) => (life === undefined ? [] : [place]));
    for (const [index, place] of places.entries()) this.#end(place, index === places.length - 1 ? left : undefined);
  }

  /** Asks a node to stop, as a service manager does. */
  stop(place: number): void {
    const life = this.life(place);
    if (life?.node === undefined) return;
    const { node } = life;
    this.#options.loop.schedule(life.owner, 0, 'stop', () => {
      const ended = () => {
        if (life.owner.dead) return;
        this.#end(place);
        this.#options.onEnd(place, 'stopped', 'as it was asked to');
      };
      node.stop().then(ended, ended);
    });
  }

  /** How many pages the database may have more; undefined for as many as it wants. */
  limitPages(place: number, more: number | undefined): void {
    const owner = this.life(place)?.owner;
    for (const [database, of] of this.#databases) {
      if (of !== owner || !database.open || database.readonly || database.inTransaction) continue;
      this.#isOwn = true;
      const count = Number(database.prepare('PRAGMA page_count').pluck().get());
      const limit = more === undefined ? 1_073_741_823 : count + more;
      database.prepare(`PRAGMA max_page_count = ${limit}`).pluck().get();
      this.#isOwn = false;
    }
  }

  #before(database: Database.Database, sql: string): void {
    const owner = this.#databases.get(database);
    if (owner?.dead === true) throw new Gone('This process is gone.');
    this.#options.loop.note(sql.length.toString(36));
    this.#fillAt(owner, sql);
    if (sql.startsWith('BEGIN')) this.#isWriting = sql === 'BEGIN IMMEDIATE';
    if (sql === 'COMMIT' && this.#isWriting && this.failingSyncs > 0) this.#failSync(database);
    this.#count(owner);
  }

  #after(database: Database.Database): void {
    this.#count(this.#databases.get(database));
  }

  /** SQLite takes such a statement back alone where it has a journal of its own, and the transaction goes on. */
  #fillAt(owner: Owner | undefined, sql: string): void {
    const at = this.#places.find(({ life, fullIn }) => fullIn !== undefined && life?.owner === owner);
    if (at?.fullIn === undefined) return;
    at.fullIn = Math.max(0, at.fullIn - 1);
    if (at.fullIn > 0 || !CHANGING.test(sql)) return;
    at.fullIn = undefined;
    throw new Database.SqliteError('database or disk is full', 'SQLITE_FULL');
  }

  /** SQLite takes a transaction back whose commit it could not sync. */
  #failSync(database: Database.Database): void {
    this.failingSyncs -= 1;
    this.#isOwn = true;
    database.exec('ROLLBACK');
    this.#isOwn = false;
    throw new Database.SqliteError('disk I/O error', 'SQLITE_IOERR_FSYNC');
  }

  #count(owner: Owner | undefined): void {
    if (owner !== undefined && !this.#isOwn && this.endsAt(owner)) throw new Gone('This process is gone.');
  }

  /** Counts half a statement of a process, and ends it where that is the last one. @returns whether it is gone */
  endsAt(owner: Owner): boolean {
    if (this.#crashes === 0) return owner.dead;
    const place = this.#places.findIndex(({ life }) => life?.owner === owner);
    const at = this.#places[place];
    if (at?.crashIn === undefined) return owner.dead;
    at.crashIn -= 1;
    if (at.crashIn > 0) return false;
    this.kill(place);
    this.#options.onEnd(place, 'crash', 'killed at a statement');
    return true;
  }

  /** @param left the files as its end leaves them; as they are where others still use them */
  #end(place: number, left?: ReadonlyMap<string, Buffer>): void {
    const at = this.#places[place] as Place;
    const { life } = at;
    if (life === undefined) return;
    const { owner, server } = life;
    owner.dead = true;
    at.life = undefined;
    if (at.crashIn !== undefined) this.#crashes -= 1;
    at.crashIn = undefined;
    at.fullIn = undefined;
    const { loop } = this.#options;
    // After what runs at this moment, which may be one of its statements. The next process starts later.
    loop.schedule(loop.newOwner('the machine'), 0, 'end', () => {
      server?.closeAllConnections();
      this.#options.onGone?.(owner);
      this.#closeAll(owner);
      if (left !== undefined) this.disk.put(left);
    });
  }

  #closeAll(owner: Owner): void {
    for (const [database, of] of this.#databases) {
      if (of !== owner) continue;
      this.#databases.delete(database);
      database.close();
    }
    for (const [descriptor, of] of this.#descriptors) if (of === owner) fs.closeSync(descriptor);
  }

  /** Whose file is open under which number. */
  #watchFiles(): void {
    const { openSync, closeSync } = fs;
    const { loop } = this.#options;
    const open = (...given: Parameters<typeof openSync>) => {
      const descriptor = openSync(...given);
      this.#descriptors.set(descriptor, loop.current);
      return descriptor;
    };
    const close = (descriptor: number) => {
      this.#descriptors.delete(descriptor);
      closeSync(descriptor);
    };
    Object.assign(fs, { openSync: open, closeSync: close });
  }
}

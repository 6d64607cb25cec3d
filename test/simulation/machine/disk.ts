/**
 * What of a folder's files is on the disk, so that the power can be cut. SQLite's log is followed by its frames: those that were
 * synced stay, of the others a cut keeps any sectors. SQLite syncs the log itself before it copies frames into the database,
 * and the header of a log that begins anew, so both count as synced (sqlite3.c, `walCheckpoint`, `walFrames`). The world cuts the
 * power between statements, and so never within such a copy: test/store/sqlite/powerCut.test.ts does.
 */
import fs from 'node:fs';
import { join } from 'node:path';
import type { Chance } from './chance.ts';

const { existsSync, readFileSync, readdirSync, rmSync, writeFileSync } = fs;
const SECTOR_BYTES = 512;
const HEADER_BYTES = 32;
/** A page of 8 KiB and the head of its frame (https://www.sqlite.org/walformat.html). */
const FRAME_BYTES = 8192 + 24;
/** How much of the index says how long the log is. */
const INDEX_BYTES = 100;
/** How many of the latest marks are remembered, of which any may be on the disk. */
const MARKS = 8;

/** What the log's index says. */
interface LogEnd {
  readonly salts: string;
  readonly frames: number;
  /** Of these, so many are in the database. */
  readonly copied: number;
}

/** A sync under way: what it puts on the disk once it ends. */
interface Sync {
  readonly end: LogEnd;
  readonly from: number;
  readonly bytes: Buffer;
}

export class Disk {
  readonly folder: string;
  readonly #database: string;
  /** The log as it is on the disk, with room for more behind it. */
  #image: Buffer = Buffer.alloc(0);
  #imageSize = 0;
  #synced: LogEnd = { salts: '', frames: 0, copied: 0 };
  #marks: Buffer[] = [];

  /** @param database name of its file in the folder */
  constructor(folder: string, database: string) {
    this.folder = folder;
    this.#database = join(folder, database);
  }

  /** @returns what to call once the sync has ended; nothing is on the disk before that */
  beginSync(): () => void {
    const end = this.#end();
    if (end === undefined) return () => {};
    this.#follow(end);
    const from = placeOf(this.#synced.frames);
    const sync = { end, from, bytes: this.#read(from, placeOf(end.frames)) };
    return () => this.#endSync(sync);
  }

  /** The mark beside the log was written, and is not synced. */
  noteMark(): void {
    const file = `${this.#database}-synced`;
    if (existsSync(file)) this.#marks = [...this.#marks.slice(1 - MARKS), readFileSync(file)];
  }

  /** The mark is on the disk as it is. */
  syncMark(): void {
    this.#marks = [];
    this.noteMark();
  }

  /** All files as they are, for a process that is killed: what it wrote stays. */
  copy(): ReadonlyMap<string, Buffer> {
    const names = readdirSync(this.folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    return new Map(names.map(({ name }) => [name, readFileSync(join(this.folder, name))]));
  }

  /** All files as a cut of the power now leaves them. */
  copyAfterCut(chance: Chance): ReadonlyMap<string, Buffer> {
    const files = new Map(this.copy());
    const name = this.#database.slice(this.folder.length + 1);
    const log = files.get(`${name}-wal`);
    const end = this.#end();
    if (log !== undefined && end !== undefined) {
      this.#follow(end);
      files.set(`${name}-wal`, this.#torn(log, end, chance));
    }
    if (chance.permille(500)) files.delete(`${name}-shm`);
    this.noteMark();
    if (this.#marks.length > 0) files.set(`${name}-synced`, chance.of(this.#marks));
    return files;
  }

  /** Puts files in the place of those that are there. */
  put(files: ReadonlyMap<string, Buffer>): void {
    for (const entry of readdirSync(this.folder, { withFileTypes: true })) {
      if (entry.isFile()) rmSync(join(this.folder, entry.name));
    }
    for (const [name, bytes] of files) writeFileSync(join(this.folder, name), bytes, { mode: 0o600 });
    // What is left is what the disk holds.
    this.#image = files.get(`${this.#database.slice(this.folder.length + 1)}-wal`) ?? Buffer.alloc(0);
    this.#imageSize = this.#image.length;
    this.#synced = { ...(this.#end() ?? { salts: '', copied: 0 }), frames: 0 };
    this.#marks = [];
  }

  /** Takes over what SQLite has synced itself. */
  #follow(end: LogEnd): void {
    if (end.salts !== this.#synced.salts) {
      this.#keep(0, this.#read(0, HEADER_BYTES));
      this.#synced = { ...end, frames: 0 };
    }
    if (end.copied > this.#synced.frames) {
      const from = placeOf(this.#synced.frames);
      this.#endSync({ end: { ...end, frames: end.copied }, from, bytes: this.#read(from, placeOf(end.copied)) });
    }
  }

  #endSync({ end, from, bytes }: Sync): void {
    if (end.salts !== this.#synced.salts || end.frames <= this.#synced.frames) return;
    this.#keep(from, bytes);
    this.#synced = end;
  }

  #keep(from: number, bytes: Buffer): void {
    const end = from + bytes.length;
    if (end > this.#image.length) this.#image = Buffer.concat([this.#image], 2 * end);
    bytes.copy(this.#image, from);
    this.#imageSize = Math.max(this.#imageSize, end);
  }

  #torn(log: Buffer, end: LogEnd, chance: Chance): Buffer {
    const torn = Buffer.concat([this.#image.subarray(0, this.#imageSize)], Math.max(this.#imageSize, log.length));
    const share = chance.of([0, 100, 500, 900, 1000]);
    for (let at = placeOf(this.#synced.frames); at < placeOf(end.frames); at += SECTOR_BYTES) {
      if (chance.permille(share)) log.copy(torn, at, at, Math.min(at + SECTOR_BYTES, log.length));
    }
    return torn;
  }

  #end(): LogEnd | undefined {
    const bytes = readPart(`${this.#database}-shm`, 0, INDEX_BYTES);
    if (bytes.length < INDEX_BYTES) return undefined;
    return { salts: bytes.toString('hex', 32, 40), frames: bytes.readUInt32LE(16), copied: bytes.readUInt32LE(96) };
  }

  #read(from: number, to: number): Buffer {
    return readPart(`${this.#database}-wal`, from, to);
  }
}

function placeOf(frames: number): number {
  return HEADER_BYTES + frames * FRAME_BYTES;
}

/** The bytes of a file between two places, as far as it goes. */
function readPart(file: string, from: number, to: number): Buffer {
  if (to <= from || !existsSync(file)) return Buffer.alloc(0);
  const bytes = Buffer.alloc(to - from);
  const descriptor = fs.openSync(file, 'r');
  try {
    return bytes.subarray(0, fs.readSync(descriptor, bytes, 0, bytes.length, from));
  } finally {
    fs.closeSync(descriptor);
  }
}

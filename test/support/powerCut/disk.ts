/** What the disk holds of a folder after a power cut, from the journal of what processes did to its files (journal.c). */
import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Dice } from '../dice.ts';

/** What of that which was not synced has reached the disk: nothing, pieces of it, or everything. */
export type Kept = 'nothing' | 'pieces' | 'everything';

interface Entry {
  readonly what: string;
  readonly file: bigint;
  readonly offset: bigint;
  readonly data: Buffer;
  /** How long the journal is with this entry: the moment after it. */
  readonly moment: number;
}

interface Change {
  readonly entry: Entry;
  /** Its place in the journal. */
  readonly number: number;
}

const HEAD_BYTES = 24;
const WHAT = ['', 'create', 'write', 'truncate', 'begin', 'end', 'unlink', 'rename', 'index', 'unknown'];
/** A disk writes a sector as a whole. */
const SECTOR_BYTES = 512;
/** SQLite's index of a log is as long, at least. */
const INDEX_BYTES = 32_768;

export function readJournal(file: string): Entry[] {
  const bytes = readFileSync(file);
  const entries: Entry[] = [];
  for (let at = 0; at + HEAD_BYTES <= bytes.length; ) {
    const end = at + HEAD_BYTES + bytes.readUInt32LE(at + 4);
    const what = WHAT[bytes.readUInt32LE(at)] ?? '';
    const data = bytes.subarray(at + HEAD_BYTES, end);
    if (what === 'unknown') throw new Error(`The journal cannot follow a call of ${data}.`);
    const [at8, at16] = [bytes.readBigUInt64LE(at + 8), bytes.readBigUInt64LE(at + 16)];
    entries.push({ what, file: at8, offset: at16, data, moment: end });
    at = end;
  }
  return entries;
}

/** The content of a file that grows. */
class Content {
  bytes: Buffer;
  size: number;

  constructor(bytes: Buffer = Buffer.alloc(0)) {
    this.bytes = Buffer.from(bytes);
    this.size = bytes.length;
  }

  copy(): Content {
    return new Content(this.bytes.subarray(0, this.size));
  }

  write(offset: number, data: Buffer): void {
    this.#grow(offset + data.length);
    data.copy(this.bytes, offset);
    this.size = Math.max(this.size, offset + data.length);
  }

  truncate(size: number): void {
    this.#grow(size);
    this.bytes.fill(0, size);
    this.size = size;
  }

  #grow(size: number): void {
    if (size <= this.bytes.length) return;
    const larger = Buffer.alloc(2 * size);
    this.bytes.copy(larger);
    this.bytes = larger;
  }
}

export class Disk {
  readonly #folder: bigint;
  readonly #names: Map<string, bigint>;
  readonly #files = new Map<bigint, { readonly content: Content; unsynced: Change[] }>();
  /** What was done to the folder itself and is not synced. */
  #unsynced: Change[] = [];
  readonly #begun = new Map<bigint, number>();
  readonly #indexes: Buffer[] = [];
  #number = 0;

  /** @param folder as it is before the journal begins, when all of it is on disk */
  constructor(folder: string) {
    this.#folder = statSync(folder, { bigint: true }).ino;
    const inodeOf = (name: string) => statSync(join(folder, name), { bigint: true }).ino;
    this.#names = new Map(readdirSync(folder).map((name) => [name, inodeOf(name)]));
    for (const [name, inode] of this.#names) {
      this.#files.set(inode, { content: new Content(readFileSync(join(folder, name))), unsynced: [] });
    }
  }

  apply(entry: Entry): void {
    const change = { entry, number: this.#number++ };
    if (entry.what === 'begin') this.#begun.set(entry.offset, change.number);
    else if (entry.what === 'end') this.#sync(entry);
    else if (entry.what === 'index') this.#indexes.push(entry.data);
    else if (entry.what === 'write' || entry.what === 'truncate') this.#files.get(entry.file)?.unsynced.push(change);
    else {
      // An inode that was free is used again.
      if (entry.what === 'create') this.#files.set(entry.file, { content: new Content(), unsynced: [] });
      this.#unsynced.push(change);
    }
  }

  /** Writes into a new folder what the disk holds when the power is cut now. */
  writeTo(folder: string, kept: Kept, dice: Dice): void {
    mkdirSync(folder, { mode: 0o700 });
    const names = new Map(this.#names);
    // A file system writes changes of a folder in their order.
    const some = kept === 'nothing' ? 0 : dice.below(this.#unsynced.length + 1);
    const done = this.#unsynced.slice(0, kept === 'everything' ? this.#unsynced.length : some);
    for (const { entry } of done) rename(names, entry);
    for (const [name, inode] of names) {
      const file = this.#files.get(inode);
      const bytes = name.endsWith('-shm') ? this.#indexOf(dice) : file && contentOf(file, kept, dice);
      // Keys that others may read are refused.
      if (bytes !== undefined) writeFileSync(join(folder, name), bytes, { mode: 0o600 });
    }
  }

  #sync({ file, offset }: Entry): void {
    const begun = this.#begun.get(offset) ?? 0;
    const isBefore = ({ number }: Change) => number < begun;
    if (file === this.#folder) {
      for (const { entry } of this.#unsynced.filter(isBefore)) rename(this.#names, entry);
      this.#unsynced = this.#unsynced.filter((change) => !isBefore(change));
      return;
    }
    const found = this.#files.get(file);
    if (found === undefined) return;
    for (const { entry } of found.unsynced.filter(isBefore)) put(found.content, entry);
    found.unsynced = found.unsynced.filter((change) => !isBefore(change));
  }

  /** The index is written through memory, and never synced: any state that it had may be what is on disk. */
  #indexOf(dice: Dice): Buffer {
    const bytes = Buffer.alloc(INDEX_BYTES);
    const newest = this.#indexes.slice(-20);
    newest[dice.below(newest.length || 1)]?.copy(bytes);
    return bytes;
  }
}

function rename(names: Map<string, bigint>, { what, file, data }: Entry): void {
  if (what === 'create') names.set(String(data), file);
  else if (what === 'unlink') names.delete(String(data));
  else {
    const [from = '', to = ''] = String(data).split('/');
    const inode = names.get(from);
    names.delete(from);
    if (inode !== undefined && to !== '') names.set(to, inode);
  }
}

function put(content: Content, { what, offset, data }: Entry): void {
  if (what === 'write') content.write(Number(offset), data);
  else content.truncate(Number(offset));
}

function contentOf(
  { content, unsynced }: { readonly content: Content; readonly unsynced: readonly Change[] },
  kept: Kept,
  dice: Dice,
): Buffer {
  const found = content.copy();
  const chance = [26, 128, 230][dice.below(3)] ?? 0;
  for (const { entry } of kept === 'nothing' ? [] : unsynced) {
    const pieces = kept === 'everything' ? [entry] : piecesOf(entry);
    const draws = dice.bytes(pieces.length);
    for (const [index, piece] of pieces.entries()) {
      if (kept === 'everything' || (draws[index] ?? 0) < chance) put(found, piece);
    }
  }
  return found.bytes.subarray(0, found.size);
}

/** The sectors of a write. */
function piecesOf(entry: Entry): Entry[] {
  if (entry.what !== 'write') return [entry];
  const pieces: Entry[] = [];
  const start = Number(entry.offset);
  const end = start + entry.data.length;
  for (let at = start; at < end; ) {
    const next = Math.min(end, at - (at % SECTOR_BYTES) + SECTOR_BYTES);
    pieces.push({ ...entry, offset: BigInt(at), data: entry.data.subarray(at - start, next - start) });
    at = next;
  }
  return pieces;
}

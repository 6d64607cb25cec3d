/**
 * SQLite takes the first frame of its log that does not hold for the log's end, and begins without a log where there is none:
 * commits after it would be lost without a word. The index beside the log (`-shm`), which a killed process leaves behind,
 * says how far the log was written. A power cut may keep that and lose frames that were not synced: nobody was told of those,
 * so only as many must be there as were noted as synced. Formats: https://www.sqlite.org/walformat.html
 */
import { closeSync, existsSync, openSync, readSync } from 'node:fs';
import { endianness } from 'node:os';
import { syncedFrames } from '../store/sqlite/syncedMark.ts';

const LOG_HEADER_BYTES = 32;
const FRAME_HEADER_BYTES = 24;
/** Whether the checksums of a log are of big-endian words is the last bit of this number at its beginning. */
const MAGIC = 0x377f0682;

interface Index {
  /** As it stands in the file. */
  readonly bytes: Buffer;
  /** Frames of the log that are committed. */
  readonly frames: number;
  /** Of these, so many are in the database. */
  readonly copied: number;
  /** Which log it is about: two numbers that change when a log begins anew. */
  readonly salts: Buffer;
}

/**
 * @param file the database; a process that writes to it meanwhile changes the index, and its log is in use
 * @returns what is wrong with its log, undefined where every frame that was acknowledged is there
 */
export function findCutLog(file: string): string | undefined {
  const index = readIndex(`${file}-shm`);
  if (index === undefined) return undefined;
  const frames = Math.min(index.frames, syncedFrames(file, index.salts));
  if (frames <= index.copied) return undefined;
  const log = `${file}-wal`;
  const held = existsSync(log) ? countFrames(log, { ...index, frames }) : 0;
  if (held === undefined || held >= frames) return undefined;
  // A writer begins the log anew while it is read here: what is missing then is in the database.
  if (readIndex(`${file}-shm`)?.bytes.equals(index.bytes) !== true) return undefined;
  const lost = `${frames - Math.max(held, index.copied)} of its ${frames} committed pages`;
  return existsSync(log) ? `${log} is damaged: ${lost} cannot be read` : `${log} is missing: it had ${lost}`;
}

/** @returns undefined for an index that says nothing: none, of another version, or one that was being written */
function readIndex(file: string): Index | undefined {
  if (!existsSync(file)) return undefined;
  const bytes = Buffer.alloc(100);
  const index = openSync(file, 'r');
  const read = readSync(index, bytes, 0, bytes.length, 0);
  closeSync(index);
  if (read < bytes.length || !bytes.subarray(0, 48).equals(bytes.subarray(48, 96))) return undefined;
  const number = (offset: number) => (endianness() === 'LE' ? bytes.readUInt32LE(offset) : bytes.readUInt32BE(offset));
  const isInitialized = bytes[12] === 1;
  if (!isInitialized || number(0) !== 3_007_000) return undefined;
  return { bytes, frames: number(16), copied: number(96), salts: bytes.subarray(32, 40) };
}

/** @returns how many frames hold from the first on, as far as the index goes; undefined for another log than the index's */
function countFrames(file: string, { frames, salts }: Index): number | undefined {
  const log = openSync(file, 'r');
  try {
    const header = Buffer.alloc(LOG_HEADER_BYTES);
    if (readSync(log, header, 0, LOG_HEADER_BYTES, 0) < LOG_HEADER_BYTES) return 0;
    const magic = header.readUInt32BE(0);
    const isLog = (magic & ~1) >>> 0 === MAGIC;
    if (!isLog) return 0;
    if (!header.subarray(16, 24).equals(salts)) return undefined;
    const sum = checksum((magic & 1) === 1);
    if (!sum.add(header.subarray(0, 24)).isAt(header, 24)) return 0;
    const frame = Buffer.alloc(FRAME_HEADER_BYTES + header.readUInt32BE(8));
    for (let number = 0; number < frames; number++) {
      const place = LOG_HEADER_BYTES + number * frame.length;
      if (readSync(log, frame, 0, frame.length, place) < frame.length) return number;
      if (!frame.subarray(8, 16).equals(salts)) return number;
      sum.add(frame.subarray(0, 8)).add(frame.subarray(FRAME_HEADER_BYTES));
      if (!sum.isAt(frame, 16)) return number;
    }
    return frames;
  } finally {
    closeSync(log);
  }
}

/** SQLite's running checksum over pairs of 32-bit words. */
function checksum(isBigEndian: boolean) {
  let first = 0;
  let second = 0;
  const sum = {
    add(bytes: Buffer) {
      for (let at = 0; at < bytes.length; at += 8) {
        const one = isBigEndian ? bytes.readUInt32BE(at) : bytes.readUInt32LE(at);
        const other = isBigEndian ? bytes.readUInt32BE(at + 4) : bytes.readUInt32LE(at + 4);
        first = (first + one + second) >>> 0;
        second = (second + other + first) >>> 0;
      }
      return sum;
    },
    /** Whether this is the sum that stands there. */
    isAt: (bytes: Buffer, at: number) => bytes.readUInt32BE(at) === first && bytes.readUInt32BE(at + 4) === second,
  };
  return sum;
}

/** Archives of a few files in the ustar format (POSIX.1-1988), which any tar can open, written and read in pieces. */
import { createHash } from 'node:crypto';
import { closeSync, fsyncSync, openSync, readSync, statSync, writeFileSync } from 'node:fs';

const BLOCK = 512;
const PIECE = 1 << 20;

interface ArchiveEntry {
  readonly name: string;
  /** The file to add. */
  readonly path: string;
}

// On a nearly full disk writeSync writes a part and returns its length; writeFileSync writes all, or throws.

/** @param file created by this call, readable by its owner only @throws Error when it exists already */
export function writeArchive(file: string, entries: readonly ArchiveEntry[], clock: () => number): void {
  const target = openSync(file, 'wx', 0o600);
  try {
    for (const { name, path } of entries) {
      const { size } = statSync(path);
      writeFileSync(target, header(name, size, clock()));
      const source = openSync(path, 'r');
      try {
        copyBytes(source, target, size);
      } finally {
        closeSync(source);
      }
      writeFileSync(target, Buffer.alloc(padding(size)));
    }
    writeFileSync(target, Buffer.alloc(2 * BLOCK));
    fsyncSync(target);
  } finally {
    closeSync(target);
  }
}

/**
 * Extracts files.
 * @param placeOf the path to extract a file to, or undefined to skip it
 * @returns the SHA-256 of each extracted file, in hexadecimal
 * @throws Error when the file is truncated or not an archive
 */
export function readArchive(file: string, placeOf: (name: string) => string | undefined): Map<string, string> {
  const hashes = new Map<string, string>();
  const source = openSync(file, 'r');
  try {
    for (;;) {
      const block = readExactly(source, BLOCK);
      if (block.every((byte) => byte === 0)) return hashes;
      const { name, size } = parseHeader(block);
      const place = placeOf(name);
      const target = place === undefined ? undefined : openSync(place, 'wx', 0o600);
      try {
        const hash = copyBytes(source, target, size);
        if (target !== undefined) hashes.set(name, hash);
      } finally {
        if (target !== undefined) closeSync(target);
      }
      readExactly(source, padding(size));
    }
  } finally {
    closeSync(source);
  }
}

/** @returns the SHA-256 of what was copied */
function copyBytes(source: number, target: number | undefined, size: number): string {
  const hash = createHash('sha256');
  for (let left = size; left > 0; ) {
    const piece = readExactly(source, Math.min(left, PIECE));
    hash.update(piece);
    if (target !== undefined) writeFileSync(target, piece);
    left -= piece.length;
  }
  if (target !== undefined) fsyncSync(target);
  return hash.digest('hex');
}

function readExactly(source: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  for (let read = 0; read < size; ) {
    const count = readSync(source, bytes, read, size - read, null);
    if (count === 0) throw new Error('The backup is truncated.');
    read += count;
  }
  return bytes;
}

function padding(size: number): number {
  return (BLOCK - (size % BLOCK)) % BLOCK;
}

function header(name: string, size: number, now: number): Buffer {
  const block = Buffer.alloc(BLOCK);
  block.write(name, 0, 100);
  block.write('0000600\0', 100);
  block.write('0000000\0', 108);
  block.write('0000000\0', 116);
  // Sizes of 8 GiB and more do not fit into eleven octal digits; GNU tar and star write them in base 256.
  if (size < 8 ** 11) block.write(`${size.toString(8).padStart(11, '0')}\0`, 124);
  else {
    block[124] = 0x80;
    block.writeBigUInt64BE(BigInt(size), 128);
  }
  block.write(
    `${Math.floor(now / 1000)
      .toString(8)
      .padStart(11, '0')}\0`,
    136,
  );
  block.write('0', 156);
  block.write('ustar\x0000', 257);
  block.fill(' ', 148, 156);
  block.write(`${checksum(block).toString(8).padStart(6, '0')}\0 `, 148);
  return block;
}

function parseHeader(block: Buffer): { name: string; size: number } {
  const text = (from: number, length: number) => block.toString('utf8', from, from + length).replace(/\0[\s\S]*$/, '');
  const blank = Buffer.from(block);
  blank.fill(' ', 148, 156);
  if (text(257, 5) !== 'ustar' || Number.parseInt(text(148, 8), 8) !== checksum(blank)) {
    throw new Error('The file is not a backup: it is neither an archive of this program nor an SQLite database.');
  }
  const size = block[124] === 0x80 ? Number(block.readBigUInt64BE(128)) : Number.parseInt(text(124, 12), 8);
  return { name: text(0, 100), size };
}

function checksum(block: Buffer): number {
  return block.reduce((sum, byte) => sum + byte, 0);
}

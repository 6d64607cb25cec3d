/** Downloads the backup that the node keeps, checks it, and gives it to the browser to keep. */
import type { Operations } from '../../client/operations.ts';
import { streamBackup } from '../../client/stream.ts';
import { download } from './files.ts';
import { ENDLESS } from './node.ts';

export type Archive = NonNullable<Operations['showBackup']['output']['archive']>;

/** Browsers keep large blobs on the disk, and arrays in memory. */
const BLOB_BYTES = 8 * 1024 * 1024;

/**
 * @param onProgress is told how many bytes have come
 * @throws CountersignError; Error where what came is not what was announced
 */
export async function saveBackup(archive: Archive, onProgress: (bytes: number) => void): Promise<void> {
  const { sha256 } = await import('@noble/hashes/sha2.js');
  const hash = sha256.create();
  const blobs: Blob[] = [];
  let pieces: Uint8Array<ArrayBuffer>[] = [];
  let waiting = 0;
  let bytes = 0;
  const gather = () => {
    blobs.push(new Blob(pieces));
    pieces = [];
    waiting = 0;
  };
  for await (const piece of streamBackup(ENDLESS)) {
    hash.update(piece);
    pieces.push(piece as Uint8Array<ArrayBuffer>);
    waiting += piece.length;
    bytes += piece.length;
    if (waiting >= BLOB_BYTES) gather();
    onProgress(bytes);
  }
  gather();
  if (toHex(hash.digest()) !== archive.sha256) {
    throw new Error('Another backup took its place while this one was downloaded. Download it again.');
  }
  download(archive.fileName, new Blob(blobs), 'application/x-tar');
}

function toHex(bytes: Uint8Array): string {
  return [...bytes].map((byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** Undoes gzip (RFC 1952) wherever JavaScript runs, without growing beyond what its reader expects. */
import { gunzipSync } from 'fflate';

/** @returns undefined for what is no gzip, or says that it is longer than `most` bytes */
export function gunzip(compressed: Uint8Array, most: number): Uint8Array | undefined {
  if (compressed.length < 18) return undefined;
  // Its last four bytes are its length; what would be beyond is not written.
  const length = new DataView(compressed.buffer, compressed.byteOffset).getUint32(compressed.length - 4, true);
  if (length > most) return undefined;
  try {
    return gunzipSync(compressed, { out: new Uint8Array(length) });
  } catch {
    return undefined;
  }
}

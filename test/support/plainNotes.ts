/**
 * Signed notes, cosignatures and Merkle trees once more, written from the texts of C2SP and RFC 6962 with nothing but
 * node:crypto: what the program makes is verified by it, and it makes what the program has to verify.
 */
import { createHash, createPrivateKey, createPublicKey, sign, verify } from 'node:crypto';

const PKCS8 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI = Buffer.from('302a300506032b6570032100', 'hex');

function sha256(...parts: readonly Uint8Array[]): Buffer {
  const hash = createHash('sha256');
  for (const part of parts) hash.update(part);
  return hash.digest();
}

/** A key that signs: `type` 1 for logs, 4 for witnesses. */
export interface PlainKey {
  readonly name: string;
  readonly type: 1 | 4;
  readonly vkey: string;
  sign(message: Uint8Array): Buffer;
}

export function plainKey(name: string, type: 1 | 4, seed: Uint8Array): PlainKey {
  const key = createPrivateKey({ key: Buffer.concat([PKCS8, seed]), format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(SPKI.length);
  const material = Buffer.concat([Buffer.of(type), raw]);
  const id = sha256(Buffer.from(`${name}\n`), material).subarray(0, 4);
  return {
    name,
    type,
    vkey: `${name}+${id.toString('hex')}+${material.toString('base64')}`,
    sign: (message) => sign(null, message, key),
  };
}

function idOf(vkey: string): Buffer {
  return Buffer.from(vkey.split('+')[1] ?? '', 'hex');
}

export function plainNote(key: PlainKey, text: string): string {
  const line = Buffer.concat([idOf(key.vkey), key.sign(Buffer.from(text))]).toString('base64');
  return `${text}\n— ${key.name} ${line}\n`;
}

/** @param time in seconds since the epoch */
export function plainCosignature(key: PlainKey, text: string, time: number): string {
  const stamp = Buffer.alloc(8);
  stamp.writeBigUInt64BE(BigInt(time));
  const signature = key.sign(Buffer.from(`cosignature/v1\ntime ${time}\n${text}`));
  return `— ${key.name} ${Buffer.concat([idOf(key.vkey), stamp, signature]).toString('base64')}\n`;
}

/** Whether the key of a verifier key has signed a note, by the rule of its type; the time for a witness's key. */
export function isSignedPlainly(note: string, vkey: string): boolean {
  const [name = '', id = '', ...rest] = vkey.split('+');
  const material = Buffer.from(rest.join('+'), 'base64');
  const key = createPublicKey({ key: Buffer.concat([SPKI, material.subarray(1)]), format: 'der', type: 'spki' });
  const end = note.lastIndexOf('\n\n') + 1;
  const text = note.slice(0, end);
  for (const line of note.slice(end + 1).split('\n')) {
    const [dash, signer, encoded = ''] = line.split(' ');
    const bytes = Buffer.from(encoded, 'base64');
    if (dash !== '—' || signer !== name || bytes.subarray(0, 4).toString('hex') !== id) continue;
    if (material[0] === 1) return verify(null, Buffer.from(text), key, bytes.subarray(4));
    const message = `cosignature/v1\ntime ${bytes.readBigUInt64BE(4)}\n${text}`;
    return verify(null, Buffer.from(message), key, bytes.subarray(12));
  }
  return false;
}

/** MTH of RFC 6962 section 2.1, word for word. */
export function plainRoot(leaves: readonly Uint8Array[]): Buffer {
  if (leaves.length === 0) return sha256();
  if (leaves.length === 1) return sha256(Buffer.of(0), leaves[0] as Uint8Array);
  const k = splitOf(leaves.length);
  return sha256(Buffer.of(1), plainRoot(leaves.slice(0, k)), plainRoot(leaves.slice(k)));
}

/** PROOF of RFC 6962 section 2.1.2, word for word. */
export function plainConsistency(m: number, leaves: readonly Uint8Array[]): Buffer[] {
  return m === 0 ? [] : subproof(m, leaves, true);
}

function subproof(m: number, leaves: readonly Uint8Array[], whole: boolean): Buffer[] {
  if (m === leaves.length) return whole ? [] : [plainRoot(leaves)];
  const k = splitOf(leaves.length);
  if (m <= k) return [...subproof(m, leaves.slice(0, k), whole), plainRoot(leaves.slice(k))];
  return [...subproof(m - k, leaves.slice(k), false), plainRoot(leaves.slice(0, k))];
}

/** The largest power of two smaller than n. */
function splitOf(n: number): number {
  let k = 1;
  while (k * 2 < n) k *= 2;
  return k;
}

/** The text of a checkpoint over these entries. */
export function plainCheckpoint(origin: string, leaves: readonly Uint8Array[]): string {
  return `${origin}\n${leaves.length}\n${plainRoot(leaves).toString('base64')}\n`;
}

/** The body of an add-checkpoint request. */
export function plainRequest(old: number, proof: readonly Uint8Array[], note: string): string {
  return `old ${old}\n${proof.map((hash) => `${Buffer.from(hash).toString('base64')}\n`).join('')}\n${note}`;
}

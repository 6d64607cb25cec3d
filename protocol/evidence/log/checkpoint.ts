/**
 * Checkpoints (C2SP tlog-checkpoint) of an evidence chain: its length and Merkle root, signed by the issuer. A reader who kept
 * one can later detect that the chain was truncated or rewritten.
 */
import type { Signer, Suite } from '../../credential/ed25519.ts';
import { fromBase64, fromHex, toBase64 } from '../../credential/encodings.ts';
import { leafHash } from './merkle.ts';
import { isBy, keyNamed, LOG_KEY, openNote, readNote, signNote } from './note.ts';

export interface Checkpoint {
  /** The name of the chain. */
  readonly origin: string;
  /** How many events the chain had. */
  readonly size: number;
  readonly root: Uint8Array;
}

/** A size in decimal, of at most 15 digits, so that it is exact as a number. */
export const SIZE = /^(0|[1-9]\d{0,14})$/;

export function originOf(tenantId: string): string {
  return `countersign/evidence/${tenantId}`;
}

export function signCheckpoint(suite: Suite, signer: Signer, { origin, size, root }: Checkpoint): string {
  return signNote(suite, signer, `${origin}\n${size}\n${toBase64(root)}\n`);
}

type CheckpointCheck =
  | { readonly ok: true; readonly checkpoint: Checkpoint /** The DID whose key signed it. */; readonly signer: string }
  | { readonly ok: false; readonly reason: string };

/** @param issuers every DID the issuer has had; the signature of any of them counts */
export function openCheckpoint(suite: Suite, note: string, issuers: readonly string[]): CheckpointCheck {
  const read = readNote(note);
  const signatures = read.ok ? read.signatures : [];
  const hasSigned = (did: string) =>
    signatures.some((each) => each.name === did && isBy(suite, each, keyNamed(did), LOG_KEY));
  const signer = issuers.find(hasSigned) ?? issuers.at(-1) ?? '';
  const opened = openNote(suite, note, keyNamed(signer));
  if (!opened.ok) return { ok: false, reason: `The checkpoint does not hold: ${opened.reason}.` };
  const checkpoint = checkpointIn(opened.text);
  if (checkpoint === undefined || checkpoint.extensions > 0) {
    return { ok: false, reason: 'The checkpoint does not hold: its text is no checkpoint.' };
  }
  const { origin, size, root } = checkpoint;
  return { ok: true, signer, checkpoint: { origin, size, root } };
}

/**
 * Reads the text of a note as a checkpoint.
 * @returns undefined for a text that is no checkpoint, or over more events than any chain has
 */
export function checkpointIn(
  text: string,
): (Checkpoint & { /** Lines after the third. */ extensions: number }) | undefined {
  const lines = text.split('\n');
  if (lines.pop() !== '' || lines.includes('')) return undefined;
  const [origin, size = '', encoded = '', ...extensions] = lines;
  const root = fromBase64(encoded);
  if (!origin || !SIZE.test(size) || root?.length !== 32) return undefined;
  return { origin, size: Number(size), root, extensions: extensions.length };
}

/** The tree's leaf for an event: the leaf hash of the 32 bytes of its hash, which covers the whole event. */
export function eventLeaf(suite: Suite, hashCurr: string): Uint8Array {
  // What is no hash matches none.
  return leafHash(suite, fromHex(hashCurr.slice('sha256:'.length)) ?? new Uint8Array());
}

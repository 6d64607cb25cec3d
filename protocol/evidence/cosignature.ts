/** Cosignatures (C2SP tlog-cosignature, Ed25519): what a witness signs of a checkpoint, and how a reader asks for them. */
import { SIGNATURE_BYTES, type Signer, type Suite } from '../credential/ed25519.ts';
import { toBase64 } from '../credential/encodings.ts';
import { isBy, keyIdOf, MOST_SIGNATURES, type NoteDemand, type NoteKey, readNote, WITNESS_KEY } from './note.ts';

const TIME_BYTES = 8;
const utf8 = new TextEncoder();

/**
 * Cosigns a checkpoint.
 * @param name of the witness's key
 * @param text the note's text without its signatures
 * @param at milliseconds since the epoch; the cosignature holds whole seconds
 * @returns the signature line, with its newline
 */
export function cosign(suite: Suite, signer: Signer, name: string, text: string, at: number): string {
  const seconds = Math.floor(at / 1000);
  const keyId = keyIdOf(suite, { name, publicKey: signer.publicKey }, WITNESS_KEY);
  const signed = new Uint8Array(keyId.length + TIME_BYTES + SIGNATURE_BYTES);
  signed.set(keyId, 0);
  new DataView(signed.buffer).setBigUint64(keyId.length, BigInt(seconds));
  signed.set(signer.sign(signedText(seconds, text)), keyId.length + TIME_BYTES);
  return `— ${name} ${toBase64(signed)}\n`;
}

/** A cosignature that holds. */
interface Cosignature {
  readonly witness: NoteKey;
  /** When the witness made it, by its own clock, in seconds since the epoch. */
  readonly time: number;
  /** Its line, with its newline. */
  readonly line: string;
}

type CosignaturesRead =
  | { readonly ok: true; readonly cosignatures: readonly Cosignature[] }
  | { readonly ok: false; readonly reason: string };

/**
 * The cosignatures of a note by the given witnesses, one of each at most, in the order of the note. Signatures by other
 * keys are ignored; one by a given witness that does not hold voids the note, as the specification advises.
 */
export function readCosignatures(suite: Suite, note: string, witnesses: readonly NoteKey[]): CosignaturesRead {
  const read = readNote(note);
  if (!read.ok) return read;
  const found = new Map<NoteKey, Cosignature>();
  for (const each of read.signatures) {
    const witness = witnesses.find((key) => isBy(suite, each, key, WITNESS_KEY));
    if (witness === undefined) continue;
    const time = timeOf(suite, witness, each.signature, read.text);
    if (time === undefined) return { ok: false, reason: `the cosignature of ${witness.name} does not match its text` };
    if (!found.has(witness)) found.set(witness, { witness, time, line: each.line });
  }
  return { ok: true, cosignatures: [...found.values()] };
}

/** @returns the time of a cosignature that holds, in seconds since the epoch; undefined for any other */
function timeOf(suite: Suite, { publicKey }: NoteKey, signature: Uint8Array, text: string): number | undefined {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const time = new DataView(signature.buffer, signature.byteOffset).getBigUint64(0);
  // A checkpoint's cosignature always has a time, and one beyond 2^53 is none that a clock could have shown.
  if (time === 0n || time > BigInt(Number.MAX_SAFE_INTEGER)) return undefined;
  const seconds = Number(time);
  return suite.verify(publicKey, signedText(seconds, text), signature.slice(TIME_BYTES)) ? seconds : undefined;
}

/** By whom a reader wants a checkpoint to be cosigned. */
export interface WitnessDemand {
  readonly witnesses: readonly NoteKey[];
  /** How many of them are enough. */
  readonly quorum: number;
}

/** The demand that enough of the witnesses have cosigned a note; what it says names who is missing. */
export function cosignedBy(suite: Suite, { witnesses, quorum }: WitnessDemand): NoteDemand {
  return (note) => {
    const read = readCosignatures(suite, note, witnesses);
    if (!read.ok) return `The checkpoint does not hold: ${read.reason}.`;
    const { cosignatures } = read;
    if (cosignatures.length >= quorum) return undefined;
    const missing = witnesses.filter((each) => cosignatures.every(({ witness }) => witness !== each));
    const names = missing.map(({ name }) => name).join(', ');
    const count = `${cosignatures.length} of the ${quorum} that are asked for`;
    return `The checkpoint is cosigned by ${count}: the cosignature of ${names} is missing.`;
  };
}

/**
 * A note with cosignatures behind its own signatures.
 * @param lines each with its newline, the oldest first; the last of them where there are more than a note is read with
 */
export function withCosignatures(note: string, lines: readonly string[]): string {
  const own = note.slice(note.lastIndexOf('\n\n') + 2).split('\n').length - 1;
  const room = Math.max(0, MOST_SIGNATURES - own);
  const more = lines.filter((line) => !note.includes(`\n${line}`));
  return note + more.slice(Math.max(0, more.length - room)).join('');
}

function signedText(seconds: number, text: string): Uint8Array {
  return utf8.encode(`cosignature/v1\ntime ${seconds}\n${text}`);
}

/** Cosignatures (C2SP tlog-cosignature, Ed25519): what a witness signs of a checkpoint, and how a reader asks for them. */
import { SIGNATURE_BYTES, type Signer, type Suite } from '../../credential/ed25519.ts';
import { fromBase64, toBase64 } from '../../credential/encodings.ts';
import { isBy, keyIdOf, MOST_SIGNATURES, type NoteDemand, type NoteKey, readNote, WITNESS_KEY } from './note.ts';

const TIME_BYTES = 8;
const KEY_ID_BYTES = 4;
/** The last second that a Date holds, in the year 275760: what is later was counted in something else than seconds. */
const LAST_SECOND = 8_640_000_000_000n;
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
    if (typeof time === 'string') return { ok: false, reason: `the cosignature of ${witness.name} ${time}` };
    if (!found.has(witness)) found.set(witness, { witness, time, line: each.line });
  }
  return { ok: true, cosignatures: [...found.values()] };
}

/** @returns the time of a cosignature that holds, in seconds since the epoch, or what is wrong with it, as a phrase */
function timeOf(suite: Suite, { publicKey }: NoteKey, signature: Uint8Array, text: string): number | string {
  if (signature.length !== TIME_BYTES + SIGNATURE_BYTES) return 'does not match its text';
  const time = readTime(signature, 0);
  // A checkpoint's cosignature always has a time (tlog-witness), and a signed one that is no date proves nothing.
  if (!isDate(time)) return `is dated ${time}, which is no time in seconds since 1970`;
  const seconds = Number(time);
  const isSigned = suite.verify(publicKey, signedText(seconds, text), signature.slice(TIME_BYTES));
  return isSigned ? seconds : 'does not match its text';
}

function readTime(bytes: Uint8Array, offset: number): bigint {
  return new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(offset);
}

function isDate(time: bigint): boolean {
  return time > 0n && time <= LAST_SECOND;
}

/**
 * The time that a line of cosignature states, whether or not it is signed.
 * @returns seconds since the epoch; undefined for what is no such line, or states no time
 */
export function statedTime(line: string): number | undefined {
  const bytes = fromBase64(line.trimEnd().split(' ')[2] ?? '');
  if (bytes?.length !== KEY_ID_BYTES + TIME_BYTES + SIGNATURE_BYTES) return undefined;
  const time = readTime(bytes, KEY_ID_BYTES);
  return isDate(time) ? Number(time) : undefined;
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

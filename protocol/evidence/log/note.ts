/** Signed notes (C2SP signed-note): a text, a blank line and signature lines, here with Ed25519. */
import { keyOfDid } from '../../credential/did.ts';
import { SIGNATURE_BYTES, type Signer, type Suite } from '../../credential/ed25519.ts';
import { fromBase64, toBase64, toHex } from '../../credential/encodings.ts';
import { isPublicKey } from '../../credential/publicKey.ts';

/** The types of keys here: Ed25519 over the text of a note, and timestamped Ed25519 over a checkpoint. */
export const LOG_KEY = 1;
export const WITNESS_KEY = 4;
type KeyType = typeof LOG_KEY | typeof WITNESS_KEY;

const KEY_ID_BYTES = 4;
/** The most signatures that a note is read with: the specification asks for a limit, and for room for 16. */
export const MOST_SIGNATURES = 64;
/** What no name of a key may have by the specification. */
const NOT_IN_NAMES = /[+\p{White_Space}]/u;
const utf8 = new TextEncoder();

/**
 * @param text ends in a newline and has no blank line
 * @returns the note, signed in the name of the signer's DID
 */
export function signNote(suite: Suite, signer: Signer, text: string): string {
  const signature = signer.sign(utf8.encode(text));
  const signed = new Uint8Array(KEY_ID_BYTES + SIGNATURE_BYTES);
  signed.set(keyIdOf(suite, { name: signer.did, publicKey: signer.publicKey }, LOG_KEY), 0);
  signed.set(signature, KEY_ID_BYTES);
  return `${text}\n— ${signer.did} ${toBase64(signed)}\n`;
}

type NoteCheck = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

export interface NoteKey {
  readonly name: string;
  readonly publicKey: Uint8Array;
}

/** What a reader asks of a note. @returns one sentence that says what is missing; undefined where nothing is */
export type NoteDemand = (note: string) => string | undefined;

/** The key of an issuer, whose name is its DID. */
export function keyNamed(did: string): NoteKey {
  return { name: did, publicKey: keyOfDid(did) };
}

/** One signature of a note, as its line gives it. */
interface NoteSignature {
  readonly name: string;
  readonly keyId: Uint8Array;
  readonly signature: Uint8Array;
  /** The whole line, with its newline. */
  readonly line: string;
}

type NoteRead =
  | { readonly ok: true; readonly text: string; readonly signatures: readonly NoteSignature[] }
  | { readonly ok: false; readonly reason: string };

/** Takes a note apart. No signature is verified; a line that stands several times is given once. */
export function readNote(note: string): NoteRead {
  if (hasControl(note)) return fail('it has a control character other than the newline');
  const end = note.lastIndexOf('\n\n');
  if (end < 0 || end + 2 === note.length) return fail('it has no signature');
  if (!note.endsWith('\n')) return fail('its last line does not end');
  const lines = note.slice(end + 2, -1).split('\n', MOST_SIGNATURES + 1);
  if (lines.length > MOST_SIGNATURES) return fail(`it has more than ${MOST_SIGNATURES} signatures`);
  const signatures: NoteSignature[] = [];
  for (const line of new Set(lines)) {
    const signature = signatureIn(line);
    if (signature === undefined) return fail('a signature line is malformed');
    signatures.push(signature);
  }
  return { ok: true, text: note.slice(0, end + 1), signatures };
}

function signatureIn(line: string): NoteSignature | undefined {
  const [mark, name, encoded, ...more] = line.split(' ', 4);
  if (mark !== '—' || !name || NOT_IN_NAMES.test(name) || encoded === undefined || more.length > 0) return undefined;
  const bytes = fromBase64(encoded);
  // The id of a key alone is no signature.
  if (bytes === undefined || bytes.length <= KEY_ID_BYTES) return undefined;
  return { name, keyId: bytes.slice(0, KEY_ID_BYTES), signature: bytes.slice(KEY_ID_BYTES), line: `${line}\n` };
}

function hasControl(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if (code < 0x20 && code !== 0x0a) return true;
  }
  return false;
}

/** Whether a signature names this key, by its name and its id. */
export function isBy(suite: Suite, { name, keyId }: NoteSignature, key: NoteKey, type: KeyType): boolean {
  return name === key.name && keyIdOf(suite, key, type).every((byte, index) => byte === keyId[index]);
}

/** Verifies one key's signature of a note. Signatures by other keys are ignored, also those by one of the same name. */
export function openNote(suite: Suite, note: string, key: NoteKey): NoteCheck {
  const read = readNote(note);
  if (!read.ok) return read;
  const own = read.signatures.filter((each) => isBy(suite, each, key, LOG_KEY));
  if (own.some(({ signature }) => !suite.verify(key.publicKey, utf8.encode(read.text), signature))) {
    return fail(`the signature of ${key.name} does not match its text`);
  }
  return own.length > 0 ? { ok: true, text: read.text } : fail(`${key.name} has not signed it`);
}

/** The key in the form that other tools for signed notes use. */
export function verifierKey(suite: Suite, key: NoteKey, type: KeyType = LOG_KEY): string {
  return `${key.name}+${toHex(keyIdOf(suite, key, type))}+${toBase64(Uint8Array.of(type, ...key.publicKey))}`;
}

/**
 * Reads a key in that form.
 * @returns the key, or what is wrong with it as a phrase that begins with "must"
 */
export function readVerifierKey(suite: Suite, text: string, type: KeyType): NoteKey | string {
  const [, name = '', id = '', encoded = ''] =
    /^([^+\p{White_Space}]+)\+([0-9a-f]{8})\+([A-Za-z0-9+/=]+)$/u.exec(text) ?? [];
  const bytes = fromBase64(encoded);
  if (name === '' || bytes === undefined) return 'must be a verifier key of the form name+hash+key';
  if (bytes[0] !== type) return `must be a key of type ${type}, and is one of type ${bytes[0] ?? 'none'}`;
  const key = { name, publicKey: bytes.slice(1) };
  if (!isPublicKey(key.publicKey)) return 'must hold an Ed25519 key';
  if (toHex(keyIdOf(suite, key, type)) !== id) return 'must have the hash of its name and key, and has another one';
  return key;
}

/**
 * A name that may be given to a key: not empty, without spaces and without a plus sign, as notes demand of every name, and
 * without a comma, by which the setting of a node parts the witnesses that it names.
 */
export function isKeyName(name: string): boolean {
  return /^[^+,\s\p{Cc}]{1,255}$/u.test(name);
}

export function keyIdOf(suite: Suite, { name, publicKey }: NoteKey, type: KeyType): Uint8Array {
  return suite.sha256Bytes(Uint8Array.of(...utf8.encode(`${name}\n`), type, ...publicKey)).slice(0, KEY_ID_BYTES);
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

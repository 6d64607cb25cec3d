/** Signed notes (C2SP signed-note): a text, a blank line and signature lines, here with Ed25519. */
import { keyOfDid } from '../credential/did.ts';
import { SIGNATURE_BYTES, type Signer, type Suite } from '../credential/ed25519.ts';
import { fromBase64, toBase64 } from '../credential/encodings.ts';

const ED25519 = 1;
const KEY_ID_BYTES = 4;
const utf8 = new TextEncoder();

/**
 * @param text ends in a newline and has no blank line
 * @returns the note, signed in the name of the signer's DID
 */
export function signNote(suite: Suite, signer: Signer, text: string): string {
  const signature = signer.sign(utf8.encode(text));
  const signed = new Uint8Array(KEY_ID_BYTES + SIGNATURE_BYTES);
  signed.set(keyIdOf(suite, { name: signer.did, publicKey: signer.publicKey }), 0);
  signed.set(signature, KEY_ID_BYTES);
  return `${text}\n— ${signer.did} ${toBase64(signed)}\n`;
}

type NoteCheck = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly reason: string };

interface NoteKey {
  readonly name: string;
  readonly publicKey: Uint8Array;
}

/** The key of an issuer, whose name is its DID. */
export function keyNamed(did: string): NoteKey {
  return { name: did, publicKey: keyOfDid(did) };
}

/** Verifies one key's signature of a note. Signatures by other keys are ignored. */
export function openNote(suite: Suite, note: string, key: NoteKey): NoteCheck {
  const end = note.lastIndexOf('\n\n');
  if (end < 0) return fail('it has no signature');
  const text = note.slice(0, end + 1);
  const keyId = keyIdOf(suite, key);
  const lines = note.slice(end + 2).split('\n');
  if (lines.pop() !== '') return fail('its last line does not end');
  let signed = false;
  for (const line of lines) {
    const [mark, name, encoded, ...more] = line.split(' ');
    const bytes = encoded === undefined ? undefined : fromBase64(encoded);
    if (mark !== '—' || more.length > 0 || bytes === undefined || bytes.length < KEY_ID_BYTES) {
      return fail('a signature line is malformed');
    }
    if (name !== key.name) continue;
    if (!keyId.every((byte, index) => byte === bytes[index])) return fail(`the key id is not that of ${key.name}`);
    if (!suite.verify(key.publicKey, utf8.encode(text), bytes.slice(KEY_ID_BYTES))) {
      return fail(`the signature of ${key.name} does not match its text`);
    }
    signed = true;
  }
  return signed ? { ok: true, text } : fail(`${key.name} has not signed it`);
}

/** The key in the form that other tools for signed notes use. */
export function verifierKey(suite: Suite, key: NoteKey): string {
  const keyId = [...keyIdOf(suite, key)].map((byte) => byte.toString(16).padStart(2, '0')).join('');
  return `${key.name}+${keyId}+${toBase64(Uint8Array.of(ED25519, ...key.publicKey))}`;
}

function keyIdOf(suite: Suite, { name, publicKey }: NoteKey): Uint8Array {
  return suite.sha256Bytes(Uint8Array.of(...utf8.encode(`${name}\n`), ED25519, ...publicKey)).slice(0, KEY_ID_BYTES);
}

function fail(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason };
}

/** Ids that cannot be guessed. */
import { toBase64url } from '../protocol/credential/encodings.ts';

/** 128 random bits as base64url text. */
export function randomId(): string {
  return toBase64url(crypto.getRandomValues(new Uint8Array(16)));
}

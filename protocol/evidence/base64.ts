/** Base64 with padding (RFC 4648 §4), as signed notes write it. */
import { fromBase64url, toBase64url } from '../credential/base64url.ts';

export function toBase64(bytes: Uint8Array): string {
  const text = toBase64url(bytes).replaceAll('-', '+').replaceAll('_', '/');
  return text + '='.repeat((4 - (text.length % 4)) % 4);
}

/** @returns undefined for anything but the one spelling of some bytes */
export function fromBase64(text: string): Uint8Array | undefined {
  const bytes = fromBase64url(text.replace(/=+$/, '').replaceAll('+', '-').replaceAll('/', '_'));
  return bytes === undefined || toBase64(bytes) !== text ? undefined : bytes;
}

/** Seals secrets for storage: AES-256-GCM under a key derived from the issuer's seed. */
import { createCipheriv, createDecipheriv, createSecretKey, hkdfSync, randomBytes } from 'node:crypto';
import { fromBase64url } from '../../protocol/credential/encodings.ts';

export interface Sealer {
  /** @param context what the secret is and whose; opening it requires the same */
  seal(plain: string, context: string): string;
  /** @throws Error when the text was not sealed with this seed and for this context */
  open(sealed: string, context: string): string;
  /** Secret bytes for one purpose, the same at each start. @param purpose that nothing else is derived for */
  derive(purpose: string, bytes: number): Uint8Array;
}

const KEY_BYTES = 32;
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const VERSION = 'v1.';

/**
 * @param seed the issuer's seed, which opens everything sealed with it
 * @param random unpredictable bytes, for the nonces
 * @returns a sealer whose texts are `v1.` and the base64url of nonce (12 bytes), ciphertext and tag (16 bytes)
 */
export function sealer(seed: Uint8Array, random: (size: number) => Uint8Array = randomBytes): Sealer {
  const derive = (purpose: string, bytes: number) =>
    new Uint8Array(hkdfSync('sha256', seed, '', `countersign-${purpose}-v1`, bytes));
  const key = createSecretKey(derive('seal', KEY_BYTES));
  return {
    derive,
    seal(plain, context) {
      const nonce = random(NONCE_BYTES);
      const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(context));
      const text = Buffer.concat([cipher.update(plain, 'utf8'), cipher.final()]);
      // Written by Node: letter by letter an answer takes more memory than all else of its request.
      return VERSION + Buffer.concat([nonce, text, cipher.getAuthTag()]).toString('base64url');
    },
    open(sealed, context) {
      const bytes = sealed.startsWith(VERSION) ? fromBase64url(sealed.slice(VERSION.length)) : undefined;
      if (bytes === undefined || bytes.length < NONCE_BYTES + TAG_BYTES) throw unreadable();
      const end = bytes.length - TAG_BYTES;
      // The length is fixed here because GCM would otherwise accept a tag truncated to four bytes.
      const decipher = createDecipheriv('aes-256-gcm', key, bytes.subarray(0, NONCE_BYTES), {
        authTagLength: TAG_BYTES,
      });
      decipher.setAAD(Buffer.from(context)).setAuthTag(bytes.subarray(end));
      try {
        const plain = decipher.update(bytes.subarray(NONCE_BYTES, end));
        return Buffer.concat([plain, decipher.final()]).toString('utf8');
      } catch {
        throw unreadable();
      }
    },
  };
}

function unreadable(): Error {
  return new Error('A sealed secret cannot be opened: it was changed, or sealed with another key or for another use.');
}

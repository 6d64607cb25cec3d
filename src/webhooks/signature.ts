/**
 * How a delivery is signed: X-Service-Signature (HMAC-SHA256 of the raw body under the secret) and the headers of
 * Standard Webhooks 1.0, which cover the id and the moment as well.
 */
import { createHash, hash } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** A secret as both ways of signing take it. */
export interface SigningKey {
  /** Keyed with the bytes of the secret as it is written. */
  readonly text: HmacKey;
  /** Keyed as Standard Webhooks does: with the base64 after `whsec_`, else the bytes of the secret. */
  readonly standard: HmacKey;
}

export function signingKey(secret: string): SigningKey {
  const text = Buffer.from(secret);
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  return { text: hmacKey(text), standard: hmacKey(BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : text) };
}

/**
 * @param delivery.id the event's id, the same at each attempt
 * @param delivery.timestamp seconds since the epoch, of this attempt
 * @param keys the current secret first; a former one while both hold
 */
export function signatureHeaders(
  delivery: { readonly id: string; readonly timestamp: number; readonly body: string },
  keys: readonly [SigningKey, ...SigningKey[]],
): Record<string, string> {
  const { id, timestamp, body } = delivery;
  const [current, former] = keys;
  const content = `${id}.${timestamp}.${body}`;
  const signature = `v1,${hmac(current.standard, content, 'base64')}`;
  const headers: Record<string, string> = {
    'x-service-signature': `sha256=${hmac(current.text, body, 'hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': signature,
  };
  if (former !== undefined) {
    headers['x-service-signature-previous'] = `sha256=${hmac(former.text, body, 'hex')}`;
    headers['webhook-signature'] = `${signature} v1,${hmac(former.standard, content, 'base64')}`;
  }
  return headers;
}

/** The two blocks that HMAC (RFC 2104) puts in front of what it hashes, made once for a secret. */
interface HmacKey {
  readonly inner: Buffer;
  readonly outer: Buffer;
}

const BLOCK_BYTES = 64;

function hmacKey(secret: Buffer): HmacKey {
  const key = Buffer.alloc(BLOCK_BYTES);
  (secret.length > BLOCK_BYTES ? createHash('sha256').update(secret).digest() : secret).copy(key);
  return { inner: key.map((byte) => byte ^ 0x36) as Buffer, outer: key.map((byte) => byte ^ 0x5c) as Buffer };
}

/** HMAC-SHA256 by two one-shot hashes, which cost a third of what createHmac does. */
function hmac(key: HmacKey, text: string, encoding: 'hex' | 'base64'): string {
  const message = Buffer.allocUnsafe(BLOCK_BYTES + Buffer.byteLength(text));
  key.inner.copy(message);
  message.write(text, BLOCK_BYTES);
  return hash('sha256', Buffer.concat([key.outer, hash('sha256', message, 'buffer')]), encoding);
}

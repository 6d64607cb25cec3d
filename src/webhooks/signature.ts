/**
 * Signatures of deliveries: X-Service-Signature (HMAC-SHA256 of the raw body with the secret) and the headers of Standard
 * Webhooks 1.0, which also cover the id and the time.
 */
import { createHmac, createSecretKey, type KeyObject } from 'node:crypto';

const PREFIX = 'whsec_';
const BASE64 =
  /^(?:[A-Za-z0-9+/]{4})+(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$|^(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)$/;

/** The keys of a secret for both signatures. */
interface SigningKey {
  /** The bytes of the secret as written. */
  readonly text: KeyObject;
  /** As in Standard Webhooks: the decoded base64 after `whsec_`, otherwise the bytes of the secret. */
  readonly standard: KeyObject;
}

export function signingKey(secret: string): SigningKey {
  const text = Buffer.from(secret);
  const encoded = secret.startsWith(PREFIX) ? secret.slice(PREFIX.length) : '';
  const standard = BASE64.test(encoded) ? Buffer.from(encoded, 'base64') : text;
  return { text: createSecretKey(text), standard: createSecretKey(standard) };
}

/**
 * @param delivery.id the event's id, the same at each attempt
 * @param delivery.timestamp seconds since the epoch, of this attempt
 * @param keys the current secret first, then the former ones that are valid still, the newest first
 */
export function signatureHeaders(
  delivery: { readonly id: string; readonly timestamp: number; readonly body: string },
  keys: readonly [SigningKey, ...SigningKey[]],
): Record<string, string> {
  const { id, timestamp, body } = delivery;
  const [current, ...former] = keys;
  const content = `${id}.${timestamp}.${body}`;
  const headers: Record<string, string> = {
    'x-service-signature': `sha256=${hmac(current.text, body, 'hex')}`,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': keys.map(({ standard }) => `v1,${hmac(standard, content, 'base64')}`).join(' '),
  };
  if (former.length > 0) {
    headers['x-service-signature-previous'] = former.map(({ text }) => `sha256=${hmac(text, body, 'hex')}`).join(', ');
  }
  return headers;
}

function hmac(key: KeyObject, text: string, encoding: 'hex' | 'base64'): string {
  return createHmac('sha256', key).update(text).digest(encoding);
}

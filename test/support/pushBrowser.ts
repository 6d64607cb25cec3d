/** A browser's end of Web Push: its keys, and what it reads of a message, by code of its own (RFC 8291, RFC 8188, RFC 8292). */
import assert from 'node:assert/strict';
import { createDecipheriv, createECDH, createPublicKey, hkdfSync, randomBytes, verify } from 'node:crypto';
import type { Received } from './receiver.ts';
import type { Loose } from './world.ts';

export interface PushBrowser {
  readonly keys: { readonly p256dh: string; readonly auth: string };
  /** @returns the message in the clear; its encryption and its sender's signature hold */
  read(received: Received, applicationServerKey: string): Loose;
}

export function pushBrowser(): PushBrowser {
  const pair = createECDH('prime256v1');
  const publicKey = pair.generateKeys();
  const auth = randomBytes(16);
  return {
    keys: { p256dh: publicKey.toString('base64url'), auth: auth.toString('base64url') },
    read(received, applicationServerKey) {
      assert.equal(received.headers['content-encoding'], 'aes128gcm');
      checkSender(received, applicationServerKey);
      const { bytes } = received;
      const [salt, idLength] = [bytes.subarray(0, 16), bytes.readUInt8(20)];
      const sender = bytes.subarray(21, 21 + idLength);
      const shared = pair.computeSecret(sender);
      const info = Buffer.concat([Buffer.from('WebPush: info\0'), publicKey, sender]);
      const secret = Buffer.from(hkdfSync('sha256', shared, auth, info, 32));
      const derived = (label: string, size: number) =>
        Buffer.from(hkdfSync('sha256', secret, salt, Buffer.from(`Content-Encoding: ${label}\0`), size));
      const sealed = bytes.subarray(21 + idLength);
      const open = createDecipheriv('aes-128-gcm', derived('aes128gcm', 16), derived('nonce', 12));
      open.setAuthTag(sealed.subarray(-16));
      const padded = Buffer.concat([open.update(sealed.subarray(0, -16)), open.final()]);
      const end = padded.lastIndexOf(2);
      return JSON.parse(padded.subarray(0, end).toString('utf8'));
    },
  };
}

/** The JWT names this receiver's origin, ends within a day, and is signed by the key that the browser subscribed with. */
function checkSender({ headers, at }: Received, applicationServerKey: string): void {
  const [, token = '', key] = /^vapid t=([\w.-]+), k=([\w-]+)$/.exec(String(headers.authorization)) ?? [];
  assert.equal(key, applicationServerKey);
  const [head, claims, signature] = token.split('.') as [string, string, string];
  const point = Buffer.from(applicationServerKey, 'base64url');
  const [x, y] = [point.subarray(1, 33), point.subarray(33)].map((each) => each.toString('base64url'));
  const jwk = { kty: 'EC', crv: 'P-256', x: String(x), y: String(y) };
  const signer = { key: createPublicKey({ key: jwk, format: 'jwk' }), dsaEncoding: 'ieee-p1363' } as const;
  assert.ok(verify('sha256', Buffer.from(`${head}.${claims}`), signer, Buffer.from(signature, 'base64url')));
  const { aud, exp } = JSON.parse(Buffer.from(claims, 'base64url').toString('utf8'));
  assert.equal(aud, `http://${headers.host}`);
  assert.ok(exp * 1000 > at && exp * 1000 <= at + 24 * 3600 * 1000);
}

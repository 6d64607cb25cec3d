/** The keys by which push services know this node (VAPID, RFC 8292): a P-256 pair, derived so that it stays the same. */
import { createECDH } from 'node:crypto';
import type { Sealer } from '../../../crypto/seal.ts';

export interface VapidKeys {
  /** Uncompressed point, as base64url: what a browser subscribes with. */
  readonly publicKey: string;
  /** 32 bytes as base64url. */
  readonly privateKey: string;
}

/** The order of the curve's base point (SEC 2, secp256r1). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** @param sealer of another root key makes another pair */
export function vapidKeys(sealer: Pick<Sealer, 'derive'>): VapidKeys {
  // 16 bytes more than a scalar has, so that the remainder prefers no number (FIPS 186-5, A.2.1).
  const seed = Buffer.from(sealer.derive('vapid', 48));
  const scalar = (BigInt(`0x${seed.toString('hex')}`) % (ORDER - 1n)) + 1n;
  const privateKey = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex');
  const pair = createECDH('prime256v1');
  pair.setPrivateKey(privateKey);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

/**
 * The key that signs receipts: ECDSA over P-256 (ES256, RFC 7518 section 3.4), which AP2 asks of receipts and the issuer's
 * Ed25519 key cannot do. Its file holds the secret scalar as base64url on one line.
 */
import { createECDH, createHash, createPrivateKey, sign } from 'node:crypto';
import { fromBase64url, toBase64url } from '../../protocol/credential/encodings.ts';
import { createKeyFile, type RandomBytes, readKeyLines, replaceKeyFile } from './keyFile.ts';

const NAME = 'receipt key file';
const SCALAR_BYTES = 32;

/** The public part, with its thumbprint (RFC 7638) as `kid`. */
export interface ReceiptJwk {
  readonly kty: 'EC';
  readonly crv: 'P-256';
  readonly x: string;
  readonly y: string;
  readonly kid: string;
}

export interface ReceiptKey {
  /** The secret scalar, as base64url. */
  readonly scalar: string;
  readonly jwk: ReceiptJwk;
}

export function makeReceiptKey(): ReceiptKey {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  // A scalar with leading zeros comes out shorter.
  return receiptKeyOf(toBase64url(Buffer.from(pair.getPrivateKey('hex').padStart(SCALAR_BYTES * 2, '0'), 'hex')));
}

/** @throws RangeError for what is no scalar of the curve, 1 up to its order */
export function receiptKeyOf(scalar: string): ReceiptKey {
  const bytes = fromBase64url(scalar);
  const pair = createECDH('prime256v1');
  try {
    if (bytes?.length !== SCALAR_BYTES) throw new RangeError('wrong length');
    pair.setPrivateKey(bytes);
  } catch (error) {
    throw new RangeError(`A receipt key has ${SCALAR_BYTES} bytes as base64url, a scalar of P-256.`, { cause: error });
  }
  const point = pair.getPublicKey();
  const [x, y] = [toBase64url(point.subarray(1, 33)), toBase64url(point.subarray(33))];
  return { scalar, jwk: publicReceiptKey(x, y) };
}

/** @param x, y the coordinates as base64url */
export function publicReceiptKey(x: string, y: string): ReceiptJwk {
  const kid = createHash('sha256')
    .update(JSON.stringify({ crv: 'P-256', kty: 'EC', x, y }))
    .digest('base64url');
  return { kty: 'EC', crv: 'P-256', x, y, kid };
}

/** Signs bytes as JWS has it: r and s. Each signature has a random number of its own (FIPS 186-5 section 6.3.1). */
export function receiptSigner({ scalar, jwk }: ReceiptKey): (content: Uint8Array) => Uint8Array {
  const { kty, crv, x, y } = jwk;
  const key = createPrivateKey({ format: 'jwk', key: { kty, crv, x, y, d: scalar } });
  return (content) => sign('sha256', content, { key, dsaEncoding: 'ieee-p1363' });
}

/** @returns undefined when there is no file @throws Error when it is open to others (keyFile.ts), or holds no key */
export function readReceiptKey(file: string): ReceiptKey | undefined {
  const lines = readKeyLines(file, NAME);
  if (lines === undefined) return undefined;
  try {
    if (lines.length === 1) return receiptKeyOf(lines[0] as string);
  } catch {
    // As what has more lines.
  }
  throw new Error(`The ${NAME} ${file} must hold one line: a scalar of P-256 as base64url (43 characters).`);
}

/** Has the file hold this key alone. */
export function writeReceiptKey(file: string, { scalar }: ReceiptKey, randomBytes: RandomBytes): void {
  if (createKeyFile(file, [scalar], randomBytes)) return;
  replaceKeyFile(file, [scalar], randomBytes);
}

/**
 * An authenticator with passkeys (W3C Web Authentication, ES256, no attestation), written from the standard and node:crypto alone.
 * Keys and signatures come from a chance, so that the same seed signs the same bytes.
 */
import { createECDH, createHash } from 'node:crypto';
import type { JsonObject } from '../../support/peer.ts';
import type { Chance } from '../machine/chance.ts';

/** The order of P-256 (SP 800-186, section 3.2.1.3). */
const ORDER = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;
const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** What an authenticator does wrong. */
export interface Wrong {
  /** Its user was not verified. */
  readonly unverified?: boolean;
  /** The page that it signs for is another one. */
  readonly origin?: string;
  /** Its count goes back. */
  readonly rewound?: boolean;
  /** It signs by another key than the passkey's. */
  readonly forged?: boolean;
}

interface Passkey {
  readonly secret: bigint;
  count: number;
}

export class Authenticator {
  readonly #chance: Chance;
  readonly #origin: string;
  readonly #passkeys = new Map<string, Passkey>();

  /** @param origin of the pages that it is used on, such as https://pay.example */
  constructor(chance: Chance, origin: string) {
    this.#chance = chance;
    this.#origin = origin;
  }

  /** A new passkey. @returns what a browser gives for it, with its id */
  create(challenge: string): JsonObject & { readonly id: string } {
    const rawId = this.#chance.bytes(16);
    const id = rawId.toString('base64url');
    const passkey = { secret: 1n + (numberOf(this.#chance.bytes(40)) % (ORDER - 1n)), count: 1 };
    this.#passkeys.set(id, passkey);
    const point = pointOf(passkey.secret);
    const attested = Buffer.concat([Buffer.alloc(16), uint(rawId.length, 2), rawId, coseKey(point)]);
    const data = Buffer.concat([this.#data(PRESENT | VERIFIED | ATTESTED, passkey.count), attested]);
    const clientDataJSON = this.#clientData('webauthn.create', challenge, this.#origin).toString('base64url');
    const response = { clientDataJSON, attestationObject: attestation(data).toString('base64url') };
    return { id, rawId: id, type: 'public-key', response };
  }

  /** The first of the passkeys that are its own. */
  own(ids: readonly string[]): string | undefined {
    return ids.find((id) => this.#passkeys.has(id));
  }

  /** @returns what a browser gives for the use of a passkey; the passkey need not be its own where it is forged */
  assert(challenge: string, id: string, wrong: Wrong = {}): JsonObject {
    const own = this.#passkeys.get(id);
    const passkey = own !== undefined && wrong.forged !== true ? own : { secret: 7n, count: 1000 };
    passkey.count = wrong.rewound === true ? Math.max(0, passkey.count - 5) : passkey.count + 1;
    const data = this.#data(PRESENT | (wrong.unverified === true ? 0 : VERIFIED), passkey.count);
    const clientData = this.#clientData('webauthn.get', challenge, wrong.origin ?? this.#origin);
    const signature = signed(passkey.secret, Buffer.concat([data, sha256(clientData)]));
    const response = {
      clientDataJSON: clientData.toString('base64url'),
      authenticatorData: data.toString('base64url'),
      signature: signature.toString('base64url'),
    };
    return { id, rawId: id, type: 'public-key', response };
  }

  /** Section 6.1: the hash of the host name, flags, and the count. */
  #data(flags: number, count: number): Buffer {
    return Buffer.concat([sha256(Buffer.from(new URL(this.#origin).hostname)), Buffer.from([flags]), uint(count, 4)]);
  }

  #clientData(type: string, challenge: string, origin: string): Buffer {
    return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
  }
}

/** ECDSA over SHA-256 (FIPS 186-5), whose nonce is a hash of the key and the message, as DER. */
function signed(secret: bigint, message: Buffer): Buffer {
  const hash = sha256(message);
  const nonce = 1n + (numberOf(sha256(Buffer.concat([bytesOf(secret), hash]))) % (ORDER - 1n));
  const r = numberOf(pointOf(nonce).subarray(1, 33)) % ORDER;
  const s = (inverse(nonce) * ((numberOf(hash) + r * secret) % ORDER)) % ORDER;
  const parts = Buffer.concat([derInteger(r), derInteger(s)]);
  return Buffer.concat([Buffer.from([0x30, parts.length]), parts]);
}

/** The public point of a secret: 4, x, y. */
function pointOf(secret: bigint): Buffer {
  const curve = createECDH('prime256v1');
  curve.setPrivateKey(bytesOf(secret));
  return curve.getPublicKey();
}

/** By Fermat: the order is a prime. */
function inverse(value: bigint): bigint {
  let result = 1n;
  let power = value % ORDER;
  for (let exponent = ORDER - 2n; exponent > 0n; exponent >>= 1n) {
    if ((exponent & 1n) === 1n) result = (result * power) % ORDER;
    power = (power * power) % ORDER;
  }
  return result;
}

function derInteger(value: bigint): Buffer {
  const hex = value.toString(16);
  const bytes = Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
  const positive = (bytes[0] as number) >= 0x80 ? Buffer.concat([Buffer.alloc(1), bytes]) : bytes;
  return Buffer.concat([Buffer.from([0x02, positive.length]), positive]);
}

/** An EC2 key (RFC 9053, section 7.1.1) in CBOR: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(point: Buffer): Buffer {
  const head = Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01, 0x21, 0x58, 32]);
  return Buffer.concat([head, point.subarray(1, 33), Buffer.from([0x22, 0x58, 32]), point.subarray(33)]);
}

/** {"fmt": "none", "attStmt": {}, "authData": bytes} in CBOR. */
function attestation(data: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  const parts = [Buffer.from([0xa3]), text('fmt'), text('none'), text('attStmt'), Buffer.from([0xa0])];
  return Buffer.concat([...parts, text('authData'), Buffer.from([0x59]), uint(data.length, 2), data]);
}

function numberOf(bytes: Buffer): bigint {
  return BigInt(`0x${bytes.toString('hex')}`);
}

function bytesOf(value: bigint): Buffer {
  return Buffer.from(value.toString(16).padStart(64, '0'), 'hex');
}

function uint(value: number, size: number): Buffer {
  const bytes = Buffer.alloc(size);
  bytes.writeUIntBE(value, 0, size);
  return bytes;
}

function sha256(bytes: Buffer): Buffer {
  return createHash('sha256').update(bytes).digest();
}

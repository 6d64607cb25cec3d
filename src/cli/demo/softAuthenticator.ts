/**
 * An authenticator in software, for demonstrations and tests: it makes and uses passkeys as a phone would (W3C
 * Web Authentication, with ES256 keys and no attestation). It keeps its keys in memory and confirms without a person.
 */
import { createHash, generateKeyPairSync, type KeyObject, randomBytes, sign } from 'node:crypto';
import type { AssertionCredential, RegistrationCredential } from '../../../protocol/passkey.ts';

interface SoftAuthenticator {
  /** Answers options of navigator.credentials.create(). */
  create(options: { readonly challenge: string }): RegistrationCredential;
  /** Answers options of navigator.credentials.get(). @throws Error when none of the named passkeys is its own */
  get(options: {
    readonly challenge: string;
    readonly allowCredentials: readonly { id: string }[];
  }): AssertionCredential;
}

export interface SoftSettings {
  /** The origin that it reports, such as https://pay.example. */
  readonly origin: string;
  /** The host name that its passkeys belong to. */
  readonly rpId: string;
  /** Whether it reports user verification; true when not given. */
  readonly userVerified?: boolean;
  /** How much its signature counter changes with each use; 1 when not given, 0 for one that does not count. */
  readonly step?: number;
}

interface Key {
  readonly privateKey: KeyObject;
  counter: number;
}

/** @param settings read again at every use */
export function softAuthenticator(settings: () => SoftSettings): SoftAuthenticator {
  const keys = new Map<string, Key>();
  const count = (key: Key) => {
    key.counter = Math.max(0, key.counter + (settings().step ?? 1));
    return key.counter;
  };
  return {
    create({ challenge }) {
      const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
      const key: Key = { privateKey, counter: 10 };
      const rawId = randomBytes(16);
      const id = rawId.toString('base64url');
      keys.set(id, key);
      const attested = Buffer.concat([Buffer.alloc(16), uint16(rawId.length), rawId, coseKey(publicKey)]);
      const authData = Buffer.concat([authenticatorData(settings(), ATTESTED, count(key)), attested]);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: clientData('webauthn.create', challenge, settings()).toString('base64url'),
          attestationObject: attestationObject(authData).toString('base64url'),
          transports: ['internal'],
        },
      };
    },
    get({ challenge, allowCredentials }) {
      // Without any named, it offers the passkey that it made last.
      const offered = allowCredentials.length === 0 ? [...keys.keys()].reverse() : allowCredentials.map(({ id }) => id);
      const id = offered.find((each) => keys.has(each));
      const key = id === undefined ? undefined : keys.get(id);
      if (id === undefined || key === undefined) throw new Error('None of these passkeys is on this authenticator.');
      const data = authenticatorData(settings(), 0, count(key));
      const client = clientData('webauthn.get', challenge, settings());
      const signature = sign('sha256', Buffer.concat([data, sha256(client)]), key.privateKey);
      return {
        id,
        rawId: id,
        type: 'public-key',
        response: {
          clientDataJSON: client.toString('base64url'),
          authenticatorData: data.toString('base64url'),
          signature: signature.toString('base64url'),
        },
      };
    },
  };
}

const PRESENT = 0x01;
const VERIFIED = 0x04;
const ATTESTED = 0x40;

/** The hash of the host name, flags, and the count (§6.1). */
function authenticatorData(settings: SoftSettings, flags: number, counter: number): Buffer {
  const verified = settings.userVerified === false ? 0 : VERIFIED;
  return Buffer.concat([sha256(settings.rpId), Buffer.from([PRESENT | verified | flags]), uint32(counter)]);
}

function clientData(type: string, challenge: string, { origin }: SoftSettings): Buffer {
  return Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
}

/** An EC2 key as COSE writes it (RFC 9053 §7.1.1), CBOR by hand: {1: 2, 3: -7, -1: 1, -2: x, -3: y}. */
function coseKey(publicKey: KeyObject): Buffer {
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  const coordinate = (label: number, value: string) =>
    Buffer.concat([Buffer.from([label, 0x58, 32]), Buffer.from(value, 'base64url')]);
  return Buffer.concat([
    Buffer.from([0xa5, 0x01, 0x02, 0x03, 0x26, 0x20, 0x01]),
    coordinate(0x21, x),
    coordinate(0x22, y),
  ]);
}

/** CBOR (RFC 8949): {"fmt": "none", "attStmt": {}, "authData": bytes}. */
function attestationObject(authData: Buffer): Buffer {
  const text = (value: string) => Buffer.concat([Buffer.from([0x60 + value.length]), Buffer.from(value)]);
  return Buffer.concat([
    Buffer.from([0xa3]),
    text('fmt'),
    text('none'),
    text('attStmt'),
    Buffer.from([0xa0]),
    text('authData'),
    Buffer.from([0x59]),
    uint16(authData.length),
    authData,
  ]);
}

function sha256(value: string | Buffer): Buffer {
  return createHash('sha256').update(value).digest();
}

function uint16(value: number): Buffer {
  return Buffer.from([value >> 8, value & 0xff]);
}

function uint32(value: number): Buffer {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
}

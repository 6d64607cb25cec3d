/** Keys of P-256, and certificates of them (X.509, RFC 5280), as signers of mandates have them. */
import { createPrivateKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';

export interface P256Key {
  readonly jwk: { readonly kty: 'EC'; readonly crv: 'P-256'; readonly x: string; readonly y: string };
  readonly privateKey: KeyObject;
  readonly publicKey: KeyObject;
}

export function makeP256(): P256Key {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const { x = '', y = '' } = publicKey.export({ format: 'jwk' });
  return { jwk: { kty: 'EC', crv: 'P-256', x, y }, privateKey, publicKey };
}

/** A key that is the same in each run. @param d the secret scalar as base64url */
export function p256Of(d: string, x: string, y: string): P256Key {
  const jwk = { kty: 'EC', crv: 'P-256', x, y } as const;
  const privateKey = createPrivateKey({ format: 'jwk', key: { ...jwk, d } });
  return { jwk, privateKey, publicKey: privateKey };
}

function der(tag: number, ...parts: readonly Uint8Array[]): Buffer {
  const content = Buffer.concat(parts);
  const size = content.length;
  const length = size < 128 ? [size] : size < 256 ? [0x81, size] : [0x82, size >> 8, size & 255];
  return Buffer.concat([Buffer.from([tag, ...length]), content]);
}

const hex = (text: string) => Buffer.from(text, 'hex');
const sequence = (...parts: readonly Uint8Array[]) => der(0x30, ...parts);
const ECDSA_WITH_SHA256 = sequence(hex('06082a8648ce3d040302'));
const nameOf = (name: string) => sequence(der(0x31, sequence(hex('0603550403'), der(0x0c, Buffer.from(name)))));
const timeOf = (at: number) => der(0x18, Buffer.from(`${new Date(at).toISOString().replace(/[-:T]|\.\d+/g, '')}`));

let serial = 1;

interface Certificate {
  readonly ca: boolean;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly until: number;
  readonly pathLength?: number;
  /** The bits of its key usage, in hexadecimal. */
  readonly usage?: string;
  /** One more, by its OID in hexadecimal. */
  readonly extension?: { readonly oid: string; readonly critical: boolean };
}

/** @returns base64 of DER */
export function certify(
  subject: { readonly name: string; readonly key: P256Key },
  issuer: { readonly name: string; readonly key: P256Key },
  { ca, from, until, pathLength, usage, extension }: Certificate,
): string {
  serial += 1;
  const most = pathLength === undefined ? [] : [der(2, Buffer.from([pathLength]))];
  const constraints = sequence(
    hex('0603551d13'),
    hex('0101ff'),
    der(4, sequence(...(ca ? [hex('0101ff')] : []), ...most)),
  );
  const usages =
    usage === undefined ? [] : [sequence(hex('0603551d0f'), hex('0101ff'), der(4, der(3, hex(`00${usage}`))))];
  const more =
    extension === undefined
      ? []
      : [sequence(hex(extension.oid), ...(extension.critical ? [hex('0101ff')] : []), der(4, sequence()))];
  const content = sequence(
    der(0xa0, hex('020102')),
    der(2, Buffer.from([serial])),
    ECDSA_WITH_SHA256,
    nameOf(issuer.name),
    sequence(timeOf(from), timeOf(until)),
    nameOf(subject.name),
    subject.key.publicKey.export({ format: 'der', type: 'spki' }),
    der(0xa3, sequence(...usages, constraints, ...more)),
  );
  const signature = der(3, Buffer.from([0]), sign('sha256', content, issuer.key.privateKey));
  return sequence(content, ECDSA_WITH_SHA256, signature).toString('base64');
}

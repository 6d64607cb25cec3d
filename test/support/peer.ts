/**
 * A peer agent written from the published standards alone (RFC 8032, RFC 8785, RFC 7515, RFC 7797, W3C did:key). It
 * shares no code with the node, so that the two can only agree by both being right.
 */
import {
  createHash,
  createPrivateKey,
  createPublicKey,
  type KeyObject,
  randomBytes,
  randomUUID,
  sign,
  verify,
} from 'node:crypto';

const BASE58 = '123456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnopqrstuvwxyz';
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');
const SPKI_ED25519 = Buffer.from('302a300506032b6570032100', 'hex');
const JWS_HEADER = Buffer.from('{"alg":"EdDSA","b64":false,"crit":["b64"]}').toString('base64url');

export type Json = null | boolean | number | string | Json[] | { [name: string]: Json };
export type JsonObject = { [name: string]: Json };

export interface Peer {
  readonly did: string;
  /** Base58 of the bare key, one of the spellings registration takes. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
}

export function makePeer(seed: Buffer = randomBytes(32)): Peer {
  const privateKey = createPrivateKey({ key: Buffer.concat([PKCS8_ED25519, seed]), format: 'der', type: 'pkcs8' });
  const raw = createPublicKey(privateKey).export({ format: 'der', type: 'spki' }).subarray(SPKI_ED25519.length);
  const did = `did:key:z${base58(Buffer.concat([Buffer.from([0xed, 0x01]), raw]))}`;
  return { did, publicKey: base58(raw), privateKey };
}

export function base58(bytes: Buffer): string {
  let value = BigInt(`0x${bytes.toString('hex') || '0'}`);
  let text = '';
  for (; value > 0n; value /= 58n) text = BASE58[Number(value % 58n)] + text;
  for (const byte of bytes) {
    if (byte !== 0) break;
    text = `1${text}`;
  }
  return text;
}

function fromBase58(text: string): Buffer {
  let value = 0n;
  for (const character of text) value = value * 58n + BigInt(BASE58.indexOf(character));
  const hex = value.toString(16);
  return Buffer.from(hex.length % 2 === 0 ? hex : `0${hex}`, 'hex');
}

export function jcs(value: Json): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const names = Object.keys(value).sort();
  return `{${names.map((name) => `${JSON.stringify(name)}:${jcs(value[name] as Json)}`).join(',')}}`;
}

function sha256(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

function signingInput(document: JsonObject, proof: JsonObject): Buffer {
  return Buffer.concat([Buffer.from(`${JWS_HEADER}.`), sha256(jcs(proof)), sha256(jcs(document))]);
}

/** Adds an Ed25519Signature2020 proof. */
export function prove(peer: Peer, document: JsonObject, proofPurpose: string, created = new Date()): JsonObject {
  const proof: JsonObject = {
    type: 'Ed25519Signature2020',
    created: created.toISOString(),
    verificationMethod: `${peer.did}#${peer.did.slice('did:key:'.length)}`,
    proofPurpose,
  };
  const signature = sign(null, signingInput(document, proof), peer.privateKey).toString('base64url');
  return { ...document, proof: { ...proof, jws: `${JWS_HEADER}..${signature}` } };
}

/** True when a document carries a proof by that DID. */
export function isProvenBy(did: string, signed: JsonObject, proofPurpose: string): boolean {
  const { proof, ...document } = signed;
  const { jws, ...rest } = proof as JsonObject;
  const [header, middle, signature] = String(jws).split('.');
  const method = `${did}#${did.slice('did:key:'.length)}`;
  if (header !== JWS_HEADER || middle !== '' || rest.verificationMethod !== method) return false;
  if (rest.proofPurpose !== proofPurpose || rest.type !== 'Ed25519Signature2020') return false;
  const raw = fromBase58(did.slice('did:key:z'.length)).subarray(2);
  const key = createPublicKey({ key: Buffer.concat([SPKI_ED25519, raw]), format: 'der', type: 'spki' });
  return verify(null, signingInput(document, rest), key, Buffer.from(signature as string, 'base64url'));
}

/** A cart with one thing in it. */
export function makeCartOfOne(merchant: Peer, domain: string, price: number): JsonObject {
  return makeCart(merchant, { domain, items: [{ name: 'Thing', price, quantity: 1 }], total: price, currency: 'USD' });
}

/** A merchant's signed cart; further members of the offer are signed as they are. */
export function makeCart(
  merchant: Peer,
  offer: {
    domain: string;
    items: { name: string; price: number; quantity: number }[];
    total: number;
    currency: string;
  },
  at = new Date(),
): JsonObject {
  const { domain, ...members } = offer;
  const document: JsonObject = {
    '@context': ['https://www.w3.org/2018/credentials/v1'],
    // An offer is paid once, so that two of the same things are two offers.
    id: `urn:uuid:${randomUUID()}`,
    type: ['VerifiableCredential', 'CartMandate'],
    issuer: merchant.did,
    issuanceDate: at.toISOString(),
    expirationDate: new Date(at.getTime() + 600_000).toISOString(),
    credentialSubject: { merchant: domain, ...members },
  };
  return prove(merchant, document, 'assertionMethod', at);
}

/** An A2A message, signed. */
export function makeMessage(
  peer: Peer,
  content: { type: string; to: string; body: Json; id?: string; contextId?: string; created?: string },
): JsonObject {
  const created = content.created ?? new Date().toISOString();
  const document: JsonObject = {
    id: content.id ?? randomBytes(12).toString('hex'),
    type: content.type,
    from: peer.did,
    to: content.to,
    created,
    ...(content.contextId === undefined ? {} : { contextId: content.contextId }),
    body: content.body,
  };
  return prove(peer, document, 'authentication');
}

/** The header X-DID-Proof for one HTTP request. */
export function makeDidProof(
  peer: Peer,
  request: { baseUrl: string; method: string; path: string; body: string },
  overrides: JsonObject = {},
): string {
  const kid = `${peer.did}#${peer.did.slice('did:key:'.length)}`;
  const encode = (value: JsonObject) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const header = encode({ typ: 'did-proof+jwt', alg: 'EdDSA', kid });
  const claims = encode({
    iss: peer.did,
    aud: request.baseUrl,
    htm: request.method,
    htu: request.baseUrl + request.path,
    iat: Math.floor(Date.now() / 1000),
    jti: randomBytes(16).toString('hex'),
    bh: sha256(request.body).toString('base64url'),
    ...overrides,
  });
  const signature = sign(null, Buffer.from(`${header}.${claims}`), peer.privateKey).toString('base64url');
  return `${header}.${claims}.${signature}`;
}

/** Of an Ed25519 key in PKCS #8 the last 32 bytes (RFC 8410). */
export const seedOf = ({ privateKey }: Peer) => privateKey.export({ format: 'der', type: 'pkcs8' }).subarray(-32);

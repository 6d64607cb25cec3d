/** Public keys of merchants as JSON Web Keys (RFC 7517): of ECDSA, EdDSA and RS256, and nothing that could sign. */
import { z } from 'zod';
import { didOfKey, keyOfDid } from '../credential/did.ts';
import { CURVES, type CurveName } from '../credential/ecdsa.ts';
import type { Suite } from '../credential/ed25519.ts';
import { fromBase64url, toBase64url } from '../credential/encodings.ts';
import { numberOf } from '../credential/numberOf.ts';
import { algorithmName } from '../wire/algorithmName.ts';
import { compact } from '../wire/compact.ts';
import { Fault } from '../wire/fault.ts';

export const SIGNATURE_ALGORITHMS = ['ES256', 'ES384', 'ES512', 'EdDSA', 'RS256'] as const;
export type SignatureAlgorithm = (typeof SIGNATURE_ALGORITHMS)[number];

const PRIVATE_MEMBERS = ['d', 'p', 'q', 'dp', 'dq', 'qi', 'oth', 'k'];
/** RSA keys of 2048 to 4096 bits. */
const RSA_BYTES = { least: 256, most: 512 } as const;

const Part = z.string().max(1000);
const members = {
  kid: z.string().min(1).max(255).optional().describe('Which key it is; a signature must name it where it is given.'),
  alg: z
    .string()
    .overwrite(algorithmName)
    .optional()
    .describe('ES256, ES384, ES512, EdDSA (or Ed25519, which is read as EdDSA) or RS256, as the key is.'),
  use: z.string().optional(),
  key_ops: z.array(z.string()).optional(),
};

const KeyOfKind = z.discriminatedUnion('kty', [
  z.object({ kty: z.literal('EC'), crv: z.enum(['P-256', 'P-384', 'P-521']), x: Part, y: Part, ...members }),
  z.object({ kty: z.literal('OKP'), crv: z.literal('Ed25519'), x: Part, ...members }),
  z.object({ kty: z.literal('RSA'), n: Part, e: Part, ...members }),
]);
export type PublicJwk = z.output<typeof KeyOfKind>;

/** Members that are not known, such as certificates, are left out. */
export const PublicJwk = z
  .looseObject({ kty: z.enum(['EC', 'OKP', 'RSA']), ...members })
  .refine(
    (jwk) => !PRIVATE_MEMBERS.some((name) => name in jwk),
    'must be the public key alone, without its private part',
  )
  .pipe(KeyOfKind)
  .refine(({ use }) => use === undefined || use === 'sig', { path: ['use'], message: 'must be sig, or absent' })
  .refine(({ key_ops: uses }) => uses === undefined || uses.includes('verify'), {
    path: ['key_ops'],
    message: 'must name verify, or be absent',
  })
  .refine((jwk) => jwk.alg === undefined || jwk.alg === algorithmOf(jwk), {
    path: ['alg'],
    message: 'must be ES256, ES384, ES512, EdDSA or RS256, as the key is',
  })
  .refine(isKey, 'must be a key: a point of the curve, or an RSA modulus of 2048 to 4096 bits');

/** RFC 7518 section 3.4. */
const CURVE_ALGORITHMS = { 'P-256': 'ES256', 'P-384': 'ES384', 'P-521': 'ES512' } as const satisfies Record<
  CurveName,
  SignatureAlgorithm
>;

/** The only algorithm that a key verifies here. */
export function algorithmOf(jwk: PublicJwk): SignatureAlgorithm {
  if (jwk.kty === 'OKP') return 'EdDSA';
  return jwk.kty === 'EC' ? CURVE_ALGORITHMS[jwk.crv] : 'RS256';
}

/** Whether a key signs the same content in the same way each time, so that a guess at the content gives its hash with the signature. */
export function isDeterministic(algorithm: SignatureAlgorithm): boolean {
  return algorithm === 'EdDSA' || algorithm === 'RS256';
}

function isKey(jwk: PublicJwk): boolean {
  if (jwk.kty === 'RSA') return isRsaKey(jwk.n, jwk.e);
  const x = fromBase64url(jwk.x);
  if (jwk.kty === 'OKP') return x?.length === 32 && isEd25519(x);
  const y = fromBase64url(jwk.y);
  const curve = CURVES[jwk.crv];
  return x?.length === curve.bytes && y?.length === curve.bytes && curve.isPoint(numberOf(x), numberOf(y));
}

function isEd25519(x: Uint8Array): boolean {
  try {
    return didOfKey(x) !== '';
  } catch (error) {
    if (error instanceof Fault) return false;
    throw error;
  }
}

function isRsaKey(n: string, e: string): boolean {
  const modulus = fromBase64url(n);
  const exponent = fromBase64url(e);
  if (modulus === undefined || exponent === undefined || modulus[0] === 0) return false;
  const { least, most } = RSA_BYTES;
  const odd = ((exponent.at(-1) ?? 0) & 1) === 1;
  return modulus.length >= least && modulus.length <= most && exponent.length <= 4 && odd && numberOf(exponent) > 1n;
}

/** The thumbprint of a key (RFC 7638, SHA-256, base64url), independent of the JWK’s other members. */
export function thumbprint(suite: Suite, jwk: PublicJwk): string {
  const required =
    jwk.kty === 'RSA'
      ? { e: jwk.e, kty: jwk.kty, n: jwk.n }
      : compact({ crv: jwk.crv, kty: jwk.kty, x: jwk.x, y: jwk.kty === 'EC' ? jwk.y : undefined });
  return toBase64url(suite.sha256(JSON.stringify(required)));
}

/** The name of a key by its thumbprint (RFC 9278). */
export function thumbprintOf(suite: Suite, jwk: PublicJwk): string {
  return THUMBPRINT + thumbprint(suite, jwk);
}

const THUMBPRINT = 'urn:ietf:params:oauth:jwk-thumbprint:sha-256:';

/** @param did a did:key */
export function jwkOfDid(did: string): PublicJwk {
  return { kty: 'OKP', crv: 'Ed25519', x: toBase64url(keyOfDid(did)) };
}

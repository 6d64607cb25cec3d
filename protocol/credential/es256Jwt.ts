/** JWTs that a node signs by its P-256 key (ES256, RFC 7519), as AP2 and others ask of receipts and verdicts. */
import { toBase64url } from './encodings.ts';

export interface Es256Signer {
  readonly jwk: { readonly kid: string };
  /** @returns r and s (RFC 7518 section 3.4), made with fresh randomness */
  sign(content: Uint8Array): Uint8Array;
}

const encoder = new TextEncoder();

export function signEs256Jwt({ jwk, sign }: Es256Signer, claims: object, typ = 'JWT'): string {
  const part = (value: object) => toBase64url(encoder.encode(JSON.stringify(value)));
  const content = `${part({ alg: 'ES256', typ, kid: jwk.kid })}.${part(claims)}`;
  return `${content}.${toBase64url(sign(encoder.encode(content)))}`;
}

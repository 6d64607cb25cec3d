/** The directory of keys that sign HTTP requests (draft-meunier-http-message-signatures-directory), signed for its own host. */
import { z } from 'zod';
import type { Signer } from '../credential/ed25519.ts';
import { signatureField } from './requestSignature.ts';
import { type Component, signatureBase, signatureParams } from './signatureBase.ts';

export const DIRECTORY_PATH = '/.well-known/http-message-signatures-directory';
export const DIRECTORY_TYPE = 'application/http-message-signatures-directory+json';
const DIRECTORY_TAG = 'http-message-signatures-directory';
const LABEL = 'binding0';

export const RequestJwk = z.object({
  kty: z.literal('OKP'),
  crv: z.literal('Ed25519'),
  kid: z.string().describe('Its thumbprint (RFC 7638), which signatures name as keyid.'),
  x: z.string(),
  alg: z.literal('EdDSA'),
  use: z.literal('sig'),
});
export type RequestJwk = z.infer<typeof RequestJwk>;

export const KeyDirectory = z.object({ keys: z.array(RequestJwk) });
export type KeyDirectory = z.infer<typeof KeyDirectory>;

interface DirectoryTerms {
  /** The node's public address. */
  readonly baseUrl: string;
  readonly keyid: string;
  readonly nonce: string;
  /** Seconds since the epoch. */
  readonly created: number;
  readonly expires: number;
}

/** The headers by which the directory is this host's alone: who copies it to another one has no signature for that. */
export function signDirectory(
  signer: Pick<Signer, 'sign'>,
  { baseUrl, keyid, nonce, created, expires }: DirectoryTerms,
): Readonly<Record<'Signature' | 'Signature-Input', string>> {
  const components: readonly Component[] = [{ name: '@authority', isOfRequest: true }];
  const params = signatureParams(components, [
    ['created', created],
    ['expires', expires],
    ['keyid', keyid],
    ['alg', 'ed25519'],
    ['nonce', nonce],
    ['tag', DIRECTORY_TAG],
  ]);
  const base = signatureBase({ method: 'GET', url: baseUrl, fields: {} }, components, params);
  const signature = signer.sign(new TextEncoder().encode(base));
  return { Signature: signatureField(LABEL, signature), 'Signature-Input': `${LABEL}=${params}` };
}

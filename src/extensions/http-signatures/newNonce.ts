/** A nonce of 64 bytes, as Web Bot Auth recommends, by which a verifier takes a signature once. */
import { fromBase64url, toBase64url } from '../../../protocol/credential/encodings.ts';
import type { Deps } from '../../usecase/deps.ts';

export function newNonce({ newToken }: Pick<Deps, 'newToken'>): string {
  const halves = [newToken(''), newToken('')].map((text) => fromBase64url(text) as Uint8Array);
  return toBase64url(new Uint8Array(halves.flatMap((half) => [...half])));
}

/**
 * Approval tokens as texts: `apt_` and 32 bytes as base64url, of which the first six are the time at which it was made and the
 * others unpredictable. Rows are stored in the order of their tokens, so new ones lie beside each other.
 */
import { fromBase64url, toBase64url, toHex } from '../../../protocol/credential/encodings.ts';
import type { Deps } from '../../usecase/deps.ts';

const PREFIX = 'apt_';
const TIME_BYTES = 6;

/** @param now milliseconds since the epoch */
export function makeApprovalToken(deps: Pick<Deps, 'newToken'>, now: number): string {
  const bytes = fromBase64url(deps.newToken('')) as Uint8Array;
  for (let at = 0; at < TIME_BYTES; at++) bytes[at] = Math.floor(now / 256 ** (TIME_BYTES - 1 - at)) % 256;
  return PREFIX + toBase64url(bytes);
}

/** The keys under which the row of a token may be: the present one, and that of earlier versions, its hash alone. */
export function approvalKeysOf(deps: Pick<Deps, 'hashToken'>, token: string): readonly [string, string] {
  return [approvalKeyOf(deps, token), deps.hashToken(token)];
}

/** The key of the row of a token: its time, and the hash of all of it. A reader of the database cannot use it. */
export function approvalKeyOf(deps: Pick<Deps, 'hashToken'>, token: string): string {
  const bytes = fromBase64url(token.slice(PREFIX.length)) ?? new Uint8Array();
  return `${toHex(bytes.slice(0, TIME_BYTES))} ${deps.hashToken(token)}`;
}

/** The relying party of passkeys: the id and origin that browsers check, from the node's public address. */
import { isIP } from 'node:net';

export interface RelyingParty {
  /** The RP ID of W3C Web Authentication: a host name. */
  readonly id: string;
  readonly name: string;
  /** Scheme, host and port, as browsers write an origin. */
  readonly origin: string;
}

/** @param baseUrl the node's public address */
export function relyingPartyOf(baseUrl: string): RelyingParty {
  const { hostname, origin } = new URL(baseUrl);
  return { id: hostname, name: 'Countersign', origin };
}

/**
 * Why browsers will not use passkeys at this address, as one sentence with the remedy; undefined when they will.
 * They require a secure context (https, or localhost) and a host name.
 */
export function passkeyTrouble(baseUrl: string): string | undefined {
  const { hostname, protocol } = new URL(baseUrl);
  const local = hostname === 'localhost' || hostname.endsWith('.localhost');
  if (local) return undefined;
  const remedy = 'put the node behind a proxy that speaks https under a host name, and set BASE_URL to that address';
  if (isIP(hostname.replace(/^\[|\]$/g, '')) !== 0) {
    return `Passkeys will not work: BASE_URL=${baseUrl} names an IP address, and browsers tie passkeys to host names; ${remedy}.`;
  }
  if (protocol !== 'https:') {
    return `Passkeys will not work: BASE_URL=${baseUrl} is not https, and browsers allow passkeys there only; ${remedy}.`;
  }
  return undefined;
}

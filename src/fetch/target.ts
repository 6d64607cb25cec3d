/** Checks an address that a caller gave, parsed as it will be used: by the WHATWG URL Standard. */
import { isIP } from 'node:net';
import { isBlocked } from './blockList.ts';

export interface AddressOptions {
  /** Allows private addresses, and http beside https. */
  readonly allowPrivate: boolean;
}

const LOCAL_NAME = /(^|\.)(localhost|local|internal|localdomain|home\.arpa)$/;

/**
 * What is wrong with an address, as a phrase that begins with "must"; undefined when nothing is. A name that passes
 * here may still resolve to a blocked address, which the connector refuses.
 */
export function faultOfTarget(text: string, { allowPrivate }: AddressOptions): string | undefined {
  // URL.parse would do both, but Node 20 does not have it.
  if (!URL.canParse(text)) return 'must be an address with its scheme, such as https://backend.example.com/events';
  const url = new URL(text);
  if (url.protocol !== 'https:' && !(allowPrivate && url.protocol === 'http:')) {
    return allowPrivate ? 'must begin with https:// or http://' : 'must begin with https://';
  }
  if (url.username !== '' || url.password !== '') return 'must not carry a user name or password';
  if (url.port === '0') return 'must not name port 0';
  if (allowPrivate) return undefined;
  const host = hostOf(url);
  if (isIP(host) !== 0) return isBlocked(host) ? 'must not lead to a private or reserved address' : undefined;
  const name = host.replace(/\.$/, '');
  if (LOCAL_NAME.test(name) || !name.includes('.')) return 'must name a public host';
  return undefined;
}

/** The host without the brackets of an IPv6 literal. The parser has turned every IPv4 literal into dotted decimal. */
function hostOf(url: URL): string {
  return url.hostname.replace(/^\[|\]$/g, '');
}

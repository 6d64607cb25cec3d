/**
 * Opens connections to public addresses only: it resolves the name itself, checks every address, and connects to an
 * address it has checked, so that DNS rebinding has no second lookup to change.
 */
import { lookup } from 'node:dns/promises';
import { isIP } from 'node:net';
import { buildConnector } from 'undici';
import { isBlocked } from './blockList.ts';
import type { AddressOptions } from './target.ts';

/** Every address of a name. @throws what the resolver throws, such as ENOTFOUND */
type Resolve = (hostname: string) => Promise<readonly string[]>;
export type Dial = buildConnector.connector;

export interface ConnectorOptions extends AddressOptions {
  readonly resolve?: Resolve | undefined;
  /** Opens a socket to the address in `hostname`, TLS as `servername`. */
  readonly dial?: Dial | undefined;
  /** The only trusted certificate authorities, in PEM; the system's when not given. */
  readonly ca?: string | undefined;
}

/** Thrown instead of a connection to a blocked address. */
class BlockedAddress extends Error {
  override readonly name = 'BlockedAddress';
  readonly code = 'BLOCKED_ADDRESS';
}

const CONNECT_TIMEOUT_MS = 10_000;
/** How many addresses of one name are tried, one after the other. */
const MAX_TRIES = 3;

export function safeConnector(options: ConnectorOptions): buildConnector.connector {
  const { allowPrivate, resolve = resolveAll } = options;
  const ca = options.ca === undefined ? {} : { ca: options.ca };
  const dial = options.dial ?? buildConnector({ timeout: CONNECT_TIMEOUT_MS, rejectUnauthorized: true, ...ca });

  async function addressesOf(hostname: string): Promise<readonly string[]> {
    const addresses = isIP(hostname) === 0 ? await resolve(hostname) : [hostname];
    if (addresses.length === 0) throw Object.assign(new Error(`${hostname} has no address.`), { code: 'ENOTFOUND' });
    // A blocked address among public ones is no accident, so none of them is used.
    if (!allowPrivate && addresses.some(isBlocked)) {
      throw new BlockedAddress(`${hostname} leads to a private or reserved address.`);
    }
    return addresses.slice(0, MAX_TRIES);
  }

  return (target, callback) => {
    const hostname = target.hostname.replace(/^\[|\]$/g, '');
    // The certificate is checked against the name, not against the address.
    const named = isIP(hostname) === 0 ? { servername: target.servername || hostname.replace(/\.$/, '') } : {};
    const tryNext = (addresses: readonly string[]): void => {
      const [address, ...rest] = addresses;
      dial({ ...target, ...named, hostname: address as string }, (error, socket) => {
        if (error === null) callback(null, socket);
        else if (rest.length === 0) callback(error, null);
        else tryNext(rest);
      });
    };
    addressesOf(hostname).then(tryNext, (error: Error) => callback(error, null));
  };
}

async function resolveAll(hostname: string): Promise<string[]> {
  const found = await lookup(hostname, { all: true, order: 'verbatim' });
  return found.map(({ address }) => address);
}

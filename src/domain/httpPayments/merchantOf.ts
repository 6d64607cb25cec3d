/** Who the merchant of a request is: the host of what was really requested, never what a server calls itself. */
import { normalizeDomain } from '../../../protocol/policy/values/domain.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Deps } from '../../usecase/deps.ts';

/** Stands for this machine, whose names are no domains: programs that are tried in the sandbox listen there. */
export const LOOPBACK_DOMAIN = 'loopback.localhost';
const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]']);

export interface RequestedUrl {
  readonly merchant: string;
  /** Without its fragment, its query sorted: what the print of a purchase names. */
  readonly print: string;
  /** Without query and fragment, for people. */
  readonly shown: string;
}

/** @throws Fault BAD_REQUEST for an address that no merchant has: not https, with a name and password, or of no domain */
export function requestedUrl({ settings }: Pick<Deps, 'settings'>, text: string): RequestedUrl {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isHere = url !== undefined && LOOPBACK.has(url.hostname) && settings.environment === 'sandbox';
  if (url === undefined && /^https:/i.test(text)) throw wrongUrl('must name a domain, such as shop.example');
  if (url === undefined || !(url.protocol === 'https:' || (isHere && url.protocol === 'http:'))) {
    throw wrongUrl('must be an address that begins with https://');
  }
  if (url.username !== '' || url.password !== '') throw wrongUrl('must have no name and password in it');
  const shown = url.origin + url.pathname;
  url.hash = '';
  url.searchParams.sort();
  return { merchant: isHere ? LOOPBACK_DOMAIN : domainOf(url.hostname), print: url.href, shown };
}

function domainOf(hostname: string): string {
  try {
    return normalizeDomain(hostname);
  } catch {
    throw wrongUrl('must name a domain, such as shop.example');
  }
}

export function wrongUrl(message: string): Fault {
  return new Fault('BAD_REQUEST', `url ${message}.`, [{ path: 'url', message }]);
}

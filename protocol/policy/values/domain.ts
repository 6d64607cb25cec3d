/** The normal form of domain names, in which they are compared: lower-case A-labels (UTS #46), no trailing dot. */

import { z } from 'zod';
import { Fault } from '../../wire/fault.ts';
import { memoize } from '../../wire/memoize.ts';
import type { SkipReason } from '../check.ts';

/** Longer input is refused before it is mapped to a name, which has at most 253 characters. */
const MAX_INPUT_LENGTH = 1000;
/** Characters that the URL parser would not read as part of a host, or would drop. */
const NOT_IN_A_HOST = /[\p{Cc}\p{Z}/\\?#@:%[\]]/u;
/** A label of letters, digits and inner hyphens (RFC 1123 §2.1), at most 63 octets (RFC 1035 §2.3.4). */
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/;
const MAX_NAME_LENGTH = 253;
/** More than the lists of two policies have. */
const CACHED_NAMES = 5_000;

/**
 * Normalizes a domain name for storage and comparison. Look-alikes stay different:
 * "аmazon.com" with a Cyrillic а becomes "xn--mazon-3ve.com".
 * @param text a host name of at least two labels, in Unicode or ASCII
 * @returns lower-case A-labels without a trailing dot
 * @throws Fault BAD_REQUEST for anything else: a URL, a port, an IP address, a single label, a label too long
 */
export function normalizeDomain(text: string): string {
  const name = text.length <= MAX_INPUT_LENGTH ? nameOf(text) : undefined;
  if (name === undefined) {
    throw new Fault(
      'BAD_REQUEST',
      'A domain is a plain host name such as shop.example.com, without scheme, port or path.',
    );
  }
  return name;
}

const nameOf = memoize(CACHED_NAMES, (text): string | undefined => {
  const host = NOT_IN_A_HOST.test(text) ? undefined : hostOf(text);
  const name = host?.endsWith('.') ? host.slice(0, -1) : host;
  return name !== undefined && isDomainName(name) ? name : undefined;
});

// The WHATWG URL parser applies UTS #46 and exists in Node and in every browser alike.
function hostOf(text: string): string | undefined {
  try {
    return new URL(`https://${text}`).hostname;
  } catch {
    return undefined;
  }
}

function isDomainName(name: string): boolean {
  const labels = name.split('.');
  const last = labels.at(-1) ?? '';
  // The parser has turned every name that ends in a number into an IPv4 address.
  return (
    name.length <= MAX_NAME_LENGTH &&
    labels.length >= 2 &&
    !/^\d+$/.test(last) &&
    labels.every((label) => LABEL.test(label))
  );
}

export const MerchantDomain = z.string().transform((text, context) => {
  try {
    return normalizeDomain(text);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    context.addIssue({ code: 'custom', message: error.message });
    return z.NEVER;
  }
});
export type MerchantDomain = z.infer<typeof MerchantDomain>;

export const WILDCARD = '*.';

/** An entry of an allow or deny list: a domain, or `*.` and a domain. */
export const DomainPattern = z
  .string()
  .refine(isDomainPattern, 'must be a domain such as example.com, or *.example.com for its subdomains');

function isDomainPattern(text: string): boolean {
  try {
    normalizeDomain(text.startsWith(WILDCARD) ? text.slice(WILDCARD.length) : text);
    return true;
  } catch {
    return false;
  }
}

/** Whether all that an entry of a list names another entry of such a list names too. */
export function patternsCover(kind: 'allow' | 'deny'): (list: readonly string[]) => (entry: string) => boolean {
  return (patterns) => {
    const list = compileDomains(patterns, { coversSubdomains: kind === 'deny' });
    return (entry) => {
      if (!entry.startsWith(WILDCARD)) return isListed(list, normalizeDomain(entry));
      const parent = normalizeDomain(entry.slice(WILDCARD.length));
      return list.parents.has(parent) || isBelow(list.parents, parent);
    };
  };
}

export interface DomainList {
  readonly exact: ReadonlySet<string>;
  /** Domains whose subdomains are listed, at any depth. */
  readonly parents: ReadonlySet<string>;
}

export function compileDomains(
  patterns: readonly string[],
  { coversSubdomains }: { coversSubdomains: boolean },
): DomainList {
  const exact = new Set<string>();
  const parents = new Set<string>();
  for (const pattern of patterns) {
    if (pattern.startsWith(WILDCARD)) {
      parents.add(normalizeDomain(pattern.slice(WILDCARD.length)));
    } else {
      const domain = normalizeDomain(pattern);
      exact.add(domain);
      if (coversSubdomains) parents.add(domain);
    }
  }
  return { exact, parents };
}

/** @param domain in its normal form */
export function isListed(list: DomainList, domain: string): boolean {
  return list.exact.has(domain) || isBelow(list.parents, domain);
}

/** Whether it is a subdomain of one of them, at any depth. */
function isBelow(parents: ReadonlySet<string>, domain: string): boolean {
  if (parents.size === 0) return false;
  for (let dot = domain.indexOf('.'); dot !== -1; dot = domain.indexOf('.', dot + 1)) {
    if (parents.has(domain.slice(dot + 1))) return true;
  }
  return false;
}

/** Why no rule about merchants is asked. */
export const NO_MERCHANT: SkipReason = { notAsked: 'The request names no merchant; its cart will.' };

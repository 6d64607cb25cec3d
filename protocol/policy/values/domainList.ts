/** Lists of merchants by domain, where `*.` and a domain stands for its subdomains. */
import { z } from 'zod';
import type { NotAsked } from '../check.ts';
import { normalizeDomain } from './domain.ts';

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
export const NO_MERCHANT: NotAsked = { notAsked: 'The request names no merchant; its cart will.' };

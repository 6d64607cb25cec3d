/** Merchants by domain: the normal form of input, and allow and deny lists. */
import { z } from 'zod';
import { Fault } from '../../wire/fault.ts';
import type { Check, Measure, NotAsked } from '../check.ts';
import { normalizeDomain } from '../domain.ts';
import { NOT_SET } from '../explain.ts';
import type { Rules } from '../rules.ts';

/** A merchant's domain, parsed to its normal form. */
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

const WILDCARD = '*.';

/** True for an entry of an allow or deny list: a domain, or `*.` and a domain. */
export function isDomainPattern(text: string): boolean {
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
    const list = compileList(patterns, { coversSubdomains: kind === 'deny' });
    return (entry) => {
      if (!entry.startsWith(WILDCARD)) return isListed(list, normalizeDomain(entry));
      const parent = normalizeDomain(entry.slice(WILDCARD.length));
      return list.parents.has(parent) || isBelow(list.parents, parent);
    };
  };
}

interface DomainList {
  readonly exact: ReadonlySet<string>;
  /** Domains whose subdomains are listed, at any depth. */
  readonly parents: ReadonlySet<string>;
}

export interface CompiledMerchants {
  /** Undefined allows every merchant. */
  readonly allow: DomainList | undefined;
  readonly deny: DomainList;
}

export function compileMerchants(rules: Rules['merchant']): CompiledMerchants {
  const allowed = rules?.allow_list ?? [];
  return {
    allow: allowed.length === 0 ? undefined : compileList(allowed, { coversSubdomains: false }),
    // A denied domain includes its subdomains, or else www. would evade the list.
    deny: compileList(rules?.deny_list ?? [], { coversSubdomains: true }),
  };
}

function compileList(patterns: readonly string[], { coversSubdomains }: { coversSubdomains: boolean }): DomainList {
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
function isListed(list: DomainList, domain: string): boolean {
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

/** The merchants that an allow list names, without those that it only tells the parent domain of. */
export function namedMerchants({ merchants: { allow } }: { readonly merchants: CompiledMerchants }): readonly string[] {
  return allow === undefined ? [] : [...allow.exact];
}

/** An intent without a merchant passes; its cart, which must name one, is checked again. */
export const checkAllowList: Check = ({ policy, request: { merchantDomain } }) => {
  const { allow } = policy.merchants;
  if (allow === undefined || merchantDomain === undefined || isListed(allow, merchantDomain)) return undefined;
  return { message: `${merchantDomain} is not on the policy's allow list.` };
};

export const checkDenyList: Check = ({ policy, request: { merchantDomain } }) => {
  if (merchantDomain === undefined || !isListed(policy.merchants.deny, merchantDomain)) return undefined;
  return { message: `${merchantDomain} is on the policy's deny list.` };
};

const NO_MERCHANT: NotAsked = { notAsked: 'The request names no merchant; its cart will.' };

export const measureAllowList: Measure = ({ policy, request: { merchantDomain } }) => {
  if (policy.merchants.allow === undefined) return NOT_SET;
  if (merchantDomain === undefined) return NO_MERCHANT;
  return { asked: merchantDomain, sentence: `${merchantDomain} is on the policy's allow list.` };
};

export const measureDenyList: Measure = ({ policy: { merchants }, request: { merchantDomain } }) => {
  if (merchants.deny.exact.size === 0 && merchants.deny.parents.size === 0) return NOT_SET;
  if (merchantDomain === undefined) return NO_MERCHANT;
  return { asked: merchantDomain, sentence: `${merchantDomain} is not on the policy's deny list.` };
};

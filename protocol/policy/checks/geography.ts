/** Geography: the merchant's country. */
import type { Check, Measure } from '../check.ts';
import { NOT_SET } from '../explain.ts';
import type { Rules } from '../rules.ts';

export interface CompiledGeo {
  /** Undefined allows every country. */
  readonly allow: ReadonlySet<string> | undefined;
  readonly deny: ReadonlySet<string>;
}

export function compileGeo(rules: Rules['context']): CompiledGeo {
  const { allow = [], deny = [] } = rules?.geo ?? {};
  return { allow: allow.length === 0 ? undefined : new Set(allow), deny: new Set(deny) };
}

/** The countries that a policy names as allowed. */
export function namedCountries({ geo }: { readonly geo: CompiledGeo }): readonly string[] {
  return [...(geo.allow ?? [])];
}

export const checkGeo: Check = ({ policy: { geo }, request: { country } }) => {
  if (country === undefined) {
    return geo.allow === undefined
      ? undefined
      : { message: 'The policy allows only certain countries, and the request names none.' };
  }
  if (geo.deny.has(country)) return { message: `The policy denies purchases in ${country}.` };
  if (geo.allow === undefined || geo.allow.has(country)) return undefined;
  return { message: `The policy allows no purchases in ${country}.` };
};

export const measureGeo: Measure = ({ policy: { geo }, request: { country } }) => {
  if (geo.allow === undefined && geo.deny.size === 0) return NOT_SET;
  if (country === undefined && geo.allow === undefined) return { notAsked: 'The request names no country.' };
  return { asked: country ?? 'no country', sentence: `The policy allows purchases in ${country}.` };
};

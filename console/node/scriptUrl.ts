/** The addresses of the page's own scripts, for what takes none from elsewhere (CSP Level 3, `trusted-types console`). */
import { OWN_SCRIPTS } from './here.ts';

/** Trusted Types, which not every browser has yet, and TypeScript's library not at all. */
interface Policy {
  createScriptURL(url: string): unknown;
}

interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): Policy;
}

let policy: Policy | undefined;

/** @param url of one of the page's own scripts @throws TypeError for any other */
export function scriptUrl(url: string): unknown {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return own(url);
  policy ??= trustedTypes.createPolicy('console', { createScriptURL: own });
  return policy.createScriptURL(url);
}

function own(url: string): string {
  if (OWN_SCRIPTS.includes(url)) return url;
  throw new TypeError(`${url} is no script of this page.`);
}

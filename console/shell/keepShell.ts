/** Has the browser keep the page itself, so that the console opens without a network. */

const WORKER = 'sw.js';

/** Trusted Types, which not every browser has yet, and TypeScript's library not at all. */
interface TrustedTypes {
  createPolicy(name: string, rules: { createScriptURL(url: string): string }): { createScriptURL(url: string): string };
}

export function keepShell(): void {
  if (!('serviceWorker' in navigator)) return;
  // Somebody may browse where nothing is kept; the console then needs a network.
  navigator.serviceWorker.register(workerUrl()).catch(() => undefined);
}

/** The one address of a script that this page makes (CSP Level 3, `trusted-types console`). */
function workerUrl(): string {
  const { trustedTypes } = globalThis as { readonly trustedTypes?: TrustedTypes };
  if (trustedTypes === undefined) return WORKER;
  return trustedTypes.createPolicy('console', { createScriptURL: () => WORKER }).createScriptURL(WORKER);
}

/** What the pages for a person may load, run and connect to: this node, and nothing else (CSP Level 3, Trusted Types). */

const SHARED = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
];

export const PAGE_POLICY = [...SHARED, "trusted-types 'none'"].join('; ');

/** The console also has a manifest and a worker, whose address goes through a policy of this name (console/shell/keepShell.ts). */
export const CONSOLE_POLICY = [...SHARED, "manifest-src 'self'", "worker-src 'self'", 'trusted-types console'].join(
  '; ',
);

/** The worker that keeps the console runs by a policy of its own: it asks for the console's files. */
export const WORKER_POLICY = "default-src 'none'; connect-src 'self'";

/** Other workers of the console load what they are made of, and nothing else; one hashes by WebAssembly that it carries. */
export const FILE_POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; frame-ancestors 'none'";

#!/usr/bin/env bash
# Guess: a package whose manifest has a form for `import` can be imported in Node.
# Reality: `import '@ucp-js/sdk'` ends with ERR_MODULE_NOT_FOUND, as its files for import name folders without a file; `require` works, and a
#          bundler hides it. What it parses has no `ap2` any more and another text for `expires_at`.
# Hurts: servers in Node with ECMAScript modules that verify a checkout of UCP, and those that verify the parsed copy in place of the bytes.
# Version: npm @ucp-js/sdk 0.1.1, run on 2026-11-27. Source: Node's documentation of ECMAScript modules, "Mandatory file extensions".
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @ucp-js/sdk@0.1.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
console.log('@ucp-js/sdk', JSON.parse(readFileSync('node_modules/@ucp-js/sdk/package.json', 'utf8')).version);

console.log('import:', await import('@ucp-js/sdk').then(() => 'works', (error) => error.code));
const { CheckoutResponseSchema } = createRequire(import.meta.url)('@ucp-js/sdk');
console.log('require:', typeof CheckoutResponseSchema.parse === 'function' ? 'works' : 'does not');
const version = '2026-01-11';
const { ap2, expires_at: ends } = CheckoutResponseSchema.parse({
  ucp: { version, capabilities: [{ name: 'dev.ucp.shopping.checkout', version }] },
  id: 'chk_1',
  status: 'ready_for_complete',
  currency: 'USD',
  line_items: [],
  totals: [{ type: 'total', amount: 100 }],
  links: [],
  payment: { handlers: [] },
  expires_at: '2046-01-01T00:00:00Z',
  ap2: { merchant_authorization: 'e30..AA' },
});
console.log('parsed: ap2', ap2 === undefined ? 'is gone' : 'stays', 'expires_at', JSON.stringify(ends));
PROGRAM
cat > expected <<'SEEN'
@ucp-js/sdk 0.1.1
import: ERR_MODULE_NOT_FOUND
require: works
parsed: ap2 is gone expires_at "2046-01-01T00:00:00.000Z"
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

#!/usr/bin/env bash
# Guess: Cedar's decimal() takes "1000" and its datetime() takes any RFC 3339 time.
# Reality: decimal("1000") is an error (a point is wanted), as is a fifth decimal place even if it is 0; datetime() takes an
#          offset without a colon only (+0100, never +01:00) and no fraction but three digits.
# Hurts: whole amounts (yen) written by exact formatters, and times by Python's isoformat(): each `permit` that reads them denies.
# Version: npm @cedar-policy/cedar-wasm 4.13.0, run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @cedar-policy/cedar-wasm@4.13.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const cedar = createRequire(import.meta.url)('@cedar-policy/cedar-wasm/nodejs');
console.log('@cedar-policy/cedar-wasm', JSON.parse(readFileSync('node_modules/@cedar-policy/cedar-wasm/package.json', 'utf8')).version);

const entity = (type) => ({ type, id: 'a' });
for (const condition of [
  'decimal("1000.0").greaterThan(decimal("1.0"))', 'decimal("1000").greaterThan(decimal("1.0"))', 'decimal("1000.00000").greaterThan(decimal("1.0"))',
  ...['Z', '+0100', '+01:00', '.123Z', '.123456Z', '.1Z'].map((end) => `datetime("2025-01-01T00:00:00${end}") < datetime("2026-01-01")`),
]) {
  const staticPolicies = `permit(principal, action, resource) when { ${condition} };`;
  const { response } = cedar.isAuthorized({ principal: entity('A'), action: entity('Action'), resource: entity('R'), context: {}, policies: { staticPolicies }, entities: [] });
  console.log(response.decision, condition, response.diagnostics.errors.length === 0 ? 'read' : 'error');
}
PROGRAM
cat > expected <<'SEEN'
@cedar-policy/cedar-wasm 4.13.0
allow decimal("1000.0").greaterThan(decimal("1.0")) read
deny decimal("1000").greaterThan(decimal("1.0")) error
deny decimal("1000.00000").greaterThan(decimal("1.0")) error
allow datetime("2025-01-01T00:00:00Z") < datetime("2026-01-01") read
allow datetime("2025-01-01T00:00:00+0100") < datetime("2026-01-01") read
deny datetime("2025-01-01T00:00:00+01:00") < datetime("2026-01-01") error
allow datetime("2025-01-01T00:00:00.123Z") < datetime("2026-01-01") read
deny datetime("2025-01-01T00:00:00.123456Z") < datetime("2026-01-01") error
deny datetime("2025-01-01T00:00:00.1Z") < datetime("2026-01-01") error
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

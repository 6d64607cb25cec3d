#!/usr/bin/env bash
# Guess: five RFC 8785 libraries leave out a member that is undefined, as JSON.stringify does, refuse NaN and sort every object.
# Reality: json-canon writes `{,"b":1}`, which is no JSON; canonify and @truestamp/canonify write NaN as null, where the other
#          three throw; json-canonicalize leaves an object that has a member named toJSON unsorted. None tells the caller.
# Hurts: who signs objects with optional members: the text that was signed cannot be parsed by any peer.
# Version: npm canonicalize 5.1.0, json-canonicalize 3.0.1, canonify 2.1.1, @truestamp/canonify 2.1.0, json-canon 1.0.1; run on 2026-11-27.
# Source: RFC 8785, 3.2.2.3 (NaN and Infinity are an error).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  canonicalize@5.1.0 \
  json-canonicalize@3.0.1 \
  canonify@2.1.1 \
  @truestamp/canonify@2.1.0 \
  json-canon@1.0.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
console.log('canonicalize', JSON.parse(readFileSync('node_modules/canonicalize/package.json', 'utf8')).version);
console.log('json-canonicalize', JSON.parse(readFileSync('node_modules/json-canonicalize/package.json', 'utf8')).version);
console.log('canonify', JSON.parse(readFileSync('node_modules/canonify/package.json', 'utf8')).version);
console.log('@truestamp/canonify', JSON.parse(readFileSync('node_modules/@truestamp/canonify/package.json', 'utf8')).version);
console.log('json-canon', JSON.parse(readFileSync('node_modules/json-canon/package.json', 'utf8')).version);

const attempt = (write, value) => { try { return write(value); } catch { return 'throws'; } };
for (const name of ['canonicalize', 'json-canonicalize', 'canonify', '@truestamp/canonify', 'json-canon']) {
  const library = await import(name);
  const write = library.canonicalize ?? library.canonify ?? library.default.canonicalize ?? library.default;
  console.log(name, 'undefined', attempt(write, { a: undefined, b: 1 }), 'NaN', attempt(write, { a: Number.NaN }), 'toJSON', attempt(write, JSON.parse('{"toJSON":"x","a":1}')));
}
PROGRAM
cat > expected <<'SEEN'
canonicalize 5.1.0
json-canonicalize 3.0.1
canonify 2.1.1
@truestamp/canonify 2.1.0
json-canon 1.0.1
canonicalize undefined {"b":1} NaN throws toJSON {"a":1,"toJSON":"x"}
json-canonicalize undefined {"b":1} NaN throws toJSON {"toJSON":"x","a":1}
canonify undefined {"b":1} NaN {"a":null} toJSON {"a":1,"toJSON":"x"}
@truestamp/canonify undefined {"b":1} NaN {"a":null} toJSON {"a":1,"toJSON":"x"}
json-canon undefined {,"b":1} NaN throws toJSON {"a":1,"toJSON":"x"}
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

#!/usr/bin/env bash
# Guess: a structured field that is parsed and serialized again is the same field: `1.0` is a Decimal and stays one.
# Reality: structured-headers keeps Decimals as JavaScript numbers, so `1.0` comes back as the Integer `1`: another type and another text.
# Hurts: HTTP message signatures over a component with `;sf` (strict serialization) or over a field that a proxy rewrote: the
#        base text differs and the signature fails; prices in fields lose their decimals.
# Version: npm structured-headers 2.1.0, run on 2026-11-27. Source: RFC 9651, 3.3.2 and 4.1.5.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  structured-headers@2.1.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { parseItem, parseList, serializeItem, serializeList } from 'structured-headers';
console.log('structured-headers', JSON.parse(readFileSync('node_modules/structured-headers/package.json', 'utf8')).version);

for (const text of ['1.0', 'a;q=1.0', '12.5']) console.log(text, 'becomes', serializeItem(parseItem(text)));
console.log('1.0, 2.5', 'becomes', serializeList(parseList('1.0, 2.5')));
PROGRAM
cat > expected <<'SEEN'
structured-headers 2.1.0
1.0 becomes 1
a;q=1.0 becomes a;q=1
12.5 becomes 12.5
1.0, 2.5 becomes 1, 2.5
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

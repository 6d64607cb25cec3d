#!/usr/bin/env bash
# Guess: a COSE_Key (a CBOR map with integer labels) is decoded to a Map with integer keys, so `key.get(-1)` is the curve.
# Reality: cbor-x gives a plain object with text keys '1', '3', '-1', and re-encodes it with text labels, which is no COSE_Key
#          any more; cbor and cbor2 give a Map. With `mapsAsObjects: false` cbor-x does too.
# Hurts: who stores a passkey's public key decoded, or re-encodes it to compare bytes.
# Version: npm cbor-x 1.6.9, cbor 10.0.12, cbor2 2.3.0, run on 2026-11-27. Source: RFC 9052, 7.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  cbor-x@1.6.9 \
  cbor@10.0.12 \
  cbor2@2.3.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { decode as decode2, encode as encode2 } from 'cbor2';
const require = createRequire(import.meta.url);
const cborX = require('cbor-x'), cbor = require('cbor');
console.log('cbor-x', JSON.parse(readFileSync('node_modules/cbor-x/package.json', 'utf8')).version);
console.log('cbor', JSON.parse(readFileSync('node_modules/cbor/package.json', 'utf8')).version);
console.log('cbor2', JSON.parse(readFileSync('node_modules/cbor2/package.json', 'utf8')).version);

const key = Buffer.from('a3010203262001', 'hex');
const told = (name, value, bytes) => console.log(name, value.constructor.name, Buffer.from(bytes).equals(key) ? 'same bytes again' : 'other bytes');
const exact = new cborX.Encoder({ mapsAsObjects: false, useRecords: false });
for (const [name, decode, encode] of [['cbor-x', cborX.decode, cborX.encode], ['cbor-x maps', (b) => exact.decode(b), (v) => exact.encode(v)], ['cbor', cbor.decode, cbor.encode], ['cbor2', decode2, encode2]])
  told(name, decode(key), encode(decode(key)));
PROGRAM
cat > expected <<'SEEN'
cbor-x 1.6.9
cbor 10.0.12
cbor2 2.3.0
cbor-x Object other bytes
cbor-x maps Map same bytes again
cbor Map same bytes again
cbor2 Map same bytes again
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

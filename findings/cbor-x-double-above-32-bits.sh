#!/usr/bin/env bash
# Guess: three CBOR libraries write the integer 5000000000 (50 million in cents) in the same bytes, as an unsigned integer.
# Reality: cbor-x writes integers of more than 32 bits as a double (fb…); cbor and cbor2 write 1b…. Given as a BigInt,
#          cbor writes a bignum (tag 2) and the other two 1b…. No library is constant over both types except cbor2.
# Hurts: signatures and digests over CBOR (COSE payloads, content ids): large sums and milliseconds of time hash differently.
# Version: npm cbor-x 1.6.9, cbor 10.0.12, cbor2 2.3.0, run on 2026-11-27. Source: RFC 8949, 4.2.1 (shortest integer form).
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
import { encode as encode2 } from 'cbor2';
const require = createRequire(import.meta.url);
const cborX = require('cbor-x'), cbor = require('cbor');
console.log('cbor-x', JSON.parse(readFileSync('node_modules/cbor-x/package.json', 'utf8')).version);
console.log('cbor', JSON.parse(readFileSync('node_modules/cbor/package.json', 'utf8')).version);
console.log('cbor2', JSON.parse(readFileSync('node_modules/cbor2/package.json', 'utf8')).version);

const hex = (bytes) => Buffer.from(bytes).toString('hex');
for (const value of [4294967295, 5000000000, 5000000000n, 1732740000000])
  console.log(typeof value, String(value), 'cbor-x', hex(cborX.encode(value)), 'cbor', hex(cbor.encode(value)), 'cbor2', hex(encode2(value)));
PROGRAM
cat > expected <<'SEEN'
cbor-x 1.6.9
cbor 10.0.12
cbor2 2.3.0
number 4294967295 cbor-x 1affffffff cbor 1affffffff cbor2 1affffffff
number 5000000000 cbor-x fb41f2a05f20000000 cbor 1b000000012a05f200 cbor2 1b000000012a05f200
bigint 5000000000 cbor-x 1b000000012a05f200 cbor c245012a05f200 cbor2 1b000000012a05f200
number 1732740000000 cbor-x fb427936f5a2900000 cbor 1b000001936f5a2900 cbor2 1b000001936f5a2900
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

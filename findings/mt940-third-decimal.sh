#!/usr/bin/env bash
# Guess: an MT940 amount in Kuwaiti dinar keeps its three decimals (SWIFT allows as many as the currency has).
# Reality: mt940js, swiftmessageparser and @centrapay/swift-parser round each amount to two decimals: 0,001 KWD becomes 0,
#          and 1,235 becomes 1.24. The closing balance is compared after the same rounding, so no error is told.
# Hurts: reconciliation of accounts in KWD, BHD, OMR, TND or JOD.
# Version: npm mt940js 1.3.5, swiftmessageparser 1.2.1, @centrapay/swift-parser 1.0.1, mt940-js 1.0.0; run on 2026-11-27 (mt940-js needs tslib, which it does not name).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  mt940js@1.3.5 \
  swiftmessageparser@1.2.1 \
  @centrapay/swift-parser@1.0.1 \
  mt940-js@1.0.0 tslib@2.8.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
console.log('mt940js', JSON.parse(readFileSync('node_modules/mt940js/package.json', 'utf8')).version);
console.log('swiftmessageparser', JSON.parse(readFileSync('node_modules/swiftmessageparser/package.json', 'utf8')).version);
console.log('@centrapay/swift-parser', JSON.parse(readFileSync('node_modules/@centrapay/swift-parser/package.json', 'utf8')).version);
console.log('mt940-js', JSON.parse(readFileSync('node_modules/mt940-js/package.json', 'utf8')).version);

const statement = (currency, opening, lines, closing) =>
  [':20:STMT1', ':25:12345678/0123456789', ':28C:1/1', `:60F:C231230${currency}${opening}`, ...lines,
    `:62F:C240102${currency}${closing}`, '-'].join('\r\n') + '\r\n';

const data = statement('KWD', '1,000', [':61:231231C0,001NMSCA', ':86:a', ':61:231231C1,235NMSCB', ':86:b'], '2,236');
const { Parser } = require('mt940js');
const told = (name, statements) => console.log(name, ...statements.flatMap((s) => s.transactions.map((t) => String(t.amount))));
told('mt940js', new Parser().parse(data));
for (const name of ['swiftmessageparser', '@centrapay/swift-parser'])
  told(name, [require(name).parse({ type: 'mt940', data })].flat());
told('mt940-js', await require('mt940-js').read(Buffer.from(data)));
PROGRAM
cat > expected <<'SEEN'
mt940js 1.3.5
swiftmessageparser 1.2.1
@centrapay/swift-parser 1.0.1
mt940-js 1.0.0
mt940js 0 1.24
swiftmessageparser 0 1.24
@centrapay/swift-parser 0 1.24
mt940-js 0.001 1.235
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

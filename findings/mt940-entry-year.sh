#!/usr/bin/env bash
# Guess: field 61 gives the value date as YYMMDD and the entry date as MMDD, so a reader finds the entry's year by nearness:
#        value date 2023-12-31 with entry 0102 was booked on 2024-01-02.
# Reality: four of four readers put the value date's year before it: 2023-01-02, almost a year early; and value date
#          2024-01-02 with entry 1231 becomes 2024-12-31, almost a year late.
# Hurts: who matches captures with bookings by date around New Year.
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

const data = statement('EUR', '1,00', [':61:2312310102C1,00NMSCA', ':86:a', ':61:2401021231C1,00NMSCB', ':86:b'], '3,00');
const { Parser } = require('mt940js');
const day = (date) => (date instanceof Date ? date.toISOString() : date).slice(0, 10);
const told = (name, statements) =>
  console.log(name, ...statements.flatMap((s) => s.transactions.map((t) => `${day(t.date ?? t.valueDate)} entered ${day(t.entryDate)}`)));
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
mt940js 2023-12-31 entered 2023-01-02 2024-01-02 entered 2024-12-31
swiftmessageparser 2023-12-31 entered 2023-01-02 2024-01-02 entered 2024-12-31
@centrapay/swift-parser 2023-12-31 entered 2023-01-02 2024-01-02 entered 2024-12-31
mt940-js 2023-12-31 entered 2023-01-02 2024-01-02 entered 2024-12-31
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

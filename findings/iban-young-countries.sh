#!/usr/bin/env bash
# Guess: four IBAN validators take the examples that the IBAN registry gives for the countries that joined it in the last years.
# Reality: iban, the oldest of them, calls all twelve invalid, from Libya to Honduras, though their check digits are right; ibankit
#          takes all but Yemen; ibantools and fast-iban take all.
# Hurts: payouts and refunds to accounts there: a right account number is told as a typing error.
# Version: npm iban 0.0.14, ibankit 1.6.5, ibantools 4.5.4, fast-iban 1.2.0, run on 2026-11-27. Source: SWIFT IBAN registry (examples).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  iban@0.0.14 ibankit@1.6.5 ibantools@4.5.4 fast-iban@1.2.0 >> npm.log
cat > run.cjs <<'PROGRAM'
const { IBAN } = require('ibankit');
const validators = {
  iban: (text) => require('iban').isValid(text),
  ibankit: (text) => IBAN.isValid(text),
  ibantools: (text) => require('ibantools').isValidIBAN(text),
  'fast-iban': (text) => require('fast-iban').validateIBAN(text),
};
const examples = ['BI4210000100010000332045181', 'DJ2100010000000154000100186', 'FK88SC123456789012', 'HN88CABF00000000000250005469',
  'LY83002048000020100120361', 'MN121234123456789123', 'NI45BAPR00000013000003558124', 'OM810180000001299123456',
  'RU0304452522540817810538091310419', 'SD2129010501234001', 'SO211000001001000100141', 'YE15CBYE0001018861234567891234'];
const digits = (iban) => [...iban.slice(4), ...iban.slice(0, 4)].map((sign) => Number.parseInt(sign, 36)).join('');
console.log('check digits right', examples.filter((iban) => BigInt(digits(iban)) % 97n === 1n).length, 'of', examples.length);
for (const [name, isValid] of Object.entries(validators)) {
  const refused = examples.filter((iban) => !isValid(iban)).map((iban) => iban.slice(0, 2));
  console.log(name, require(`./node_modules/${name}/package.json`).version, 'refuses', refused.join(' ') || 'none', 'takes DE', isValid('DE89370400440532013000'));
}
PROGRAM
cat > expected <<'SEEN'
check digits right 12 of 12
iban 0.0.14 refuses BI DJ FK HN LY MN NI OM RU SD SO YE takes DE true
ibankit 1.6.5 refuses YE takes DE true
ibantools 4.5.4 refuses none takes DE true
fast-iban 1.2.0 refuses none takes DE true
SEEN
node run.cjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

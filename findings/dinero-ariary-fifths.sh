#!/usr/bin/env bash
# Guess: an amount of Malagasy ariary has two decimals, as in ISO 4217, or none, as on prices: dinero's 10000 is 100.00 or 10000.
# Reality: dinero counts ariary (and Mauritanian ouguiya) in fifths: 10000 is 2000 of them, and a decimal text of it is an error. The table
#          currency-codes says two decimals.
# Hurts: totals and limits that take a currency's table from one package and its arithmetic from another: five, fifty or a hundred times off.
# Version: npm dinero.js 2.0.2, currency-codes 2.2.0, run on 2026-11-29. Source: ISO 4217, MGA and MRU: two decimals, with a note on fifths.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  dinero.js@2.0.2 currency-codes@2.2.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import codes from 'currency-codes';
import { dinero, toDecimal, toUnits } from 'dinero.js';
import { MGA, MRU, USD } from 'dinero.js/currencies';
for (const name of ['dinero.js', 'currency-codes']) {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
}

const told = (work) => {
  try {
    return work();
  } catch ({ message }) {
    return `throws ${message}`;
  }
};
for (const currency of [USD, MGA, MRU]) {
  const amount = dinero({ amount: 10000, currency });
  const { maximumFractionDigits } = new Intl.NumberFormat('en', { style: 'currency', currency: currency.code }).resolvedOptions();
  console.log(currency.code, 'units', JSON.stringify(toUnits(amount)), '|', told(() => toDecimal(amount)));
  console.log(currency.code, 'currency-codes', codes.code(currency.code).digits, 'Intl', maximumFractionDigits);
}
PROGRAM
cat > expected <<'SEEN'
dinero.js 2.0.2
currency-codes 2.2.0
USD units [100,0] | 100.00
USD currency-codes 2 Intl 2
MGA units [2000,0] | throws [Dinero.js] Currency is not decimal.
MGA currency-codes 2 Intl 0
MRU units [2000,0] | throws [Dinero.js] Currency is not decimal.
MRU currency-codes 2 Intl 2
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

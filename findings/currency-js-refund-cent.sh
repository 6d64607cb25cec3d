#!/usr/bin/env bash
# Guess: currency.js turns 1.005 into 1.00 (the double is below the half) and -1.005 into -1.00.
# Reality: 1.005 becomes 1.01 and -1.005 becomes -1.00: halves go up, never away from zero, so charge and refund of one number
#          differ by a cent, and their sum is 0.01. A continental text "1.234,50" is read as 1.23 without an error.
# Hurts: refunds computed from the same unrounded share as the charge; amounts typed or scraped in German or Spanish form.
# Version: npm currency.js 2.0.4, run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  currency.js@2.0.4 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import currency from 'currency.js';
console.log('currency.js', JSON.parse(readFileSync('node_modules/currency.js/package.json', 'utf8')).version);

const charge = currency(1.005), refund = currency(-1.005);
console.log('charge', charge.intValue, 'refund', refund.intValue, 'sum', charge.add(refund).intValue);
console.log('1.234,50', currency('1.234,50').intValue, 'strict', currency('1.234,50', { errorOnInvalid: true }).intValue);
PROGRAM
cat > expected <<'SEEN'
currency.js 2.0.4
charge 101 refund -100 sum 1
1.234,50 123 strict 123
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

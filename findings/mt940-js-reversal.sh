#!/usr/bin/env bash
# Guess: a line marked RC (a credit taken back) lowers the account, so a reader gives it a negative sign or a flag.
# Reality: mt940-js gives RC as a plain credit and RD as a plain debit of the same amount; no member tells the reversal.
#          isExpense is true for every line, credits too.
# Hurts: who matches refunds and chargebacks with a bank's statement: money taken back is counted as money received.
# Version: npm mt940-js 1.0.0, run on 2026-11-27 (mt940-js needs tslib, which it does not name). Source: SWIFT MT940, field 61, subfield 3 (C, D, RC, RD).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  mt940-js@1.0.0 tslib@2.8.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const { read } = createRequire(import.meta.url)('mt940-js');
console.log('mt940-js', JSON.parse(readFileSync('node_modules/mt940-js/package.json', 'utf8')).version);

const statement = (currency, opening, lines, closing) =>
  [':20:STMT1', ':25:12345678/0123456789', ':28C:1/1', `:60F:C231230${currency}${opening}`, ...lines,
    `:62F:C240102${currency}${closing}`, '-'].join('\r\n') + '\r\n';

const lines = [':61:231231C100,NMSCSALE', ':86:sale', ':61:231231RC100,NMSCBACK', ':86:sale taken back',
  ':61:231231D50,NMSCBUY', ':86:purchase', ':61:231231RD50,NMSCUNDO', ':86:purchase taken back'];
for (const { transactions } of await read(Buffer.from(statement('EUR', '1000,00', lines, '1000,00'))))
  for (const { description, amount, isCredit, isExpense } of transactions)
    console.log(description, amount, 'isCredit', isCredit, 'isExpense', isExpense);
PROGRAM
cat > expected <<'SEEN'
mt940-js 1.0.0
sale 100 isCredit true isExpense true
sale taken back 100 isCredit true isExpense true
purchase 50 isCredit false isExpense true
purchase taken back 50 isCredit false isExpense true
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

#!/usr/bin/env bash
# Guess: node-nacha writes a batch whose originating bank is the bank that the file is made for, as its entries' trace numbers have it.
# Reality: the batch header and its control record have the first eight digits of the company's tax id as the bank's routing number. The trace
#          numbers of the entries have the bank's, so header and entries name two banks. Nothing is said.
# Hurts: those who send payouts or refunds by ACH: the batch names a bank that is none of theirs, and a bank that looks at it refuses the file.
# Version: npm @midlandsbank/node-nacha 0.4.0, run on 2026-11-29. Source: Nacha file format, Company/Batch Header Record (Originating DFI
#          Identification: routing number of the bank), Entry Detail Record (trace number: begins with the same eight digits).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @midlandsbank/node-nacha@0.4.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import nacha from '@midlandsbank/node-nacha';
const name = '@midlandsbank/node-nacha';
console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);

const made = nacha
  .create({ from: { name: 'Shop', fein: '123456789' }, for: { name: 'Bank', routing: '081000032' } })
  .ppd({ effectiveDate: '261231', description: 'Refund', date: 'Dec 30' })
  .credit({ name: 'Buyer', account: { num: '135792468', type: 'C' }, routing: '101000019', amount: 2900 });
const lines = nacha.from(made).to('ach').split('\n');
const of = (type) => lines.find((line) => line.startsWith(type));
console.log('bank of the file', of('1').slice(4, 13));
console.log('bank in the batch header', of('5').slice(79, 87));
console.log('bank in the entry’s trace number', of('6').slice(79, 87));
console.log('bank in the batch control', of('8').slice(79, 87));
PROGRAM
cat > expected <<'SEEN'
@midlandsbank/node-nacha 0.4.0
bank of the file 081000032
bank in the batch header 12345678
bank in the entry’s trace number 08100003
bank in the batch control 12345678
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

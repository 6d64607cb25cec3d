#!/usr/bin/env bash
# Guess: a date such as 11/29'26, which banks of the United States write into QIF, is read as the 29th of November or is an error.
# Reality: without an option the first number is the day, and a month above twelve runs over: 29 months on it is the 11th of May 2028.
#          With `dateFormat: 'us'` it is right, and 29/11/2026 runs over in the same way. A format that matches nothing puts a
#          text beginning with "<invalid date" where the date was, and does not throw.
# Hurts: statements compared with what an agent spent: a payment lies years ahead, or on another day of the same year, and is never found.
# Version: npm qif2json 0.4.0, run on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  qif2json@0.4.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import qif from 'qif2json';
console.log('qif2json', JSON.parse(readFileSync('node_modules/qif2json/package.json', 'utf8')).version);

const read = (date, options) => qif.parse(`!Type:Bank\nD${date}\nT-12.50\nPShop\n^\n`, options).transactions[0].date;
for (const date of ["11/29'26", "11/05'26", '29/11/2026']) {
  console.log(date, '|', read(date), '|', read(date, { dateFormat: 'us' }), '|', read(date, { dateFormat: 'YYYY-MM-DD' }));
}
PROGRAM
cat > expected <<'SEEN'
qif2json 0.4.0
11/29'26 | 2028-05-11T00:00:00 | 2026-11-29T00:00:00 | <invalid date:"11/29'26">
11/05'26 | 2026-05-11T00:00:00 | 2026-11-05T00:00:00 | <invalid date:"11/05'26">
29/11/2026 | 2026-11-29T00:00:00 | 2028-05-11T00:00:00 | <invalid date:"29/11/2026">
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

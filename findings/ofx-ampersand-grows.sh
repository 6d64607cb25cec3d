#!/usr/bin/env bash
# Guess: `A &amp; B` in an OFX name is read as `A & B`, or at least comes through parse and serialize as it was.
# Reality: node-ofx-parser reads it as `A &amp;amp;amp; B`, and each further turn of serialize and parse adds two more `amp;`.
#          ofx-js reads `A & B`.
# Hurts: matching by payee, and rules that are kept by name: a shop with & in its name has another name after each turn.
# Version: npm node-ofx-parser 0.5.1, ofx-js 1.1.1, run on 2026-11-27. Source: OFX 1.0.2, 2.3.2.1 (escapes).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  node-ofx-parser@0.5.1 \
  ofx-js@1.1.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);
const { parse, serialize } = require('node-ofx-parser');
console.log('node-ofx-parser', JSON.parse(readFileSync('node_modules/node-ofx-parser/package.json', 'utf8')).version);
console.log('ofx-js', JSON.parse(readFileSync('node_modules/ofx-js/package.json', 'utf8')).version);

const statement = (transactions) => `OFXHEADER:100
DATA:OFXSGML
VERSION:102
SECURITY:NONE
ENCODING:USASCII
CHARSET:1252
COMPRESSION:NONE
OLDFILEUID:NONE
NEWFILEUID:NONE

<OFX>
<SIGNONMSGSRSV1><SONRS><STATUS><CODE>0
<SEVERITY>INFO
</STATUS><DTSERVER>20250131120000
<LANGUAGE>ENG
</SONRS></SIGNONMSGSRSV1>
<CREDITCARDMSGSRSV1><CCSTMTTRNRS><TRNUID>1
<STATUS><CODE>0
<SEVERITY>INFO
</STATUS><CCSTMTRS><CURDEF>EUR
<CCACCTFROM><ACCTID>2
</CCACCTFROM><BANKTRANLIST><DTSTART>20250101
<DTEND>20250131
${transactions.map(([type, amount, id, name]) => `<STMTTRN>
<TRNTYPE>${type}
<DTPOSTED>20250102
<TRNAMT>${amount}
<FITID>${id}
<NAME>${name}
</STMTTRN>
`).join('')}</BANKTRANLIST><LEDGERBAL><BALAMT>20.00
<DTASOF>20250131
</LEDGERBAL></CCSTMTRS></CCSTMTTRNRS></CREDITCARDMSGSRSV1>
</OFX>
`;

const file = statement([['DEBIT', '-30.00', '1', 'A &amp; B']]);
const name = ({ OFX }) => OFX.CREDITCARDMSGSRSV1.CCSTMTTRNRS.CCSTMTRS.BANKTRANLIST.STMTTRN.NAME;
const once = parse(file);
console.log('node-ofx-parser', name(once));
console.log('a turn later', name(parse(serialize(once.header, once.OFX))));
console.log('ofx-js', name(await require('ofx-js').parse(file)));
PROGRAM
cat > expected <<'SEEN'
node-ofx-parser 0.5.1
ofx-js 1.1.1
node-ofx-parser A &amp;amp;amp; B
a turn later A &amp;amp;amp;amp;amp; B
ofx-js A & B
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

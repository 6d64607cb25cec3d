#!/usr/bin/env bash
# Guess: in OFX the sign of TRNAMT is the direction of the money, so on a card's statement `PAYMENT 50.00` (the bill is paid) is a credit.
# Reality: ofx-data-extractor takes the direction from TRNTYPE: the payment of 50 counts as a debit; 30 spent and 50 paid give
#          credit 0 and debit 80. The amount itself stays positive, so direction and amount contradict each other.
# Hurts: totals of card statements; refunds that a bank lists under PAYMENT.
# Version: npm ofx-data-extractor 1.5.0, run on 2026-11-27. Source: OFX 1.0.2, TRNAMT and TRNTYPE of STMTTRN.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  ofx-data-extractor@1.5.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const { Ofx } = createRequire(import.meta.url)('ofx-data-extractor');
console.log('ofx-data-extractor', JSON.parse(readFileSync('node_modules/ofx-data-extractor/package.json', 'utf8')).version);

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

const ofx = new Ofx(statement([['DEBIT', '-30.00', '1', 'shop'], ['PAYMENT', '50.00', '2', 'bill paid']]));
const { credit, debit } = ofx.getTransactionsSummary();
console.log('credit', credit, 'debit', debit, 'valid', ofx.validate().isValid);
for (const { description, direction, amount } of ofx.toNormalized().transactions) console.log(description, direction, amount);
PROGRAM
cat > expected <<'SEEN'
ofx-data-extractor 1.5.0
credit 0 debit 80 valid true
shop debit -30
bill paid debit 50
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

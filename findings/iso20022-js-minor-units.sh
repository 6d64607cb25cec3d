#!/usr/bin/env bash
# Guess: iso20022.js, which gives statement amounts in minor units, gives 1000 yen as 1000, one dinar as 1000 fils and 0.29 euro as 29.
# Reality: each amount is multiplied by 100, in floating point: 1000 yen are 100000, 0.001 dinar is 0.1, 0.29 euro is
#          28.999999999999996. Written, an instruction of 1000 in JPY is 10 yen, and 1234 fils are 12.34 dinars.
# Hurts: who compares camt.053 with integers of a rail (a cent is missing), and who pays in yen or dinars: a hundredth, or ten times too much.
# Version: npm iso20022.js 0.0.15, run on 2026-11-27. Source: camt.053.001.02, ISO 4217.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact iso20022.js@0.0.15 >> npm.log
cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { CashManagementEndOfDayReport, ISO20022 } from 'iso20022.js';
console.log('iso20022.js', JSON.parse(readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version);

const amount = (value, currency, direction) => `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`;
const balance = (code, value, currency) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value, currency, 'CRDT')}<Dt><Dt>2025-01-05</Dt></Dt></Bal>`;
const entry = (value, currency, direction) =>
  `<Ntry><NtryRef>1</NtryRef>${amount(value, currency, direction)}<Sts>BOOK</Sts><BookgDt><Dt>2025-01-05</Dt></BookgDt>
  <ValDt><Dt>2025-01-05</Dt></ValDt><AcctSvcrRef>R1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>CCRD</Cd><SubFmlyCd>POSD</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry>`;
const statement = (currency, opening, closing, entries) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2025-01-06T00:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>2025-01-06T00:00:00</CreDtTm><Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>${currency}</Ccy>
<Ownr><Nm>A</Nm></Ownr><Svcr><FinInstnId><BIC>COBADEFFXXX</BIC></FinInstnId></Svcr></Acct>
${balance('OPBD', opening, currency)}${balance('CLBD', closing, currency)}${entries}</Stmt></BkToCstmrStmt></Document>`;

for (const [currency, opening, closing, ...values] of [['JPY', '1000', '1100', '100'], ['KWD', '1.000', '1.001', '0.001'], ['EUR', '100.00', '105.79', '0.29', '1.15', '4.35']]) {
  const entries = values.map((value) => entry(value, currency, 'CRDT')).join('');
  const [read] = CashManagementEndOfDayReport.fromXML(statement(currency, opening, closing, entries)).statements;
  console.log(currency, opening, 'is', read.balances[0].amount, ...read.entries.flatMap((e, at) => [values[at], 'is', e.amount]));
}
const agent = (bic, country) => ({ bic, bankAddress: { country } });
const sender = new ISO20022({ initiatingParty: { name: 'A', id: 'A', account: { accountNumber: '1' }, agent: agent('CHASUS33', 'US') } });
const address = { streetName: 'S', townName: 'T', postalCode: '1', country: 'DE' };
const creditor = { name: 'B', account: { iban: 'DE89370400440532013000' }, agent: agent('DEUTDEFF', 'DE'), address };
for (const [value, currency] of [[1000, 'JPY'], [1234, 'KWD'], [1234, 'EUR']]) {
  const order = sender.createSWIFTCreditPaymentInitiation([{ type: 'swift', direction: 'credit', amount: value, currency, creditor, remittanceInformation: 'r' }]);
  console.log('paying', value, currency, 'writes', order.serialize().match(/<InstdAmt[^>]*>[^<]*/)[0]);
}
PROGRAM
cat > expected <<'SEEN'
iso20022.js 0.0.15
JPY 1000 is 100000 100 is 10000
KWD 1.000 is 100 0.001 is 0.1
EUR 100.00 is 10000 0.29 is 28.999999999999996 1.15 is 114.99999999999999 4.35 is 434.99999999999994
paying 1000 JPY writes <InstdAmt Ccy="JPY">10
paying 1234 KWD writes <InstdAmt Ccy="KWD">12.34
paying 1234 EUR writes <InstdAmt Ccy="EUR">12.34
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

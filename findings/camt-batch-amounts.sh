#!/usr/bin/env bash
# Guess: a booking of 3.00 that names its two payments (TxDtls with Amt 1.00 and 2.00) is read with each payment's amount and direction.
# Reality: camt-parser gives each payment an amount of empty texts and no direction: it reads the amount in AmtDtls alone, though
#          the version that it is for has Amt and CdtDbtInd beside it.
# Hurts: matching of single card payments inside a batch booking: only the sum of the booking is left.
# Version: npm camt-parser 1.1.0, run on 2026-11-27. Source: camt.053.001.08, EntryTransaction10 (Amt, CdtDbtInd, AmtDtls).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact camt-parser@1.1.0 >> npm.log
cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
const { parseCamt053 } = createRequire(import.meta.url)('camt-parser');
console.log('camt-parser', JSON.parse(readFileSync('node_modules/camt-parser/package.json', 'utf8')).version);

const amount = (value, currency, direction) => `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`;
const balance = (code, value, currency) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value, currency, 'CRDT')}<Dt><Dt>2025-01-05</Dt></Dt></Bal>`;
const entry = (value, currency, direction, { details }) =>
  `<Ntry><NtryRef>1</NtryRef>${amount(value, currency, direction)}<Sts><Cd>BOOK</Cd></Sts><BookgDt><Dt>2025-01-05</Dt></BookgDt>
  <ValDt><Dt>2025-01-05</Dt></ValDt><AcctSvcrRef>R1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>CCRD</Cd><SubFmlyCd>POSD</SubFmlyCd></Fmly></Domn></BkTxCd>${details}</Ntry>`;
const statement = (currency, opening, closing, entries) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.08"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2025-01-06T00:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>2025-01-06T00:00:00</CreDtTm><Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>${currency}</Ccy>
<Ownr><Nm>A</Nm></Ownr><Svcr><FinInstnId><BICFI>COBADEFFXXX</BICFI></FinInstnId></Svcr></Acct>
${balance('OPBD', opening, currency)}${balance('CLBD', closing, currency)}${entries}</Stmt></BkToCstmrStmt></Document>`;

const payment = (id, members) => `<TxDtls><Refs><EndToEndId>${id}</EndToEndId></Refs>${members}</TxDtls>`;
const details = `<NtryDtls>${payment('E1', amount('1.00', 'EUR', 'DBIT'))}${payment('E2', amount('2.00', 'EUR', 'DBIT'))}</NtryDtls>`;
const older = `<NtryDtls>${payment('E3', '<AmtDtls><TxAmt><Amt Ccy="EUR">4.00</Amt></TxAmt></AmtDtls>')}</NtryDtls>`;
const entries = entry('3.00', 'EUR', 'DBIT', { details }) + entry('4.00', 'EUR', 'DBIT', { details: older });
const { statements } = await parseCamt053(statement('EUR', '10.00', '3.00', entries));
for (const { details } of statements[0].transactions) for (const detail of details) console.log(JSON.stringify(detail));
PROGRAM
cat > expected <<'SEEN'
camt-parser 1.1.0
{"references":{"accountServicerReference":"","endToEndId":"E1"},"amountDetails":{"transactionAmount":{"currency":"","value":""}}}
{"references":{"accountServicerReference":"","endToEndId":"E2"},"amountDetails":{"transactionAmount":{"currency":"","value":""}}}
{"references":{"accountServicerReference":"","endToEndId":"E3"},"amountDetails":{"transactionAmount":{"currency":"EUR","value":"4.00"}}}
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

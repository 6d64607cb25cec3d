#!/usr/bin/env bash
# Guess: an entry of a camt.053 statement with RvslInd true (a booking taken back) is read with `reversal: true`, as the member promises.
# Reality: iso20022.js says false for `<RvslInd>true</RvslInd>`, for `1`, and for an absent element alike.
# Hurts: who tells a chargeback or a returned payment from a sale by that member: it never is one.
# Version: npm iso20022.js 0.0.15, run on 2026-11-27. Source: camt.053.001.02, ReversalIndicator (an xs:boolean, so `true` and `1`).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact iso20022.js@0.0.15 >> npm.log
cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { CashManagementEndOfDayReport } from 'iso20022.js';
console.log('iso20022.js', JSON.parse(readFileSync('node_modules/iso20022.js/package.json', 'utf8')).version);

const amount = (value, currency, direction) => `<Amt Ccy="${currency}">${value}</Amt><CdtDbtInd>${direction}</CdtDbtInd>`;
const balance = (code, value, currency) =>
  `<Bal><Tp><CdOrPrtry><Cd>${code}</Cd></CdOrPrtry></Tp>${amount(value, currency, 'CRDT')}<Dt><Dt>2025-01-05</Dt></Dt></Bal>`;
const entry = (value, currency, direction, reversal = '') =>
  `<Ntry><NtryRef>1</NtryRef>${amount(value, currency, direction)}${reversal}<Sts>BOOK</Sts><BookgDt><Dt>2025-01-05</Dt></BookgDt>
  <ValDt><Dt>2025-01-05</Dt></ValDt><AcctSvcrRef>R1</AcctSvcrRef><BkTxCd><Domn><Cd>PMNT</Cd><Fmly><Cd>CCRD</Cd><SubFmlyCd>POSD</SubFmlyCd></Fmly></Domn></BkTxCd></Ntry>`;
const statement = (currency, opening, closing, entries) => `<?xml version="1.0" encoding="UTF-8"?>
<Document xmlns="urn:iso:std:iso:20022:tech:xsd:camt.053.001.02"><BkToCstmrStmt><GrpHdr><MsgId>M1</MsgId><CreDtTm>2025-01-06T00:00:00</CreDtTm></GrpHdr>
<Stmt><Id>S1</Id><ElctrncSeqNb>1</ElctrncSeqNb><CreDtTm>2025-01-06T00:00:00</CreDtTm><Acct><Id><Othr><Id>1</Id></Othr></Id><Ccy>${currency}</Ccy>
<Ownr><Nm>A</Nm></Ownr><Svcr><FinInstnId><BIC>COBADEFFXXX</BIC></FinInstnId></Svcr></Acct>
${balance('OPBD', opening, currency)}${balance('CLBD', closing, currency)}${entries}</Stmt></BkToCstmrStmt></Document>`;

for (const reversal of ['<RvslInd>true</RvslInd>', '<RvslInd>1</RvslInd>', '<RvslInd>false</RvslInd>', '']) {
  const [read] = CashManagementEndOfDayReport.fromXML(statement('EUR', '10.00', '9.00', entry('1.00', 'EUR', 'DBIT', reversal))).statements;
  console.log(reversal || 'absent', read.entries[0].reversal);
}
PROGRAM
cat > expected <<'SEEN'
iso20022.js 0.0.15
<RvslInd>true</RvslInd> false
<RvslInd>1</RvslInd> false
<RvslInd>false</RvslInd> false
absent false
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

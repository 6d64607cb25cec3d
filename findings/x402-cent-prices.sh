#!/usr/bin/env bash
# Guess: a seller's price of whole cents, such as "$2.01", becomes 2010000 units of USDC, as "$2.00" becomes 2000000.
# Reality: the price is multiplied as a double: it becomes "2009999.9999999998", and so do 2,384 of the 100,000 prices from one cent to
#          1,000 dollars. The seller says it without an error; the package's own schema refuses it, and its own buyer throws on it.
# Hurts: sellers, whose resource stops being sold at the day of a new price; buyers and nodes between, who must tell such an amount from
#        one that they may pay, and may not round it.
# Version: npm x402 1.2.0 with viem 2.54.0, run on 2026-11-29. Source: x402 version 1, PaymentRequirements: maxAmountRequired is a
#          number of the asset's smallest units.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  x402@1.2.0 viem@2.54.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { privateKeyToAccount } from 'viem/accounts';
import { createPaymentHeader } from 'x402/client';
import { processPriceToAtomicAmount } from 'x402/shared';
import { PaymentRequirementsSchema } from 'x402/types';
console.log('x402', JSON.parse(readFileSync('node_modules/x402/package.json', 'utf8')).version);

const priced = (price) => processPriceToAtomicAmount(price, 'base');
for (const price of ['$2.00', '$2.01', '$4.03', 4.1]) console.log(price, priced(price).maxAmountRequired);
let count = 0;
for (let cents = 1; cents <= 100_000; cents++) {
  const { maxAmountRequired } = priced(`$${(cents / 100).toFixed(2)}`);
  if (maxAmountRequired !== String(cents * 10_000)) count += 1;
}
console.log('of 100000 prices in cents', count, 'are no whole units');

const { maxAmountRequired, asset } = priced('$2.01');
const requirement = {
  scheme: 'exact',
  network: 'base',
  maxAmountRequired,
  resource: 'https://shop.example/report',
  description: 'A report',
  mimeType: 'text/plain',
  payTo: '0x2222222222222222222222222222222222222222',
  maxTimeoutSeconds: 60,
  asset: asset.address,
  extra: asset.eip712,
};
console.log('its schema takes it', PaymentRequirementsSchema.safeParse(requirement).success);
const account = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const paid = await createPaymentHeader(account, 1, requirement).then(
  () => 'pays it',
  ({ name }) => `throws ${name}`,
);
console.log('its buyer', paid);
PROGRAM
cat > expected <<'SEEN'
x402 1.2.0
$2.00 2000000
$2.01 2009999.9999999998
$4.03 4030000.0000000005
4.1 4099999.9999999995
of 100000 prices in cents 2384 are no whole units
its schema takes it false
its buyer throws SyntaxError
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

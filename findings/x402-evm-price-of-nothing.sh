#!/usr/bin/env bash
# Guess: a price below the asset's smallest unit, such as "$0.0000004" a call in USDC, is refused, or becomes one unit.
# Reality: digits after the sixth are cut off, so it becomes the amount "0", and "$0.0000019" becomes 1. Nothing is said. A price with a
#          comma between the thousands, which the version before took, is an error.
# Hurts: sellers of single tokens, rows or pixels, who ask for nothing; buyers and nodes between, to whom a payment of nothing comes.
# Version: npm @x402/evm 2.27.0 and x402 1.2.0, run on 2026-11-29. Source: x402 version 2, PaymentRequirements: amount in smallest units.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @x402/evm@2.27.0 x402@1.2.0 viem@2.54.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { ExactEvmScheme } from '@x402/evm/exact/server';
import { processPriceToAtomicAmount } from 'x402/shared';
for (const name of ['@x402/evm', 'x402']) {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
}

const scheme = new ExactEvmScheme();
for (const price of ['$0.000001', '$0.0000004', '$0.0000019', 4e-7, '$0.1234567', '$1,000.50']) {
  const asked = await scheme.parsePrice(price, 'eip155:8453').then(
    ({ amount }) => amount,
    (error) => `throws ${error.message}`,
  );
  const before = processPriceToAtomicAmount(price, 'base');
  console.log(price, asked, '| before:', before.maxAmountRequired ?? 'an error');
}
PROGRAM
cat > expected <<'SEEN'
@x402/evm 2.27.0
x402 1.2.0
$0.000001 1 | before: an error
$0.0000004 0 | before: an error
$0.0000019 1 | before: an error
4e-7 0 | before: an error
$0.1234567 123456 | before: 123456.7
$1,000.50 throws Invalid money format: $1,000.50 | before: 1000500000
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

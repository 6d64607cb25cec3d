#!/usr/bin/env bash
# Guess: a balance assertion in cents fails when the account is a cent off: `balance Assets:Card -10.00 USD` after 10.01 were spent.
# Reality: it passes in Beancount, and in rustledger, which takes its rules over: an assertion may be off by twice what a transaction may, which is
#          one whole unit of its last digit. The same assertion written -10.000 fails.
# Hurts: those who take an assertion that passes for a reconciled statement: a cent of fees or of a rounded refund is never seen.
# Version: Debian python3-beancount 2.3.5-2+b1 (Python 3.11), npm @rustledger/wasm 0.24.0, run on 2026-11-29.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -o APT::Sandbox::User=root python3-beancount=2.3.5-2+b1 python3-dateutil python3-six python3-ply > apt.log 2>&1 ||
  { apt-get update >> apt.log 2>&1 && apt-get download -o APT::Sandbox::User=root python3-beancount=2.3.5-2+b1 python3-dateutil python3-six python3-ply >> apt.log 2>&1; } ||
  { cat apt.log; exit 1; }
for package in *.deb; do dpkg-deb --extract "$package" root; done
export PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact @rustledger/wasm@0.24.0 >> npm.log

cat > rust.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import init, { validateSource } from '@rustledger/wasm';
await init({ module_or_path: readFileSync('node_modules/@rustledger/wasm/rustledger_wasm_bg.wasm') });
console.log(validateSource(readFileSync('file.beancount', 'utf8')).valid ? 'passes' : 'fails');
PROGRAM
cat > check <<'PROGRAM'
for pair in '10.00 -10.00' '10.01 -10.00' '10.02 -10.00' '10.01 -10.000'; do
  read -r spent asserted <<< "$pair"
  printf '%s\n' '2025-01-01 open Assets:Card' '2025-01-01 open Expenses:Shop' '2025-01-05 * "shop"' "  Expenses:Shop  $spent USD" '  Assets:Card' \
    "2025-01-06 balance Assets:Card  $asserted USD" > file.beancount
  if /usr/bin/python3 -m beancount.scripts.check file.beancount > /dev/null 2>&1; then verdict=passes; else verdict=fails; fi
  echo "$spent spent, balance $asserted: $verdict in Beancount, $(node rust.mjs) in rustledger"
done
PROGRAM
cat > expected <<'SEEN'
beancount 2.3.5
rustledger 0.24.0
10.00 spent, balance -10.00: passes in Beancount, passes in rustledger
10.01 spent, balance -10.00: passes in Beancount, passes in rustledger
10.02 spent, balance -10.00: fails in Beancount, fails in rustledger
10.01 spent, balance -10.000: fails in Beancount, fails in rustledger
SEEN
{
  /usr/bin/python3 -c 'import beancount; print("beancount", beancount.__version__)'
  node -p '"rustledger " + JSON.parse(fs.readFileSync("node_modules/@rustledger/wasm/package.json")).version'
  bash check
} > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

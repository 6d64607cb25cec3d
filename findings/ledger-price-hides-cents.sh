#!/usr/bin/env bash
# Guess: 3 USDC bought at 1.25 USD are shown as 3.75 USD by ledger, or with more decimals, as hledger does.
# Reality: a price does not set ledger's display precision, and a journal in which USD stands in prices only is shown in whole
#          dollars: USD4. The sum inside is exact: once another posting is written in cents, the same balance shows 3.75.
# Hurts: journals of stablecoin purchases whose cash side is left to be computed: each report is rounded to dollars.
# Version: Debian ledger 3.3.0-3, hledger 1.25-2+b5, run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -o APT::Sandbox::User=root hledger=1.25-2+b5 ledger=3.3.0-3 libboost-python1.74.0 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-regex1.74.0 libmpfr6 > apt.log 2>&1 ||
  { apt-get update >> apt.log 2>&1 && apt-get download -o APT::Sandbox::User=root hledger=1.25-2+b5 ledger=3.3.0-3 libboost-python1.74.0 libboost-filesystem1.74.0 libboost-iostreams1.74.0 libboost-regex1.74.0 libmpfr6 >> apt.log 2>&1; } ||
  { cat apt.log; exit 1; }
for package in *.deb; do dpkg-deb --extract "$package" root; done
export LD_LIBRARY_PATH=$PWD/root/usr/lib/x86_64-linux-gnu:$PWD/root/usr/lib/ledger
PATH=$PWD/root/usr/bin:$PATH
cat > journal <<'PROGRAM'
2025-01-05 purchase
    assets:wallet   3 USDC @ 1.25 USD
    assets:bank
PROGRAM
cat > expected <<'SEEN'
hledger 1.25, linux-x86_64
Ledger 3.3.0-20230208
               USD-4  assets:bank
           -3.75 USD  assets:bank
           -3.75 USD  assets:bank
SEEN
{ hledger --version; ledger --version | head -1 | cut -d, -f1
  ledger -f journal balance bank; hledger -f journal balance -N bank
  printf '\n2025-01-06 fee\n    expenses  0.00 USD\n    assets:bank\n' >> journal
  ledger -f journal balance bank; } > seen 2>&1
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

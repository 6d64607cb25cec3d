#!/usr/bin/env bash
# Guess: hledger and ledger read `1,234 USD` as one thousand two hundred thirty-four, and 1 USD more makes 1,235.
# Reality: hledger takes a lone comma before three digits as the decimal mark: the sum is 2,234 USD, which is 2.234. The report
#          prints the same comma, so a single line looks right. ledger says 1,235 USD.
# Hurts: journals exported with grouped thousands: a thousandth of the money, without a warning.
# Version: Debian hledger 1.25-2+b5, ledger 3.3.0-3, run on 2026-11-27.
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
2025-01-05 Shop
    expenses  1,234 USD
    assets

2025-01-06 Shop
    expenses  1 USD
    assets
PROGRAM
cat > expected <<'SEEN'
hledger 1.25, linux-x86_64
Ledger 3.3.0-20230208
           2,234 USD  expenses
           1,235 USD  expenses
SEEN
{ hledger --version; ledger --version | head -1 | cut -d, -f1
hledger -f journal balance -N expenses; ledger -f journal balance expenses; } > seen 2>&1
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

#!/usr/bin/env bash
# Guess: a balance assertion (`= -40 USD`) means the same in ledger and in hledger.
# Reality: hledger checks in order of dates, ledger in order of the file. A journal with an earlier capture written below a later
#          one passes in hledger and is refused by ledger.
# Hurts: journals that are appended to as payments settle: late captures carry an earlier date.
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
2025-01-10 second capture
    assets:bank  -30 USD = -40 USD
    expenses

2025-01-05 first capture, settled late
    assets:bank  -10 USD = -10 USD
    expenses
PROGRAM
cat > expected <<'SEEN'
hledger 1.25, linux-x86_64
Ledger 3.3.0-20230208
hledger passes
Balance assertion off by -10 USD (expected to see -30 USD)
SEEN
{ hledger --version; ledger --version | head -1 | cut -d, -f1
hledger -f journal check && echo hledger passes
ledger -f journal balance 2>&1 | grep -o 'Balance assertion off.*' || true; } > seen 2>&1
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

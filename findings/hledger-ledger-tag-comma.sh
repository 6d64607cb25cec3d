#!/usr/bin/env bash
# Guess: `; merchant: Smith, Jones` is a tag with the value `Smith, Jones` in hledger and in ledger, which share the format.
# Reality: hledger ends the value at the comma (`Smith`) and ledger keeps all of it.
# Hurts: merchants and order numbers with a comma, kept as tags: two shops `Smith, A` and `Smith, B` become one in hledger.
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
    ; merchant: Smith, Jones
    expenses  12.34 USD
    assets
PROGRAM
cat > expected <<'SEEN'
hledger 1.25, linux-x86_64
Ledger 3.3.0-20230208
Smith
Smith, Jones
SEEN
{ hledger --version; ledger --version | head -1 | cut -d, -f1
hledger -f journal tags --values merchant; ledger -f journal register --format '%(tag("merchant"))\n' expenses; } > seen 2>&1
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

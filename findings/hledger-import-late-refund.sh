#!/usr/bin/env bash
# Guess: `hledger import` takes each row that it has not imported before, also a refund that the bank books later with an earlier date.
# Reality: it keeps only the newest date that it saw, and drops rows dated before it without a word; rows of that same day are
#          told apart by their number. It says `imported 2 new transactions` where the file has three.
# Hurts: refunds and captures that are booked late with the value date of the purchase: the journal never gets them.
# Version: Debian hledger 1.25-2+b5, run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -o APT::Sandbox::User=root hledger=1.25-2+b5 > apt.log 2>&1 ||
  { apt-get update >> apt.log 2>&1 && apt-get download -o APT::Sandbox::User=root hledger=1.25-2+b5 >> apt.log 2>&1; } ||
  { cat apt.log; exit 1; }
for package in *.deb; do dpkg-deb --extract "$package" root; done
PATH=$PWD/root/usr/bin:$PATH
cat > bank.csv.rules <<'PROGRAM'
skip 1
fields date,description,amount
currency EUR
account1 assets:bank
PROGRAM
cat > expected <<'SEEN'
hledger 1.25, linux-x86_64
imported 2 new transactions from bank.csv
imported 2 new transactions from bank.csv
one
refund of two
three
two
SEEN
{ hledger --version
  printf 'date,description,amount\n2025-01-05,one,-10.00\n2025-01-10,two,-20.00\n' > bank.csv
  touch journal; hledger -f journal import bank.csv
  printf '%s\n' 2025-01-08,'refund of one',10.00 2025-01-10,'refund of two',5.00 2025-01-12,three,-3.00 >> bank.csv
  hledger -f journal import bank.csv; hledger -f journal descriptions; } > seen 2>&1
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

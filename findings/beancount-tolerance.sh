#!/usr/bin/env bash
# Guess: Beancount refuses a transaction whose postings are off by half a cent when they are written in cents, and surely by four.
# Reality: half of the last digit of the coarsest posting is allowed: 10.00 against 10.005 passes, and one posting written `-10.0`
#          lets 10.04 pass. bean-check says nothing and exits 0; a written `-10.00` against 10.04 is refused.
# Hurts: exports that trim zeros: cents disappear where a journal is trusted to balance.
# Version: Debian python3-beancount 2.3.5-2+b1 (Python 3.11), run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
apt-get download -o APT::Sandbox::User=root python3-beancount=2.3.5-2+b1 python3-dateutil python3-six python3-ply > apt.log 2>&1 ||
  { apt-get update >> apt.log 2>&1 && apt-get download -o APT::Sandbox::User=root python3-beancount=2.3.5-2+b1 python3-dateutil python3-six python3-ply >> apt.log 2>&1; } ||
  { cat apt.log; exit 1; }
for package in *.deb; do dpkg-deb --extract "$package" root; done
export PYTHONPATH=$PWD/root/usr/lib/python3/dist-packages
cat > check <<'PROGRAM'
for pair in '-10.00 10.005' '-10.0 10.04' '-10.00 10.04'; do
  read -r bank shop <<< "$pair"
  printf '%s\n' '2025-01-01 open Assets:Bank' '2025-01-01 open Expenses:Shop' '2025-01-05 * "shop"' "  Assets:Bank  $bank EUR" "  Expenses:Shop  $shop EUR" > file.beancount
  if /usr/bin/python3 -m beancount.scripts.check file.beancount > /dev/null 2>&1; then echo "$pair passes"; else echo "$pair is refused"; fi
done
PROGRAM
cat > expected <<'SEEN'
beancount 2.3.5
-10.00 10.005 passes
-10.0 10.04 passes
-10.00 10.04 is refused
SEEN
{ /usr/bin/python3 -c 'import beancount; print("beancount", beancount.__version__)'; bash check; } > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

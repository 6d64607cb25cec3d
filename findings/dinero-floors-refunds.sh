#!/usr/bin/env bash
# Guess: dinero.js rounds half to even or half away from zero when a scale shrinks, and treats a refund as the mirror of its charge.
# Reality: transformScale without a rounding function goes toward minus infinity: 0.014 becomes 0.01, -0.014 becomes -0.02.
#          The function is called `down`, which elsewhere (Java, decimal.js) means toward zero.
# Hurts: shares of fees and taxes at a finer scale: the refund of a share is a cent more than the share was.
# Version: npm dinero.js 2.0.2, run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  dinero.js@2.0.2 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { dinero, halfAwayFromZero, toSnapshot, transformScale } from 'dinero.js';
import { EUR } from 'dinero.js/currencies';
console.log('dinero.js', JSON.parse(readFileSync('node_modules/dinero.js/package.json', 'utf8')).version);

for (const amount of [14, -14, 15, -15, 16, -16]) {
  const fine = dinero({ amount, currency: EUR, scale: 3 });
  console.log(amount / 1000, 'default', toSnapshot(transformScale(fine, 2)).amount, 'halfAwayFromZero', toSnapshot(transformScale(fine, 2, halfAwayFromZero)).amount);
}
PROGRAM
cat > expected <<'SEEN'
dinero.js 2.0.2
0.014 default 1 halfAwayFromZero 1
-0.014 default -2 halfAwayFromZero -1
0.015 default 1 halfAwayFromZero 2
-0.015 default -2 halfAwayFromZero -2
0.016 default 1 halfAwayFromZero 2
-0.016 default -2 halfAwayFromZero -2
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

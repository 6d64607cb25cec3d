#!/usr/bin/env bash
# Guess: two packages of merchant category codes, which are looked up by thousands, know what card schemes have used for years, such as
#        marketplaces and charging of electric vehicles, and where one lacks a code the other one helps.
# Reality: both have one and the same table. It lacks 5262 (marketplaces), 5552 (charging), 9406 (lotteries of states), 5723 (guns) and the
#          airlines above 3299: the answer is undefined.
# Hurts: rules and budgets by category: what is bought at a marketplace is in none, and passes a list of forbidden ones.
# Version: npm mcc 2.2.0, merchant-category-code 1.0.1, run on 2026-11-29. Source: Visa Merchant Data Standards Manual, editions of October 2019
#          (5262, 5552 and 9406 added) and April 2024 (5723 added).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  mcc@2.2.0 merchant-category-code@1.0.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import mcc from 'mcc';
import merchantCategory from 'merchant-category-code';
for (const name of ['mcc', 'merchant-category-code']) {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
}

let same = 0;
for (const code of mcc.all) {
  const other = merchantCategory(code.mcc);
  if (JSON.stringify(code) === JSON.stringify(other)) same += 1;
}
console.log(mcc.all.length, 'codes,', same, 'the same in both');
for (const code of ['5411', '5262', '5552', '9406', '5723', '3299', '3301']) {
  const described = [mcc.get(code), merchantCategory(code)].map((found) => found?.edited_description);
  console.log(code, ...described);
}
PROGRAM
cat > expected <<'SEEN'
mcc 2.2.0
merchant-category-code 1.0.1
981 codes, 981 the same in both
5411 Grocery Stores, Supermarkets Grocery Stores, Supermarkets
5262 undefined undefined
5552 undefined undefined
9406 undefined undefined
5723 undefined undefined
3299 WIDERO’S FLYVESELSKAP WIDERO’S FLYVESELSKAP
3301 undefined undefined
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

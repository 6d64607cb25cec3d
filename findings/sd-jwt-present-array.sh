#!/usr/bin/env bash
# Guess: `present(token, {items: true})` discloses the claim `items` with all that is in it.
# Reality: it discloses the array or object, and none of its elements that are disclosures themselves: `items` is there and empty. Named
#          one by one they are disclosed; an array that is one disclosure as a whole comes whole. Nothing throws.
# Hurts: wallets and agents that show an allowing list of merchants or items: the verifier reads a list that allows nothing, and refuses
#        what the mandate allows.
# Version: npm @sd-jwt/core 0.19.0, run on 2026-11-27. Source: RFC 9901, 4.2.6 (recursive disclosures), 7.2.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @sd-jwt/core@0.19.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { SDJwtInstance } from '@sd-jwt/core';
console.log('@sd-jwt/core', JSON.parse(readFileSync('node_modules/@sd-jwt/core/package.json', 'utf8')).version);

let salts = 0;
const sdJwt = new SDJwtInstance({
  signer: async () => 'AA',
  signAlg: 'ES256',
  verifier: async () => true,
  hasher: (data) => new Uint8Array(createHash('sha256').update(data).digest()),
  hashAlg: 'sha-256',
  saltGenerator: () => `salt-${++salts}`,
});
sdJwt.type = 'example+sd-jwt';
const shown = async (claims, frame, presented) => {
  const token = await sdJwt.present(await sdJwt.issue(claims, frame), presented);
  return JSON.stringify((await sdJwt.verify(token)).payload);
};
const items = { items: ['milk', 'bread'] };
const each = { _sd: ['items'], items: { _sd: [0, 1] } };
console.log('each element, {items: true}', await shown(items, each, { items: true }));
console.log('each element, {items: [true, true]}', await shown(items, each, { items: [true, true] }));
console.log('as a whole, {items: true}', await shown(items, { _sd: ['items'] }, { items: true }));
const payee = { payee: { name: 'Shop' } };
const member = { _sd: ['payee'], payee: { _sd: ['name'] } };
console.log('each member, {payee: true}', await shown(payee, member, { payee: true }));
console.log('each member, {payee: {name: true}}', await shown(payee, member, { payee: { name: true } }));
PROGRAM
cat > expected <<'SEEN'
@sd-jwt/core 0.19.0
each element, {items: true} {"items":[]}
each element, {items: [true, true]} {"items":["milk","bread"]}
as a whole, {items: true} {"items":["milk","bread"]}
each member, {payee: true} {"payee":{}}
each member, {payee: {name: true}} {"payee":{"name":"Shop"}}
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

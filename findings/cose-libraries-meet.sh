#!/usr/bin/env bash
# Guess: two COSE libraries in one program do not know of each other, and each reads its own signatures, in whichever order they are imported.
# Reality: @auth0/cose and cose-kit both teach the one copy of cbor-x beside them what tag 18 (COSE_Sign1) is. The library that was
#          imported last reads; the other one throws for each signature, for its own too, in words about the tag.
# Hurts: programs that get the second one through a dependency: passkeys, receipts or credentials that verified yesterday are malformed
#        today, and a test that imports one library alone goes on passing.
# Version: npm @auth0/cose 1.0.2, cose-kit 1.7.1, cbor-x 1.6.9, run on 2026-11-29. Source: RFC 9052, 4.2 (tag 18).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @auth0/cose@1.0.2 cose-kit@1.7.1 cbor-x@1.6.9 >> npm.log

cat > run.mjs <<'PROGRAM'
import { generateKeyPairSync } from 'node:crypto';
import { readFileSync } from 'node:fs';
const names = process.argv.slice(2);
if (names.length === 0) {
  for (const name of ['@auth0/cose', 'cose-kit', 'cbor-x']) {
    console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
  }
}
const libraries = {};
for (const name of names) libraries[name] = await import(name);

const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const payload = Buffer.from('5.00 USD');
const turns = {
  '@auth0/cose': async ({ Sign1, ProtectedHeaders, UnprotectedHeaders, Headers, Algorithms }) => {
    const header = ProtectedHeaders.from([[Headers.Algorithm, Algorithms.ES256]]);
    const signed = await Sign1.sign(header, UnprotectedHeaders.from([]), payload, privateKey);
    await Sign1.decode(signed.encode()).verify(publicKey);
    return true;
  },
  'cose-kit': async ({ coseSign, coseVerify }) =>
    (await coseVerify(await coseSign({ alg: 'ES256' }, {}, payload, privateKey), publicKey)).isValid,
};
for (const name of names) {
  const result = await turns[name](libraries[name]).catch((error) => `throws ${error.message}`);
  console.log(`imported ${names.join(', then ')}: ${name} reads its own`, result);
}
PROGRAM
cat > expected <<'SEEN'
@auth0/cose 1.0.2
cose-kit 1.7.1
cbor-x 1.6.9
imported @auth0/cose: @auth0/cose reads its own true
imported cose-kit: cose-kit reads its own true
imported @auth0/cose, then cose-kit: @auth0/cose reads its own throws Unexpected CBOR tag. Expected tag 18 (Sign1) but got undefined
imported @auth0/cose, then cose-kit: cose-kit reads its own true
imported cose-kit, then @auth0/cose: cose-kit reads its own throws unknown COSE type
imported cose-kit, then @auth0/cose: @auth0/cose reads its own true
SEEN
{
  node run.mjs
  node run.mjs @auth0/cose
  node run.mjs cose-kit
  node run.mjs @auth0/cose cose-kit
  node run.mjs cose-kit @auth0/cose
} > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

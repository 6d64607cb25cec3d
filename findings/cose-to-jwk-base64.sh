#!/usr/bin/env bash
# Guess: cose-to-jwk turns a passkey's COSE key into the JWK that every other converter gives, so both have one thumbprint.
# Reality: x and y are in base64 with `+`, `/` and `=`, not in base64url. jose, Node and WebCrypto import such a key without a word, so it
#          verifies, and its thumbprint (RFC 7638) is another one. A key of Ed25519 ends with a TypeError about undefined.
# Hurts: those who find a key, or the token that is bound to it, by its thumbprint: it is not found, though each signature verifies.
# Version: npm cose-to-jwk 1.1.0, cose-kit 1.7.1, jose 6.2.17, run on 2026-11-29. Source: RFC 7518, 6.2.1.2 (base64url), RFC 7638, 3.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  cose-to-jwk@1.1.0 cose-kit@1.7.1 jose@6.2.17 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { webcrypto } from 'node:crypto';
import { COSEKeyFromJWK, COSEKeyToJWK } from 'cose-kit';
import coseToJwk from 'cose-to-jwk';
import { calculateJwkThumbprint, importJWK } from 'jose';
for (const name of ['cose-to-jwk', 'cose-kit', 'jose']) {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
}

const known = {
  kty: 'EC',
  crv: 'P-256',
  x: 'Hm0w0cpIdEV6zWEyiEEVVgFqLobcFV49rsJfNT3ZjAw',
  y: 'Vi7I5-HTGef2X1AcznYghCjJ8LrmydVidL4Ceql2SgE',
};
const cose = Buffer.from(COSEKeyFromJWK(known));
for (const [name, read] of Object.entries({ 'cose-kit': COSEKeyToJWK, 'cose-to-jwk': coseToJwk })) {
  const jwk = read(cose);
  console.log(name, 'y', jwk.y, 'thumbprint', await calculateJwkThumbprint(jwk));
  const key = await importJWK(jwk, 'ES256');
  const again = await webcrypto.subtle.importKey('jwk', jwk, { name: 'ECDSA', namedCurve: 'P-256' }, true, []);
  console.log(name, 'imported by jose', key.type, 'and by WebCrypto', again.type);
}
const edwards = { kty: 'OKP', crv: 'Ed25519', x: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo' };
try {
  console.log('Ed25519', coseToJwk(Buffer.from(COSEKeyFromJWK(edwards))));
} catch (error) {
  console.log('Ed25519 throws', error.name);
}
PROGRAM
cat > expected <<'SEEN'
cose-to-jwk 1.1.0
cose-kit 1.7.1
jose 6.2.17
cose-kit y Vi7I5-HTGef2X1AcznYghCjJ8LrmydVidL4Ceql2SgE thumbprint Y-0vphSAO9vrRR3X8HBIjHd0eRA9mEnkWnV34yRkf4c
cose-kit imported by jose public and by WebCrypto public
cose-to-jwk y Vi7I5+HTGef2X1AcznYghCjJ8LrmydVidL4Ceql2SgE= thumbprint MQRjLUbCN1bgDBQeih4jsqGz2s4FWeUQWbYTTZbzBcM
cose-to-jwk imported by jose public and by WebCrypto public
Ed25519 throws TypeError
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

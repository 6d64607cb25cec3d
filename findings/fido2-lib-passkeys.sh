#!/usr/bin/env bash
# Guess: fido2-lib registers and verifies a synced passkey with ES256 or Ed25519, and tells that it is backed up.
# Reality: an Ed25519 passkey cannot be registered; an ES384 one is registered, and its key is refused at each later login; the
#          backup flags of WebAuthn Level 3 come out as RFU3 and RFU4, the old reserved names.
# Hurts: sites that offer -8 or -35 in pubKeyCredParams: the person has a passkey that never logs in.
# Version: npm fido2-lib 3.5.9, run on 2026-11-27 with keys made by Node. Source: WebAuthn Level 3, 6.1 (flags BE and BS).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact fido2-lib@3.5.9 cbor2@2.3.0 >> npm.log
cat > run.mjs <<'PROGRAM'
import { createHash, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { encode } from 'cbor2';
import { Fido2Lib } from 'fido2-lib';
console.log('fido2-lib', JSON.parse(readFileSync('node_modules/fido2-lib/package.json', 'utf8')).version);
const bytes = (value) => new Uint8Array(Buffer.from(value, 'base64url'));
const ec = (namedCurve, alg, crv) => {
  const pair = generateKeyPairSync('ec', { namedCurve });
  const { x, y } = pair.publicKey.export({ format: 'jwk' });
  return { ...pair, key: new Map([[1, 2], [3, alg], [-1, crv], [-2, bytes(x)], [-3, bytes(y)]]) };
};
const okp = () => {
  const pair = generateKeyPairSync('ed25519');
  return { ...pair, key: new Map([[1, 1], [3, -8], [-1, 6], [-2, bytes(pair.publicKey.export({ format: 'jwk' }).x)]]) };
};
const sha256 = (data) => createHash('sha256').update(data).digest();
const buffer = (data) => new Uint8Array(data).buffer;
const id = new Uint8Array(32).fill(7), challenge = Buffer.alloc(32, 9).toString('base64url'), origin = 'https://localhost';
const client = (type) => Buffer.from(JSON.stringify({ type, challenge, origin, crossOrigin: false }));
const data = (flags, ...rest) => Buffer.concat([sha256('localhost'), Buffer.from([flags]), Buffer.alloc(4), ...rest]);
const library = new Fido2Lib({ rpId: 'localhost' });
for (const [name, hash, { key, privateKey }] of [['ES256', 'sha256', ec('P-256', -7, 1)], ['Ed25519', null, okp()], ['ES384', 'sha384', ec('P-384', -35, 2)]]) {
  const authData = data(0b01011101, Buffer.alloc(16), Buffer.from([0, 32]), id, encode(key));
  const attestationObject = buffer(encode(new Map([['fmt', 'none'], ['attStmt', new Map()], ['authData', new Uint8Array(authData)]])));
  const seen = { registration: 'verified', login: 'verified', flags: '' };
  const expected = () => ({ challenge, origin, factor: 'either', rpId: 'localhost' }); // the library changes what it is given
  const publicKey = await library
    .attestationResult({ id: buffer(id), rawId: buffer(id), response: { clientDataJSON: buffer(client('webauthn.create')), attestationObject } }, expected())
    .then(({ authnrData }) => { seen.flags = [...authnrData.get('flags')].join(' '); return authnrData.get('credentialPublicKeyPem'); }, () => { seen.registration = 'throws'; });
  const authenticatorData = data(0b00011101), clientDataJSON = client('webauthn.get');
  const signature = buffer(sign(hash, Buffer.concat([authenticatorData, sha256(clientDataJSON)]), privateKey));
  const response = { clientDataJSON: buffer(clientDataJSON), authenticatorData: buffer(authenticatorData), signature };
  if (publicKey === undefined) seen.login = 'none to try';
  else await library.assertionResult({ id: buffer(id), rawId: buffer(id), response }, { ...expected(), publicKey, prevCounter: 0, userHandle: null })
    .catch(() => { seen.login = 'throws'; });
  console.log(name, 'registration', seen.registration, 'login', seen.login, seen.flags);
}
PROGRAM
cat > expected <<'SEEN'
fido2-lib 3.5.9
ES256 registration verified login verified UP UV RFU3 RFU4 AT
Ed25519 registration throws login none to try 
ES384 registration verified login throws UP UV RFU3 RFU4 AT
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

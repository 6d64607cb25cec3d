#!/usr/bin/env bash
# Guess: a credential of the data model 2.0 may name its own context at any https or http address, as the standard has it.
# Reality: Credo takes one only where the host has a dot: `http://localhost:3000/v1` and `https://node/v1` are refused, with the words that
#          the first item must be the context of credentials, which it is. 127.0.0.1 is taken.
# Hurts: those who try an issuer on their own machine or in a cluster, where hosts have one name: what is refused there works in production,
#        and the message sends them to the wrong item.
# Version: npm @credo-ts/core 0.6.3, run on 2026-11-27. Source: Verifiable Credentials Data Model 2.0, 4.3 (contexts are URLs).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @credo-ts/core@0.6.3 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { W3cV2JwtVerifiableCredential } from '@credo-ts/core';
console.log('@credo-ts/core', JSON.parse(readFileSync('node_modules/@credo-ts/core/package.json', 'utf8')).version);

const encoded = (value) => Buffer.from(JSON.stringify(value)).toString('base64url');
const read = (context) => {
  const credential = {
    '@context': ['https://www.w3.org/ns/credentials/v2', context],
    type: ['VerifiableCredential'],
    issuer: 'did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z',
    credentialSubject: { amount: 1 },
  };
  // The signature is judged later, by the agent.
  const token = [{ alg: 'EdDSA', typ: 'vc+jwt' }, credential].map(encoded).join('.');
  try {
    W3cV2JwtVerifiableCredential.fromCompact(`${token}.AA`);
    return 'is read';
  } catch (error) {
    return `refused: ${error.message.replaceAll(/\s+/g, ' ').match(/context must be.*\./)?.[0] ?? error.message}`;
  }
};
for (const host of ['https://node.example', 'http://127.0.0.1:3000', 'http://localhost:3000', 'https://node'])
  console.log(host, read(`${host}/v1`));
PROGRAM
cat > expected <<'SEEN'
@credo-ts/core 0.6.3
https://node.example is read
http://127.0.0.1:3000 is read
http://localhost:3000 refused: context must be an array of strings or objects, where the first item is the verifiable credential context URL.
https://node refused: context must be an array of strings or objects, where the first item is the verifiable credential context URL.
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

#!/usr/bin/env bash
# Guess: `maxClockSkew: 0` of @digitalbazaar/vc means no tolerance: a credential holds from validFrom to validUntil, both included.
# Reality: the library compares with "nearer than 0 ms", which no moment is, and takes equal moments for later ones: with 0 it refuses a
#          credential at its validFrom ("is before", with the same moment twice in the message) and at its validUntil. With 0.001 it takes both.
# Hurts: strict verifiers, and tests with a clock that stands still, in which a credential is issued and verified at one moment.
# Version: npm @digitalbazaar/vc 7.3.0, run on 2026-11-27. Source: Verifiable Credentials Data Model 2.0, 4.9 (becomes and ceases to be valid).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  @digitalbazaar/vc@7.3.0 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { _checkCredential } from '@digitalbazaar/vc';
console.log('@digitalbazaar/vc', JSON.parse(readFileSync('node_modules/@digitalbazaar/vc/package.json', 'utf8')).version);

const credential = {
  '@context': ['https://www.w3.org/ns/credentials/v2'],
  type: ['VerifiableCredential'],
  issuer: 'did:key:z6MkvDqGT54cXesYGvABpF1UapVNwjCqRcafi4Px6Thv5T3Z',
  validFrom: '2026-11-27T12:00:00Z',
  validUntil: '2026-11-27T13:00:00Z',
  credentialSubject: { id: 'urn:a', amount: 1 },
  proof: { type: 'DataIntegrityProof' },
};
const judged = (now, maxClockSkew) => {
  try {
    _checkCredential({ credential, now: new Date(now), maxClockSkew });
    return 'holds';
  } catch (error) {
    return error.message;
  }
};
for (const skew of [0, 0.001])
  for (const now of [credential.validFrom, '2026-11-27T12:00:00.001Z', credential.validUntil]) console.log(skew, now, judged(now, skew));
PROGRAM
cat > expected <<'SEEN'
@digitalbazaar/vc 7.3.0
0 2026-11-27T12:00:00Z The current date time (2026-11-27T12:00:00.000Z) is before "validFrom" (2026-11-27T12:00:00Z).
0 2026-11-27T12:00:00.001Z holds
0 2026-11-27T13:00:00Z The current date time (2026-11-27T13:00:00.000Z) is after "validUntil" (2026-11-27T13:00:00Z).
0.001 2026-11-27T12:00:00Z holds
0.001 2026-11-27T12:00:00.001Z holds
0.001 2026-11-27T13:00:00Z holds
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

#!/usr/bin/env bash
# Guess: a request that web-bot-auth signs for an agent with a directory of keys (Signature-Agent) verifies by vestauth, which names itself
#        compatible with the same draft, as vestauth's requests verify by web-bot-auth.
# Reality: vestauth rebuilds what was signed from the authority alone. A signature that covers more, as the draft wants where there is a
#          Signature-Agent, is an invalid one; and the header as one string is an error. vestauth's own requests, which never cover it, verify by both.
# Hurts: agents whose signed requests a shop refuses as forged, and shops that look for the fault in keys.
# Version: npm vestauth 0.21.1, web-bot-auth 0.1.3, run on 2026-11-29. Source: RFC 9421, 2.5; draft-meunier-web-bot-auth-architecture
#          (signature-agent is covered where the header is sent).
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  vestauth@0.21.1 web-bot-auth@0.1.3 >> npm.log

cat > run.mjs <<'PROGRAM'
import { createPrivateKey, generateKeyPairSync, sign } from 'node:crypto';
import { readFileSync } from 'node:fs';
import vestauth from 'vestauth';
import { signatureHeaders, verify } from 'web-bot-auth';
import { signerFromJWK, verifierFromJWK } from 'web-bot-auth/crypto';
for (const name of ['vestauth', 'web-bot-auth']) {
  console.log(name, JSON.parse(readFileSync(`node_modules/${name}/package.json`, 'utf8')).version);
}

const URL = 'https://shop.example/cart';
const jwk = generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' });
const { d: _, ...known } = jwk;
const created = new Date();
const times = { created, expires: new Date(created.getTime() + 60_000) };
const outcome = (turn) => turn().then(() => 'verifies', (error) => `throws ${error.message}`);
const tell = async (what, headers) => {
  console.log(what);
  console.log('  by vestauth', await outcome(async () => vestauth.primitives.verify('GET', URL, headers, known)));
  const request = new Request(URL, { headers });
  console.log('  by web-bot-auth', await outcome(async () => verify(request, await verifierFromJWK(known))));
};
const signed = async (agent) => {
  const headers = agent === undefined ? {} : { 'Signature-Agent': agent };
  const made = await signatureHeaders(new Request(URL, { headers }), await signerFromJWK(jwk), times);
  return { ...headers, ...made };
};
await tell('vestauth’s request', await vestauth.primitives.headers('GET', URL, 'agent-1', JSON.stringify(jwk)));
await tell('web-bot-auth’s, without an agent', await signed());
await tell('web-bot-auth’s, of an agent', await signed('"https://agent.example"'));

// The dictionary that vestauth reads, signed by hand as RFC 9421 has it.
const agent = 'sig1="https://agent.example"';
const seconds = Math.floor(created.getTime() / 1000);
const params = `("@authority" "signature-agent";key="sig1");created=${seconds};keyid="k";expires=${seconds + 60};tag="web-bot-auth"`;
const base = `"@authority": shop.example\n"signature-agent";key="sig1": "https://agent.example"\n"@signature-params": ${params}`;
const signature = sign(null, Buffer.from(base), createPrivateKey({ key: jwk, format: 'jwk' })).toString('base64');
const headers = { 'Signature-Agent': agent, 'Signature-Input': `sig1=${params}`, Signature: `sig1=:${signature}:` };
console.log('an agent as a dictionary, covered');
console.log('  by vestauth', await outcome(async () => vestauth.primitives.verify('GET', URL, headers, known)));
PROGRAM
cat > expected <<'SEEN'
vestauth 0.21.1
web-bot-auth 0.1.3
vestauth’s request
  by vestauth verifies
  by web-bot-auth verifies
web-bot-auth’s, without an agent
  by vestauth verifies
  by web-bot-auth verifies
web-bot-auth’s, of an agent
  by vestauth throws [INVALID_SIGNATURE_AGENT] invalid --signature-agent
  by web-bot-auth verifies
an agent as a dictionary, covered
  by vestauth throws [INVALID_SIGNATURE] invalid signature
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

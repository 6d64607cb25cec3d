#!/usr/bin/env bash
# Guess: verify() of three Standard Webhooks libraries answers alike: the parsed body, or the library's own error; any body can be signed.
# Reality: standardwebhooks 1.1.1 and svix 1.99.1 parse the body after the signature has passed, so an authentic text body throws a
#          SyntaxError; an empty body is undefined for one and a SyntaxError for the other. svix 2.5.0 answers undefined for every
#          body, also for JSON: `const event = webhook.verify(…)` is empty after the upgrade.
# Hurts: receivers that tell the library's error (400) from all others (500, so the sender repeats), and those that use the answer.
# Version: npm standardwebhooks 1.1.1, svix 1.99.1 and 2.5.0, run on 2026-11-27.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
npm init --yes > npm.log
npm install --loglevel=error --no-audit --no-fund --ignore-scripts --save-exact \
  standardwebhooks@1.1.1 \
  svix@2.5.0 svix-1@npm:svix@1.99.1 >> npm.log

cat > run.mjs <<'PROGRAM'
import { readFileSync } from 'node:fs';
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { Webhook as Svix1Webhook } from 'svix-1';
console.log('standardwebhooks', JSON.parse(readFileSync('node_modules/standardwebhooks/package.json', 'utf8')).version);
console.log('svix-1', JSON.parse(readFileSync('node_modules/svix-1/package.json', 'utf8')).version);
console.log('svix', JSON.parse(readFileSync('node_modules/svix/package.json', 'utf8')).version);

const secret = `whsec_${Buffer.alloc(24, 7).toString('base64')}`;
const now = new Date();
for (const [name, webhook] of [['standardwebhooks', new Webhook(secret)], ['svix-1', new Svix1Webhook(secret)], ['svix', new SvixWebhook(secret)]])
  for (const body of ['{"a":1}', 'hello', '']) {
    const headers = { 'webhook-id': 'msg_1', 'webhook-timestamp': String(Math.floor(now / 1000)), 'webhook-signature': webhook.sign('msg_1', now, body) };
    let outcome;
    try { outcome = JSON.stringify(webhook.verify(body, headers)); } catch (error) { outcome = `throws ${error.name}`; }
    console.log(name, JSON.stringify(body), outcome);
  }
PROGRAM
cat > expected <<'SEEN'
standardwebhooks 1.1.1
svix-1 1.99.1
svix 2.5.0
standardwebhooks "{\"a\":1}" {"a":1}
standardwebhooks "hello" throws SyntaxError
standardwebhooks "" undefined
svix-1 "{\"a\":1}" {"a":1}
svix-1 "hello" throws SyntaxError
svix-1 "" throws SyntaxError
svix "{\"a\":1}" undefined
svix "hello" undefined
svix "" undefined
SEEN
node run.mjs > seen
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

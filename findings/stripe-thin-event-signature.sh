#!/usr/bin/env bash
# Guess: Stripe's package verifies the signature of a webhook and returns the event, whichever of Stripe's two payload styles it has.
# Reality: constructEvent of stripe 23.1.0 throws for a thin event whose signature is right, and so does
#          parseEventNotification for a snapshot: each takes one style alone, and throws a plain Error for the other one. A handler that takes every throw for a wrong signature says so.
# Hurts: payment servers whose operator made the endpoint with thin events: the log sends them to look for a webhook secret that is right.
# Version: npm package stripe 23.1.0, Node 20 or later, run on 2026-11-28.
set -euo pipefail
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
cd "$work"
echo '{"private":true,"type":"module"}' > package.json
npm install --no-audit --no-fund --ignore-scripts --save-exact stripe@23.1.0 > npm.log 2>&1
cat > try.mjs <<'JS'
import Stripe from 'stripe';
const secret = 'whsec_of_a_test';
const timestamp = Math.floor(Date.now() / 1000);
const sign = (payload) => Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp });
const client = new Stripe('sk_test_of_nothing');
const snapshot = JSON.stringify({ id: 'evt_1', object: 'event', type: 'payment_intent.succeeded', data: { object: {} } });
const thin = JSON.stringify({ id: 'evt_2', object: 'v2.core.event', type: 'v1.billing.meter.no_meter_found', livemode: false });
for (const [name, payload] of [['snapshot', snapshot], ['thin', thin]]) {
  for (const [how, read] of [
    ['constructEvent', () => Stripe.webhooks.constructEvent(payload, sign(payload), secret)],
    ['parseEventNotification', () => client.parseEventNotification(payload, sign(payload), secret)],
  ]) {
    try {
      console.log(`${name}, ${how}: ${read().id}`);
    } catch (error) {
      console.log(`${name}, ${how}: ${error.constructor.name}`);
    }
  }
}
JS
node try.mjs > seen
cat > expected <<'SEEN'
snapshot, constructEvent: evt_1
snapshot, parseEventNotification: Error
thin, constructEvent: Error
thin, parseEventNotification: evt_2
SEEN
cat seen
diff expected seen || { echo 'The behaviour has changed.'; exit 1; }

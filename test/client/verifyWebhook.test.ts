/** The client's check of webhooks beyond what test/vectors says for both clients. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifyWebhook } from '../../client/index.ts';
import { signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';

const secret = 'whsec_Kaal48OYYnZtIAVXiU9C/gr+0FI0gWsMqcu1m7wdYCM=';
const now = new Date('2026-11-26T12:00:00Z');
const sent = (body: string, timestamp = now.getTime() / 1000) => ({
  body,
  headers: signatureHeaders({ id: 'evt_1', timestamp, body }, [signingKey(secret)]),
  now,
});
const event = sent('{"id":"evt_1","type":"payment.captured"}');

describe('a webhook', () => {
  test('gives its event from bytes and from text, and from headers of either kind and in any case', () => {
    const upper = Object.fromEntries(Object.entries(event.headers).map(([name, value]) => [name.toUpperCase(), value]));
    const deliveries = [
      event,
      { ...event, body: new TextEncoder().encode(event.body) },
      { ...event, headers: new Headers(event.headers) },
      { ...event, headers: upper },
    ];
    for (const each of deliveries) assert.equal(verifyWebhook(secret, each).type, 'payment.captured');
  });

  test('holds by any of the secrets that are given', () => {
    assert.equal(verifyWebhook(['another one', secret], event).id, 'evt_1');
  });

  test('is refused with the reason', () => {
    const fails = (delivery: Parameters<typeof verifyWebhook>[1], message: RegExp, by: string | string[] = secret) =>
      assert.throws(() => verifyWebhook(by, delivery), { code: 'INVALID_WEBHOOK', message });
    fails({ ...event, headers: {} }, /it has no time/);
    fails({ ...event, toleranceSeconds: 5, now: new Date(now.getTime() + 6000) }, /more than 5 seconds/);
    fails({ ...event, body: `${event.body} ` }, /no signature of it is by this secret/);
    fails({ ...event, headers: { ...event.headers, 'webhook-signature': 'v1, v2,AAAA v1,AAAA' } }, /no signature/);
    fails(event, /no signature/, []);
    fails(sent('not JSON'), /it is not JSON/);
    fails(sent('[1]'), /it is no event/);
  });
});

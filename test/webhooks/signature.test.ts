/** Signatures of deliveries against published and independent values. */
import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { describe, test } from 'node:test';
import { signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';

describe('the signature of a delivery', () => {
  // The example of the Standard Webhooks libraries.
  const secret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
  const delivery = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', timestamp: 1614265330, body: '{"test": 2432232314}' };

  test('is the one that Standard Webhooks gives as its example', () => {
    const headers = signatureHeaders(delivery, [signingKey(secret)]);
    assert.equal(headers['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    assert.equal(headers['webhook-id'], delivery.id);
    assert.equal(headers['webhook-timestamp'], '1614265330');
  });

  test('is the HMAC of the raw body under the secret as it is written', () => {
    const headers = signatureHeaders(delivery, [signingKey(secret)]);
    const expected = createHmac('sha256', secret).update(delivery.body).digest('hex');
    assert.equal(headers['x-service-signature'], `sha256=${expected}`);
    assert.equal(headers['x-service-signature-previous'], undefined);
  });

  test('is made by both secrets while both hold, the current one first', () => {
    const headers = signatureHeaders(delivery, [signingKey('a new secret'), signingKey(secret)]);
    const [current, former] = String(headers['webhook-signature']).split(' ');
    assert.equal(former, 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
    assert.notEqual(current, former);
    const plain = (key: string) => `sha256=${createHmac('sha256', key).update(delivery.body).digest('hex')}`;
    assert.equal(headers['x-service-signature'], plain('a new secret'));
    assert.equal(headers['x-service-signature-previous'], plain(secret));
  });

  test('is keyed with the bytes of a secret that holds no base64, and is an HMAC for keys of every length', () => {
    const standardOf = (secret: string) => signatureHeaders(delivery, [signingKey(secret)])['webhook-signature'];
    const expected = (key: Buffer | string) =>
      `v1,${createHmac('sha256', key).update(`${delivery.id}.${delivery.timestamp}.${delivery.body}`).digest('base64')}`;
    for (const odd of ['plain secret', 'whsec_', 'whsec_not base64!', 'whsec_abc', 'whsec_a===', 'ü'.repeat(40)]) {
      assert.equal(standardOf(odd), expected(odd));
    }
    assert.equal(standardOf('whsec_YWJj'), expected('abc'));
    assert.equal(standardOf('whsec_YQ=='), expected('a'));
    for (let length = 1; length <= 200; length++)
      assert.equal(standardOf('k'.repeat(length)), expected('k'.repeat(length)));
  });
});

/** The Stripe rail alone: what its answers and errors mean, and what it finds when it looks. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, afterEach, before, describe, test } from 'node:test';
import { connectStripe } from '../../../src/extensions/stripe/connectStripe.ts';
import { stripeRail } from '../../../src/extensions/stripe/stripeRail.ts';
import type { Rail, RailRequest } from '../../../src/rails/rail.ts';
import { STRIPE_KEY, type StripeDouble, type StripeFault, startStripe } from '../../support/stripe/double.ts';

const railAt = (apiBase: string, secretKey = STRIPE_KEY): Rail =>
  stripeRail('CARD_RAIL', connectStripe({ secretKey, apiBase, timeoutSeconds: 1 }), false);

describe('the Stripe rail', () => {
  let double: StripeDouble;
  let rail: Rail;
  let serial = 0;
  const { signal } = new AbortController();
  before(async () => {
    double = await startStripe();
    rail = railAt(double.url);
  });
  after(() => double.close());
  afterEach(() => {
    double.faultOf = () => undefined;
    double.down = false;
  });

  const request = (more: Partial<RailRequest> = {}): RailRequest => ({
    amountMinor: 1000,
    currency: 'USD',
    merchant: 'shop.example',
    mandateId: `pm_test${++serial}`,
    intentId: 'intent_1',
    transactionId: 'txn_1',
    ...more,
  });
  const authorized = async () => {
    const asked = request();
    const outcome = await rail.authorize(asked.mandateId, asked);
    assert.ok(outcome.kind === 'ok');
    return { ...asked, railId: outcome.railId };
  };
  const failing = (fault: StripeFault, times = 1) => {
    double.faultOf = ({ method, nth }) => (method === 'POST' && nth <= times ? fault : undefined);
  };

  for (const fault of ['hangAfterCommit', 'truncated', 'error500', 'error500Stored', 'tooMany'] as const) {
    test(`knows nothing after ${fault}`, async () => {
      failing(fault);
      const asked = request();
      assert.equal((await rail.authorize(asked.mandateId, asked)).kind, 'unknown');
    });
  }

  for (const fault of ['closeBeforeCommit', 'closeAfterCommit'] as const) {
    test(`sends the very same bytes once more after ${fault}, and knows nothing when that fails too`, async () => {
      failing(fault, 2);
      const asked = request();
      assert.equal((await rail.authorize(asked.mandateId, asked)).kind, 'unknown');
      const sent = double.requests.filter(({ key }) => key === asked.mandateId);
      assert.equal(sent.length, 2);
      assert.equal(new Set(sent.map(({ raw }) => raw)).size, 1);
      assert.equal((await rail.authorize(asked.mandateId, asked)).kind, 'ok');
      const made = [...double.intents.intents.values()].filter(({ metadata }) => metadata.mandate === asked.mandateId);
      assert.equal(made.length, 1);
    });
  }

  test('knows nothing while its first request is still at work', async () => {
    failing('hangAfterCommit');
    const asked = request();
    const [first, second] = await Promise.all([
      rail.authorize(asked.mandateId, asked),
      new Promise((resolve) => setTimeout(resolve, 200)).then(() => rail.authorize(asked.mandateId, asked)),
    ]);
    assert.deepEqual([first.kind, second.kind], ['unknown', 'unknown']);
  });

  test('takes a key used for other parameters for no answer, since the first request may have had an effect', async () => {
    const asked = await authorized();
    const { railId: _, ...other } = { ...asked, amountMinor: 999 };
    assert.equal((await rail.authorize(asked.mandateId, other)).kind, 'unknown');
  });

  test('knows nothing when the key is refused or Stripe cannot be reached', async () => {
    const asked = request();
    assert.equal((await railAt(double.url, 'sk_test_another').authorize(asked.mandateId, asked)).kind, 'unknown');
    double.down = true;
    assert.equal((await rail.authorize(asked.mandateId, asked)).kind, 'unknown');
  });

  test('does not take what a proxy answers for an answer of Stripe', async () => {
    const proxy = createServer((_request, response) => {
      response.writeHead(502, { 'Content-Type': 'application/json' });
      response.end('{"status":"bad gateway"}');
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const asked = request();
    const far = railAt(`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
    await assert.rejects(far.authorize(asked.mandateId, asked), /not by Stripe/);
    proxy.close();
    proxy.closeAllConnections();
  });

  const INTENT = {
    object: 'payment_intent',
    id: 'pi_1',
    status: 'requires_capture',
    currency: 'usd',
    amount_received: 0,
  };
  const charge = { currency: 'usd', amount_refunded: 'all' };
  for (const [name, members] of Object.entries({
    'no id': { id: undefined },
    'no status': { status: { toString: 1 } },
    'an amount that is no number': { amount_received: 'much' },
    'an amount beyond every number': { amount_received: 1e300 },
    'a malformed charge': { latest_charge: charge },
    'a malformed error': { status: 'requires_payment_method', last_payment_error: { code: 7 } },
  })) {
    test(`takes an answer with ${name} for none`, async () => {
      const server = createServer((_request, response) => {
        response.writeHead(200, { 'Content-Type': 'application/json' });
        response.end(JSON.stringify({ ...INTENT, ...members }));
      });
      await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
      const asked = request({ railId: 'pi_1' });
      const strange = railAt(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
      await assert.rejects(strange.authorize(asked.mandateId, asked), { name: 'ZodError' });
      await assert.rejects(Promise.resolve(strange.snapshot?.('pi_1', signal)), { name: 'ZodError' });
      server.close();
      server.closeAllConnections();
    });
  }

  test('finds an authorization in the list, on whichever page, and nothing where there is none', async () => {
    const asked = request();
    await rail.authorize(asked.mandateId, asked);
    // Ten at a time: all at once would take a busy machine longer than the rail waits.
    for (let batch = 0; batch < 12; batch += 1) await Promise.all(Array.from({ length: 10 }, () => authorized()));
    const attempt = { key: asked.mandateId, operation: 'authorize', request: asked, createdAt: Date.now() } as const;
    assert.equal((await rail.status(attempt, signal))?.kind, 'ok');
    assert.equal(await rail.status({ ...attempt, key: 'pm_other', request: request() }, signal), undefined);
  });

  test('finds what became of a capture, a cancellation and a refund', async () => {
    const asked = await authorized();
    const look = (operation: 'capture' | 'cancel' | 'refund', key = 'k', more: Partial<RailRequest> = {}) =>
      rail.status({ key, operation, request: { ...asked, ...more }, createdAt: Date.now() }, signal);
    assert.equal(await look('capture'), undefined);
    assert.equal(await look('cancel'), undefined);
    await rail.capture('c', asked);
    assert.equal((await look('capture'))?.kind, 'ok');
    assert.equal((await look('capture', 'k', { amountMinor: 5 }))?.kind, 'declined', 'another amount was captured');
    assert.equal((await look('cancel'))?.kind, 'declined');
    assert.equal(await look('refund', 'r1'), undefined);
    const refunded = await rail.refund('r1', { ...asked, amountMinor: 300 });
    assert.ok(refunded.kind === 'ok' && refunded.refundedMinor === 300);
    assert.deepEqual(await look('refund', 'r1'), refunded);
  });

  test('takes a cancellation of what is canceled already for done', async () => {
    const asked = await authorized();
    double.intents.cancel(asked.railId, 'automatic');
    assert.equal((await rail.cancel('x', asked)).kind, 'ok');
  });

  test('says until when the amount is held', async () => {
    const asked = request();
    const outcome = await rail.authorize(asked.mandateId, asked);
    assert.ok(outcome.kind === 'ok' && outcome.holdUntil !== undefined);
    assert.ok(Math.abs(outcome.holdUntil - Date.now() - 7 * 24 * 3600 * 1000) < 5000);
  });

  test('takes no payment method that was not registered, but for test cards', () => {
    assert.equal(rail.accepts('pm_card_visa'), true);
    assert.equal(rail.accepts('pm_1Qsomebodys'), false);
  });
});

/** Intent mandates of AP2 as what an intent is asked with. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { intentOfMandate } from '../../../protocol/ap2/intentMandate.ts';
import { IntentRequest } from '../../../protocol/intent.ts';
import { Rules } from '../../../protocol/policy/rules.ts';
import { Fault } from '../../../protocol/wire/fault.ts';
import { intentMandate } from '../../support/ap2.ts';
import { makePeer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';

const { did: agentDid } = makePeer();
const { did: principalDid } = makePeer();
const now = Date.now();
const rulesOf = (spend: Loose) => Rules.parse({ version: '2.0', spend });
const rules = rulesOf({ amount_cap: 100, presence_cap: 200.5, currency: 'USD' });
const read = (mandate: Loose = {}, about: Loose = { agentDid }, given: Loose = {}) =>
  intentOfMandate(intentMandate(mandate), about, { rules, now, ...given });

function refused(path: string, ...given: Parameters<typeof read>): void {
  assert.throws(
    () => read(...given),
    (error) => error instanceof Fault && error.code === 'BAD_REQUEST' && error.details?.[0]?.path === path,
    path,
  );
}

describe('an intent mandate', () => {
  test('with nulls written out becomes a request that any gate could have taken', () => {
    const request = read();
    assert.deepEqual(IntentRequest.parse(request), request);
    const { expiresAt, ...rest } = request;
    assert.ok(Date.parse(String(expiresAt)) > now);
    assert.deepEqual(rest, {
      agentDid,
      principalDid: agentDid,
      request: {
        maxAmount: 200.5,
        currency: 'USD',
        shopping: { description: 'High top, old school, red basketball shoes', confirmCart: true },
      },
    });
  });

  test('names the delegation that stands beside it', () => {
    const delegationId = `dlg_${'0'.repeat(26)}`;
    assert.equal(read({}, { agentDid, delegationId }).delegationId, delegationId);
    refused('about.delegationId', {}, { agentDid, delegationId: 'dlg_x' });
  });

  test('takes its amount from the caller or, where there is none, from the cap that fits', () => {
    const unconfirmed = { user_cart_confirmation_required: false };
    const amount = (...given: Parameters<typeof read>) => read(...given).request;
    assert.equal(amount({}, { agentDid, maxAmount: 12.34 }).maxAmount, 12.34);
    assert.equal(amount(unconfirmed).maxAmount, 100);
    assert.equal(amount(unconfirmed).shopping?.confirmCart, undefined);
    const alone = { rules: rulesOf({ amount_cap: 80, currency: 'EUR' }) };
    assert.deepEqual(
      [amount({}, { agentDid }, alone).maxAmount, amount({}, { agentDid }, alone).currency],
      [80, 'EUR'],
    );
    const anywhere = { rules: rulesOf({ amount_cap: 80.99 }) };
    assert.equal(
      amount({}, { agentDid, currency: 'JPY' }, anywhere).maxAmount,
      80,
      'no more decimals than the yen has',
    );
    refused('about.currency', {}, { agentDid }, anywhere);
    refused('about.maxAmount', {}, { agentDid }, { rules: rulesOf({ currency: 'USD' }) });
    refused('about.maxAmount', {}, { agentDid }, { rules: rulesOf({ amount_cap: 0, currency: 'USD' }) });
    refused('about.currency', {}, { agentDid }, { rules: undefined });
  });

  test('names its agent, or leaves that to the proof of who calls', () => {
    assert.equal(read({}, undefined, { agentDid }).agentDid, agentDid);
    assert.equal(read({}, { agentDid, principalDid }).principalDid, principalDid);
    refused('about.agentDid', {}, {});
    refused('about.agentDid', {}, { agentDid: 'did:web:agent.example' });
  });

  test('is for the one domain that it names, or for one of several merchants', () => {
    const hints = (merchants: Loose) => read({ merchants }).request.vendorHints;
    assert.equal(hints(null), undefined);
    assert.equal(hints([]), undefined);
    assert.deepEqual(hints(['Shop.Example.']), { domain: 'shop.example' });
    assert.deepEqual(hints(['Shoe Shop']), { merchants: ['Shoe Shop'] });
    assert.deepEqual(hints(['shop.example', 'Shoe Shop']), { merchants: ['shop.example', 'Shoe Shop'] });
    refused('intentMandate.merchants', { merchants: Array.from({ length: 51 }, (_, at) => `Shop ${at}`) });
    refused('intentMandate.merchants.0', { merchants: [' ', 'Shoe Shop'] });
  });

  test('keeps what is to be bought, and passes over what it does not know', () => {
    const { shopping } = read({ skus: ['red-42', 'red-43'], requires_refundability: true, mood: 'good' }).request;
    assert.deepEqual(shopping?.skus, ['red-42', 'red-43']);
    assert.equal(shopping?.refundable, true);
    assert.equal(read({ skus: [] }).request.shopping?.skus, undefined);
    refused('intentMandate.natural_language_description', { natural_language_description: '\u200b' });
  });

  test('that ends in more than a day ends in a day, and one that has ended is refused', () => {
    const end = (intent_expiry: string) => read({ intent_expiry }).expiresAt;
    assert.equal(end('2999-01-01T00:00:00.123456+00:00'), new Date(now + 24 * 3_600_000).toISOString());
    const soon = new Date(now + 60_000).toISOString();
    assert.equal(end(soon), soon);
    refused('intentMandate.intent_expiry', { intent_expiry: new Date(now).toISOString() });
    refused('intentMandate.intent_expiry', { intent_expiry: '2999-01-01T00:00:00' });
    refused('intentMandate.intent_expiry', { intent_expiry: null });
  });
});

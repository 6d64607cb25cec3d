/** The oracle itself: of each invariant a history that holds, and ones that break it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Violation } from './history.ts';
import { rootOf, Tale } from './oracle/handmade.ts';

const RULES = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
const TWO_AN_HOUR = {
  ...RULES,
  risk: { velocity_limit: { max_transactions: 2, max_amount: 50, time_window: '1h' } },
};

function begin(rules: object = RULES): Tale {
  return new Tale().policy(rules as Record<string, unknown>).agent();
}

function only(found: readonly Violation[], invariant: Violation['invariant'], sentence: RegExp): void {
  assert.ok(
    found.some((each) => each.invariant === invariant && sentence.test(each.sentence)),
    `no ${invariant} like ${sentence} in:\n${found.map((each) => `${each.invariant} ${each.sentence}`).join('\n')}`,
  );
  const others = found.filter((each) => each.invariant !== invariant);
  assert.deepEqual(others, [], 'and nothing else is wrong');
}

test('A purchase that keeps to everything violates nothing', () => {
  const tale = begin(TWO_AN_HOUR);
  const paid = tale.pay(tale.cart(tale.intent(30), 20));
  tale.checkpoint();
  tale.record('PAYMENT_CAPTURED', { ...tale.payments.get(paid), captured: 20 });
  tale.payments.set(paid, { ...tale.payments.get(paid), status: 'CAPTURED', captured: 20 });
  tale.deal(paid, { operation: 'capture', key: `${paid}:capture:1` });
  tale.rail.set(paid, { ...(tale.rail.get(paid) as never as object), capturedMinor: 2000 } as never);
  // 20 of the first are held yet, so that 31 are one too many, and 30 are not.
  tale.deny(31, ['SPENDING_LIMIT_EXCEEDED']);
  tale.intent(30);
  tale.deny(1, ['VELOCITY_EXCEEDED', 'SPENDING_LIMIT_EXCEEDED']);
  tale.checkpoint(3);
  tale.checkpoint();
  assert.deepEqual(tale.quiet(), []);
});

test('I1: an intent above the cap is a violation, by a cent as well', () => {
  const tale = begin();
  tale.intent(100.01);
  only(tale.quiet(), 'I1', /100\.01 USD was issued, which AMOUNT_OVER_CAP forbids/);
});

test('I1: an intent beyond the window’s number or sum is a violation', () => {
  const tale = begin(TWO_AN_HOUR);
  tale.intent(10);
  tale.intent(10);
  tale.intent(31);
  only(tale.quiet(), 'I1', /VELOCITY_EXCEEDED/);
  only(tale.found, 'I1', /SPENDING_LIMIT_EXCEEDED/);
});

test('I1: a payment counts in the window of payments, whenever its intent was issued', () => {
  const tale = begin({ ...RULES, risk: { velocity_limit: { max_transactions: 1, time_window: '1m' } } });
  const first = tale.cart(tale.intent(10), 10);
  tale.wait(61_000);
  const second = tale.cart(tale.intent(10), 10);
  tale.pay(first);
  tale.pay(second);
  only(tale.quiet(), 'I1', /VELOCITY_EXCEEDED forbids \(1 purchases before it, of 1\)/);
});

test('I1: what was declined, cancelled or has expired is room again, and a refusal for want of it is a violation', () => {
  for (const end of ['FAILED', 'CANCELED'] as const) {
    const tale = begin(TWO_AN_HOUR);
    const paid = tale.mandate(tale.cart(tale.intent(40), 40));
    if (end === 'CANCELED') tale.deal(paid);
    if (end === 'CANCELED') tale.settle(paid, 'AUTHORIZED');
    tale.settle(paid, end);
    tale.ask('mandatePayment', { approvalToken: 'apt_4' }, { body: tale.paid(paid) });
    assert.deepEqual(tale.quiet(), []);
    tale.deny(20, ['SPENDING_LIMIT_EXCEEDED']);
    only(tale.quiet(), 'I1', /was refused by SPENDING_LIMIT_EXCEEDED, which does not hold/);
  }
});

test('I1: a cart above its intent, and one whose total is not its sum, are violations', () => {
  const above = begin();
  above.cart(above.intent(30), 30.01);
  only(above.quiet(), 'I1', /CART_EXCEEDS_INTENT/);
  const wrong = begin();
  wrong.cart(wrong.intent(30), 20, { total: 10 });
  only(wrong.quiet(), 'I1', /its items come to 20\.00 USD and its total is 10/);
});

test('I1: an agent’s own limit holds in place of the policy’s', () => {
  const tale = begin(TWO_AN_HOUR);
  tale.record('AGENT_VELOCITY_UPDATED', { agentDid: 'did:key:zA', velocity: { maxAmount: 5, timeWindow: '1h' } });
  tale.intent(6);
  only(tale.quiet(), 'I1', /SPENDING_LIMIT_EXCEEDED/);
});

test('I2: a token that becomes two payments, and an intent that is paid twice, are violations', () => {
  const tale = begin();
  const token = tale.cart(tale.intent(30), 20);
  tale.pay(token, {}, { key: 'one' });
  tale.pay(token, {}, { key: 'two' });
  only(tale.quiet(), 'I2', /One approval token became two payments/);
  only(tale.found, 'I2', /INTENT_USED/);
});

test('I2: a token that a later validation has voided buys nothing', () => {
  const tale = begin();
  const intent = tale.intent(30);
  const first = tale.cart(intent, 20);
  tale.cart(intent, 20);
  tale.pay(first);
  only(tale.quiet(), 'I2', /a later validation had voided/);
});

test('I2: the rail creates a payment once, and under one key', () => {
  const tale = begin();
  const paid = tale.pay(tale.cart(tale.intent(30), 20));
  tale.deal(paid, { did: 'again' });
  assert.deepEqual(tale.quiet(), []);
  tale.deal(paid);
  only(tale.found, 'I2', /holds money twice/);
  tale.deal(paid, { key: 'another', did: 'nothing' });
  only(tale.found, 'I2', /under a second key/);
});

test('I2: the same request under the same key has the same answer', () => {
  const tale = begin();
  tale.intent(30, { call: { key: 'one' } });
  tale.intent(30, { call: { key: 'one' } });
  only(tale.found, 'I2', /answered differently than before under the same key/);
});

test('I3: every checkpoint of a chain that only grows holds', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 70 }),
      fc.array(fc.integer({ min: 1, max: 70 }), { maxLength: 5 }),
      (length, sizes) => {
        const tale = new Tale();
        while (tale.events.length < length) tale.record('NOTED', { number: tale.events.length });
        for (const size of sizes) tale.checkpoint(Math.min(size, length));
        assert.deepEqual(tale.quiet(), []);
        tale.record('NOTED', {});
        assert.deepEqual(tale.quiet(), []);
      },
    ),
    { numRuns: 30 },
  );
});

test('I3: a chain with any event changed, left out or put elsewhere is a violation', () => {
  const change = fc.constantFrom('changed', 'left out', 'swapped', 'cut');
  fc.assert(
    fc.property(fc.integer({ min: 3, max: 30 }), fc.nat(), change, (length, choice, what) => {
      const tale = new Tale();
      while (tale.events.length < length) tale.record('NOTED', { number: tale.events.length });
      tale.checkpoint();
      const place = choice % (length - 1);
      const event = tale.events[place] as Record<string, unknown>;
      if (what === 'changed') tale.events[place] = { ...event, data: { number: -1 } };
      if (what === 'left out') tale.events.splice(place, 1);
      if (what === 'swapped') tale.events.splice(place, 2, tale.events[place + 1] as never, event);
      if (what === 'cut') tale.events.pop();
      assert.ok(tale.quiet().some(({ invariant }) => invariant === 'I3'));
    }),
    { numRuns: 60 },
  );
});

test('I3: two checkpoints of one size, a root one event short, and a foreign signature are violations', () => {
  const tale = begin();
  for (let more = 0; more < 3; more++) tale.record('NOTED', { more });
  const note = tale.checkpoint();
  assert.deepEqual(tale.quiet(), []);
  tale.checkpoint(tale.events.length, rootOf(tale.events.slice(0, -1)));
  only(tale.found, 'I3', /have different roots/);
  const forged = new Tale();
  forged.tell({ at: 0, kind: 'checkpoint', node: 0, note: note.replace('\n5\n', '\n6\n') });
  only(forged.found, 'I3', /signature does not match/);
});

test('I4: an event that neither arrived nor failed is a violation, and so is a seventh attempt', () => {
  const subscribe = () => {
    const tale = begin();
    const webhook = { id: 'wh_1', url: 'https://till.example/', events: ['intent.issued'] };
    tale.record('WEBHOOK_CREATED', { webhookId: 'wh_1' });
    tale.ask('createWebhook', webhook, { status: 201, body: webhook });
    tale.intent(10);
    const event = String(tale.events.at(-1)?.['id']);
    const attempt = (status: number, number = tale.deliveries.length + 1) => {
      const data = {};
      const post = { endpoint: webhook.url, event, type: 'intent.issued', data, answer: status };
      tale.tell({ at: tale.at, kind: 'received', ...post });
      tale.deliveries.push({ webhookId: 'wh_1', eventId: event, eventType: 'intent.issued', attempt: number, status });
    };
    return { tale, attempt };
  };
  const taken = subscribe();
  taken.attempt(500);
  only(taken.tale.quiet(), 'I4', /was tried 1 times, and has neither arrived nor failed/);
  taken.tale.found.length = 0;
  taken.attempt(200);
  assert.deepEqual(taken.tale.quiet(), []);
  const failed = subscribe();
  for (let tries = 1; tries <= 6; tries++) failed.attempt(500);
  assert.deepEqual(failed.tale.quiet(), []);
  failed.attempt(500, 6);
  assert.deepEqual(failed.tale.quiet(), [], 'the sixth was made again, as after a crash');
  failed.attempt(500, 7);
  only(failed.tale.quiet(), 'I4', /was tried 7 times/);
  const claimed = subscribe();
  claimed.attempt(500);
  claimed.tale.deliveries[0] = { ...claimed.tale.deliveries[0], status: 200 };
  only(claimed.tale.quiet(), 'I4', /noted as delivered, and was never taken/);
  const silent = subscribe();
  only(silent.tale.quiet(), 'I4', /was tried 0 times/);
});

test('I5: what was acknowledged is in the chain and in the books', () => {
  const gone = begin();
  gone.intent(10);
  gone.events.pop();
  gone.intents.clear();
  only(gone.quiet(), 'I5', /was acknowledged \(intent intent_\d+\), and no event of the chain tells of it/);
  const unbooked = begin();
  unbooked.pay(unbooked.cart(unbooked.intent(10), 10));
  unbooked.payments.clear();
  unbooked.rail.clear();
  only(unbooked.quiet(), 'I5', /is in the chain and not in the books/);
});

test('I5: a lost answer may have been done or not, and either holds', () => {
  for (const isDone of [true, false]) {
    const tale = begin();
    const id = tale.ask('issueIntent', { agentDid: 'did:key:zA' });
    tale.lose(id);
    if (isDone) {
      const data = { agentDid: 'did:key:zA', principalDid: 'did:key:zP', mandateId: 'intent_lost', maxAmount: 5 };
      tale.record('INTENT_ISSUED', { ...data, currency: 'USD', expiresAt: new Date(tale.at + 1000).toISOString() });
      tale.intents.set('intent_lost', { mandateId: 'intent_lost', agentDid: 'did:key:zA', status: 'ACTIVE' });
    }
    assert.deepEqual(tale.quiet(), []);
    if (!isDone) continue;
    const twice = { ...(tale.events.at(-1)?.['data'] as object), mandateId: 'intent_again' };
    tale.record('INTENT_ISSUED', twice);
    tale.intents.set('intent_again', { mandateId: 'intent_again', agentDid: 'did:key:zA', status: 'ACTIVE' });
    only(tale.quiet(), 'I5', /2 intents that no agent was told of, and 1 answers were lost/);
  }
});

test('I5: the order of the chain agrees with what its askers saw', () => {
  const tale = begin();
  tale.agent('did:key:zB');
  const late = tale.events.length;
  tale.agent('did:key:zC');
  const events = tale.events.splice(late - 1, 2).reverse();
  for (const { eventType, data } of events) tale.record(String(eventType), data as object as Record<string, unknown>);
  only(tale.quiet(), 'I5', /has agent did:key:zC before agent did:key:zB, which was acknowledged before/);
});

test('I5: a payment that was made though everybody was refused is a violation', () => {
  const tale = begin();
  const token = tale.cart(tale.intent(30), 20);
  const paid = tale.mandate(token);
  tale.deal(paid);
  tale.settle(paid, 'AUTHORIZED');
  tale.ask('mandatePayment', { approvalToken: token }, { body: { allowed: false, reasonCodes: ['HP_INVALID'] } });
  only(tale.quiet(), 'I5', /everybody who asked for it was refused/);
});

test('I6: nothing is allowed to an agent after its revocation was acknowledged, nor to one that is suspended', () => {
  const tale = begin();
  const token = tale.cart(tale.intent(30), 20);
  tale.revoke();
  tale.pay(token);
  only(tale.found, 'I6', /was allowed, though .* was acknowledged before/);
  only(tale.quiet(), 'I6', /AGENT_REVOKED forbids/);
  const suspended = begin();
  suspended.record('AGENT_SUSPENDED', { agentDid: 'did:key:zA' });
  suspended.intent(10);
  only(suspended.quiet(), 'I6', /AGENT_SUSPENDED forbids/);
});

test('I6: a decision by a former policy, and a purchase for a principal that has not delegated, are violations', () => {
  const former = begin();
  const { policyVersion } = (former.events[0] as { data: { policyVersion: number } }).data;
  former.policy({ ...RULES, spend: { amount_cap: 200, currency: 'USD' } });
  former.intent(10, { data: { policyVersion } });
  only(former.quiet(), 'I6', /judged by version 1 .* while version 2 .* was current/);
  const foreign = begin();
  foreign.record('PRINCIPAL_REGISTERED', { principalDid: 'did:key:zP', agents: [] });
  foreign.intent(10);
  only(foreign.quiet(), 'I6', /AGENT_NOT_DELEGATED/);
});

test('I6: an expired intent, another agent’s answer and another agent’s presence proof are violations', () => {
  const late = begin();
  const intent = late.intent(30);
  late.wait(2 * 3_600_000);
  late.cart(intent, 20);
  only(late.quiet(), 'I6', /INTENT_EXPIRED/);
  const other = begin();
  other.intent(30, { call: { did: 'did:key:zB' } });
  only(other.quiet(), 'I6', /answered with what belongs to agent did:key:zA/);
  const proof = { id: 'hp_1', agentDid: 'did:key:zB', expiresAt: '2026-01-06T00:00:00Z' };
  const present = begin();
  present.cart(present.intent(30), 20, { asked: { hpProof: proof }, data: { presenceId: 'hp_1' } });
  only(present.quiet(), 'I6', /its presence proof is for agent did:key:zB/);
});

test('I6: a purchase that needs a person is not allowed without one', () => {
  const tale = begin({ ...RULES, context: { presence_threshold: 10 } });
  const intent = tale.intent(30, { data: { hpRequired: true } });
  assert.deepEqual(tale.quiet(), []);
  tale.cart(intent, 20);
  only(tale.quiet(), 'I6', /without the person that the policy wants/);
});

test('I7: the books say what the rail says, and nothing stays undecided', () => {
  const tale = begin();
  const paid = tale.pay(tale.cart(tale.intent(30), 20));
  assert.deepEqual(tale.quiet(), []);
  const balance = tale.rail.get(paid) as NonNullable<ReturnType<typeof tale.rail.get>>;
  tale.rail.set(paid, { ...balance, authorizedMinor: 2001 });
  only(tale.quiet(), 'I7', /with 20\.00 USD in the books, and the rail holds 20\.01 USD/);
  tale.found.length = 0;
  tale.rail.set(paid, { ...balance, capturedMinor: 2000 });
  only(tale.quiet(), 'I7', /0\.00 USD are captured in the books, and 20\.00 USD at the rail/);
  tale.found.length = 0;
  tale.rail.set(paid, balance);
  tale.rail.set('pm_other', { ...balance, payment: 'pm_other' });
  only(tale.quiet(), 'I7', /holds payment pm_other, which no book knows/);
  const open = begin();
  open.ask('mandatePayment', { approvalToken: 'x' }, { body: open.paid(open.mandate(open.cart(open.intent(30), 20))) });
  only(open.quiet(), 'I7', /is PENDING, though all is at rest/);
});

test('I7: a payment that failed in the books and that the rail holds is a violation, and so is too large a refund', () => {
  const tale = begin();
  const paid = tale.mandate(tale.cart(tale.intent(30), 20));
  tale.deal(paid);
  tale.settle(paid, 'AUTHORIZED');
  const held = tale.rail.get(paid);
  tale.events.pop();
  tale.settle(paid, 'FAILED');
  tale.rail.set(paid, held as NonNullable<typeof held>);
  tale.ask('mandatePayment', { approvalToken: 'apt_4' }, { body: tale.paid(paid) });
  only(tale.quiet(), 'I7', /is FAILED in the books, and the rail had authorized it/);
  tale.found.length = 0;
  const late = begin();
  const failed = late.mandate(late.cart(late.intent(30), 20));
  late.settle(failed, 'FAILED');
  late.rail.set(failed, held as NonNullable<typeof held>);
  late.ask('mandatePayment', { approvalToken: 'apt_4' }, { body: late.paid(failed) });
  only(late.quiet(), 'I7', /is FAILED in the books, and the rail holds 20\.00 USD/);
  const refund = begin();
  const captured = refund.pay(refund.cart(refund.intent(30), 20));
  refund.deal(captured, { operation: 'capture', key: 'c' });
  refund.deal(captured, { operation: 'refund', key: 'r', amountMinor: 1500 });
  assert.deepEqual(refund.found, []);
  refund.deal(captured, { operation: 'refund', key: 's', amountMinor: 501 });
  only(refund.found, 'I7', /20\.01 USD were given back, and 20\.00 USD captured/);
  const asked = begin();
  const whole = asked.pay(asked.cart(asked.intent(30), 20));
  asked.deal(whole, { operation: 'capture', key: 'c' });
  asked.deal(whole, { operation: 'refund', key: 'r', amountMinor: 2000, did: 'declined' });
  assert.deepEqual(asked.found, []);
  asked.deal(whole, { operation: 'refund', key: 's', amountMinor: 2001, did: 'declined' });
  only(asked.found, 'I7', /was asked to give back 20\.01 USD/);
});

test('I8: a request without an end, and one that ends in a failure of the node, are violations', () => {
  const tale = begin();
  const id = tale.ask('getIntent', {});
  only(tale.quiet(), 'I8', /has no answer, though all is at rest/);
  tale.found.length = 0;
  tale.answer(id, { error: { code: 'INTERNAL_ERROR' } }, 500);
  only(tale.found, 'I8', /was answered with 500/);
});

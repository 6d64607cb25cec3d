/** The oracle on limits over time and on the same purchase twice: histories that hold, and ones that break them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Violation } from './history.ts';
import { Tale } from './oracle/handmade.ts';

const RULES = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
const HOUR_MS = 3_600_000;

type Members = Readonly<Record<string, unknown>>;

/** A policy with one limit, by the name of `day`. */
function limited(limit: Members): Members {
  return { ...RULES, risk: { limits: [{ name: 'day', window: 'day', ...limit }] } };
}

function begin(rules: Members): Tale {
  return new Tale().policy(rules).agent();
}

/** What the event of a decision says that the limit counted. */
function used(purchases: number, amount: number): Members {
  return { limitUse: [{ name: 'day', purchases, amount }] };
}

function said(tale: Tale): readonly string[] {
  return tale.quiet().map(({ invariant, sentence }: Violation) => `${invariant} ${sentence}`);
}

function only(tale: Tale, expected: RegExp): void {
  const all = said(tale);
  assert.ok(
    all.some((each) => expected.test(each)),
    `no ${expected} in:\n${all.join('\n')}`,
  );
}

/** An intent of 30, a cart of 20 for it, and its payment. @returns the payment's id */
function buy(tale: Tale, before = used(0, 0), paidBefore = used(0, 0)): string {
  const intent = tale.intent(30, { data: before });
  return tale.pay(tale.cart(intent, 20, { data: paidBefore }), paidBefore);
}

test('what is held, approved, paid, captured in part and released is counted as the docs say', () => {
  const tale = begin(limited({ max_amount: 60 }));
  const paid = buy(tale);
  const second = tale.intent(30, { data: used(1, 20) });
  // Its room is its own: others' payments alone count.
  tale.cart(second, 10, { data: used(1, 20) });
  tale.deny(40, ['SPENDING_LIMIT_EXCEEDED'], 'did:key:zA', used(2, 30));
  tale.record('PAYMENT_CAPTURED', { ...tale.payments.get(paid), captured: 5 });
  tale.payments.set(paid, { ...tale.payments.get(paid), status: 'CAPTURED', captured: 5 });
  tale.deal(paid, { operation: 'capture', key: `${paid}:capture:1`, amountMinor: 500 });
  tale.rail.set(paid, { ...(tale.rail.get(paid) as never as object), capturedMinor: 500 } as never);
  tale.intent(10, { data: used(2, 15) });
  tale.record('INTENT_EXPIRED', { mandateId: second });
  tale.intents.set(second, { ...tale.intents.get(second), status: 'EXPIRED' });
  tale.intent(10, { data: used(2, 15) });
  assert.deepEqual(said(tale), []);
});

test('I1: an intent, a cart and a payment beyond a limit are violations, by number and by amount', () => {
  const amount = begin(limited({ max_amount: 40 }));
  amount.intent(30, { data: used(0, 0) });
  amount.intent(10.01, { data: used(1, 30) });
  only(amount, /^I1 An intent of 10\.01 USD was issued, which SPENDING_LIMIT_EXCEEDED forbids/);
  const number = begin(limited({ max_transactions: 1, scope: 'policy' })).agent('did:key:zB');
  number.intent(30, { data: used(0, 0) });
  number.intent(1, { agent: 'did:key:zB', data: used(1, 30) });
  only(number, /^I1 An intent of 1\.00 USD was issued, which VELOCITY_EXCEEDED forbids/);
});

test('I1: a limit that was lowered holds for what is paid from then on, whatever was approved before', () => {
  const tale = begin(limited({ max_amount: 60 }));
  buy(tale);
  const token = tale.cart(tale.intent(30, { data: used(1, 20) }), 30, { data: used(1, 20) });
  tale.policy(limited({ max_amount: 49.99 }));
  tale.pay(token, used(1, 20));
  only(tale, /^I1 Payment pm_\d+ of 30\.00 USD was mandated, which SPENDING_LIMIT_EXCEEDED forbids/);
  only(tale, /^I1 Payment pm_\d+ makes it 2 payments and 50\.00 USD in the window of day, whose maximum is 49\.99 USD/);
});

test('I1: a refusal that names a limit with room, and one that does not name a limit without, are violations', () => {
  const room = begin(limited({ max_amount: 40 }));
  room.deny(40, ['SPENDING_LIMIT_EXCEEDED'], 'did:key:zA', used(0, 0));
  only(room, /^I1 An intent of 40\.00 USD was refused by SPENDING_LIMIT_EXCEEDED, which does not hold/);
  const none = begin(limited({ max_amount: 40 }));
  none.deny(101, ['AMOUNT_OVER_CAP'], 'did:key:zA', used(0, 0));
  only(none, /^I1 .* was refused by AMOUNT_OVER_CAP, and not by SPENDING_LIMIT_EXCEEDED, which holds too/);
});

test('I1: figures that others count, and limits that others have, are violations', () => {
  const figures = begin(limited({ max_amount: 60 }));
  figures.intent(30, { data: used(0, 0) });
  figures.intent(10, { data: used(1, 20) });
  only(figures, /^I1 .* as if the limit day counted 1 purchases and 20 USD, and it counts 1 purchases and 30\.00 USD/);
  const others = begin(limited({ max_amount: 60 }));
  others.intent(10);
  only(others, /^I1 An intent of 10\.00 USD was judged by the limits none, and day hold/);
  const own = begin(limited({ max_amount: 60 }));
  own.record('AGENT_VELOCITY_UPDATED', { agentDid: 'did:key:zA', velocity: { limits: [] } });
  own.intent(90);
  assert.deepEqual(said(own), []);
});

test('a period ends at its local midnight, and a limit of a merchant or a category counts what it names', () => {
  const tokyo = begin(limited({ max_transactions: 1, timezone: 'Asia/Tokyo' }));
  buy(tokyo);
  // It is nine in the morning in UTC, and six in the evening in Tokyo.
  tokyo.wait(6 * HOUR_MS - 1000);
  tokyo.deny(1, ['VELOCITY_EXCEEDED'], 'did:key:zA', used(1, 20));
  tokyo.wait(1000);
  tokyo.intent(1, { data: used(0, 0) });
  assert.deepEqual(said(tokyo), []);
  const elsewhere = begin(limited({ max_amount: 25, merchant: '*.example' }));
  buy(elsewhere);
  elsewhere.intent(90, { data: { ...used(1, 20), merchantDomain: 'shop.example.com' } });
  elsewhere.intent(6, { data: { ...used(1, 20), merchantDomain: 'a.shop.example' } });
  only(elsewhere, /^I1 An intent of 6\.00 USD was issued, which SPENDING_LIMIT_EXCEEDED forbids/);
  assert.equal(elsewhere.found.filter(({ invariant }) => invariant === 'I1').length, 1);
  const groceries = begin(limited({ max_transactions: 0, category: 'groceries' }));
  groceries.intent(5, { data: { ...used(0, 0), mcc: '5812' } });
  assert.deepEqual(said(groceries), []);
  groceries.intent(5, { data: { ...used(0, 0), mcc: '5411' } });
  only(groceries, /^I1 An intent of 5\.00 USD was issued, which VELOCITY_EXCEEDED forbids/);
});

test('I6: over a limit that a person may let it pass, a purchase without one is a violation', () => {
  const tale = begin(limited({ max_amount: 10, action: 'presence' }));
  const intent = tale.intent(30, { data: { ...used(0, 0), hpRequired: true } });
  tale.cart(intent, 20, { data: used(0, 0) });
  only(tale, /^I6 A cart of 20\.00 USD of shop-a\.example was allowed without the person that the policy wants/);
});

test('after an approval has ended its total or the maximum may be held, and nothing else', () => {
  const after = (amount: number) => {
    const tale = begin(limited({ max_amount: 90 }));
    tale.cart(tale.intent(30, { data: used(0, 0) }), 20, { data: used(0, 0) });
    tale.wait(301_000);
    tale.intent(10, { data: used(1, amount) });
    return tale;
  };
  assert.deepEqual(said(after(20)), []);
  assert.deepEqual(said(after(30)), []);
  only(after(30.01), /^I1 .* and it counts 1 purchases and 20\.00 USD to 30\.00 USD/);
});

test('I2: the same purchase again is one in any order and any case, until its money is given back', () => {
  const rules = { ...RULES, risk: { duplicate: { window: '1h', action: 'deny' } } };
  const items = [
    { name: 'Apples', price: 5, quantity: 1 },
    { name: 'Bread', price: 5, quantity: 3 },
  ];
  const count = (count: number) => ({ sameBefore: { count } });
  const again = (tale: Tale, data: Members) =>
    tale.cart(tale.intent(30), 20, { items: [{ name: ' BREAD', price: 5, quantity: 3 }, items[0] as Members], data });
  const once = () => {
    const tale = begin(rules);
    const paid = tale.pay(tale.cart(tale.intent(30), 20, { items, data: count(0) }), count(0));
    return { tale, paid };
  };
  const { tale } = once();
  again(tale, count(1));
  only(tale, /^I2 A cart of 20\.00 USD of shop-a\.example was validated, which DUPLICATE_SUSPECTED forbids/);
  const unseen = once().tale;
  again(unseen, count(0));
  only(unseen, /^I2 .* as if the same had been bought 0 times, and it was 1 times/);
  const { tale: back, paid } = once();
  back.record('PAYMENT_CAPTURED', { ...back.payments.get(paid), captured: 20 });
  back.record('PAYMENT_REFUNDED', { ...back.payments.get(paid), refunded: 20 });
  again(back, count(0));
  assert.deepEqual(
    said(back).filter((each) => each.includes('same') || each.includes('DUPLICATE')),
    [],
  );
  const late = once().tale;
  late.wait(HOUR_MS + 1000);
  again(late, count(0));
  assert.deepEqual(said(late), []);
});

/** The law of what servers ask for by HTTP: histories that hold, and ones that break it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Happening } from './history.ts';
import { Calls } from './oracle/calls.ts';
import { HttpPaymentLaw } from './oracle/httpPaymentLaw.ts';

const END = 60_000;

/** A history by hand. @returns the sentences of what is violated */
function judge(...happenings: readonly Happening[]): readonly string[] {
  const calls = new Calls();
  const law = new HttpPaymentLaw(calls);
  return happenings.flatMap((happening, place) => {
    calls.follow(happening, place);
    return law.tell(happening, place).map(({ sentence }) => sentence);
  });
}

let asked = 0;

/** A request, and its answer. */
function grant(at: number, mandateId: string, more: { challengeId?: string; replaces?: string }): Happening[] {
  asked += 1;
  const { challengeId, ...input } = more;
  const call = 'authorizeHttpPayment';
  return [
    { at, kind: 'asked', id: asked, by: 'visitor 0', node: 0, call, input },
    { at, kind: 'answered', id: asked, status: 200, body: { allowed: true, mandateId, challengeId } },
  ];
}

function rail(operation: string, payment: string, payee = 'profile'): Happening {
  const act = {
    operation,
    key: payment,
    payment,
    amountMinor: 100,
    currency: 'USD',
    did: 'created',
    told: true,
  } as const;
  return { at: 0, kind: 'rail', node: 0, ...act, payee, endsAt: END };
}

function atRest(...events: readonly { readonly eventType: string; readonly data: object }[]): Happening {
  const all = events.map(({ eventType, data }, index) => ({
    ...{ id: `evt_${index}`, seq: index + 1, eventType, actorDid: 'did:key:node', data },
    ...{ hashPrev: '', hashCurr: '', createdAt: new Date(0).toISOString() },
  }));
  const books = { payments: [], intents: [], events: all, deliveries: [], checkpoints: [], rail: [] };
  return { at: 0, kind: 'quiet', books };
}

const cart = (cartHash: string, payee: string, eventType = 'CART_VALIDATED') => ({
  eventType,
  data: { intentId: 'int_1', cartHash, amount: 1, currency: 'USD', source: 'mpp', payee },
});

const mandate = (railOf: string, intentId = 'int_1') => ({
  eventType: 'PM_ISSUED',
  data: { mandateId: 'pm_1', intentId, amount: 1, currency: 'USD', merchant: 'shop.example', rail: railOf },
});

test('one challenge is paid by one payment', () => {
  const challengeId = 'c1';
  assert.deepEqual(judge(...grant(0, 'pm_1', { challengeId }), ...grant(1, 'pm_1', { challengeId })), []);
  const [found] = judge(...grant(0, 'pm_1', { challengeId }), ...grant(1, 'pm_2', { challengeId }));
  assert.equal(found, 'Challenge c1 is paid by two payments, pm_1 and pm_2.');
});

test('a first try is replaced once it cannot be paid any more, and was not', () => {
  const first = [rail('authorize', 'pm_1'), ...grant(0, 'pm_1', {})];
  const second = (at: number) => [rail('authorize', 'pm_2'), ...grant(at, 'pm_2', { replaces: 'pm_1' })];
  assert.deepEqual(judge(...first, rail('cancel', 'pm_1'), ...second(1)), []);
  assert.deepEqual(judge(...first, ...second(END)), []);
  assert.deepEqual(judge(...first, ...grant(1, 'pm_1', { replaces: 'pm_1' })), [], 'the same again');
  assert.match(judge(...first, ...second(1)).join(), /^Payment pm_2 .* pm_1, which can still be paid\.$/);
  assert.match(judge(...first, rail('capture', 'pm_1'), ...second(END)).join(), /pm_1, which was paid\.$/);
});

test('who is paid is who the policy and the person saw', () => {
  const made = rail('authorize', 'pm_1', 'profile');
  assert.deepEqual(
    judge(made, atRest(cart('h', 'profile', 'CART_REJECTED'), cart('h', 'profile'), mandate('SPT_RAIL'))),
    [],
  );
  assert.match(judge(made, atRest(cart('h', 'other'), mandate('SPT_RAIL'))).join(), /to other was made out to profile/);
  const swapped = judge(atRest(cart('h', 'profile', 'CART_REJECTED'), cart('h', 'other')));
  assert.match(swapped.join(), /^The cart h was of profile, and pays other/);
});

test('a merchant’s cart is paid by no rail with a gate of its own', () => {
  assert.deepEqual(judge(atRest(mandate('CARD_RAIL'))), []);
  assert.match(judge(atRest(mandate('X402_RAIL'))).join(), /of a merchant's cart is by X402_RAIL/);
});

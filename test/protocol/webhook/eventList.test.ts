/** The list of webhook events: what was published keeps its order, and each is made of evidence of its own. */
import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';
import { WEBHOOK_EVENTS } from '../../../protocol/webhook/event.ts';
import { EVENTS } from '../../../protocol/webhook/eventList.ts';

const PUBLISHED = [
  'payment.authorized',
  'payment.captured',
  'payment.failed',
  'payment.refunded',
  'payment.refund_failed',
  'payment.disputed',
  'payment.dispute_closed',
  'intent.issued',
  'intent.denied',
  'intent.expired',
  'cart.validated',
  'cart.rejected',
  'approval.requested',
  'approval.approved',
  'approval.denied',
  'approval.expired',
  'agent.created',
  'agent.revoked',
  'agent.suspended',
  'agent.reactivated',
  'policy.updated',
  'policy.violation',
];

test('events keep the order in which they were published', () => {
  assert.deepEqual(
    WEBHOOK_EVENTS.filter((type) => PUBLISHED.includes(type)),
    PUBLISHED,
  );
  assert.equal(new Set(WEBHOOK_EVENTS).size, WEBHOOK_EVENTS.length);
});

test('every file of events/ is in the list, under the noun of its events', () => {
  const nouns = readdirSync('protocol/webhook/events').map((name) => name.slice(0, -'Events.ts'.length));
  assert.deepEqual([...new Set(WEBHOOK_EVENTS.map((type) => type.split('.')[0]))].sort(), nouns.sort());
});

test('each event but a violation, which is told beside others, is made of a type of evidence that no other has', () => {
  const told = EVENTS.filter(({ type }) => type !== 'policy.violation');
  for (const { type, evidence, dataOf } of told) assert.ok(evidence !== undefined && dataOf !== undefined, type);
  assert.equal(new Set(told.map(({ evidence }) => evidence)).size, told.length);
});

/** What Build says of events and endpoints. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebhookEvent } from '../../client/operations.ts';
import { failureText } from '../../console/parts/values/failureText.ts';
import { eventSentence } from '../../console/screens/build/eventSentence.ts';
import { EVENT_GROUPS, EVENT_TYPES, wordsOfEvent } from '../../console/screens/build/eventWords.ts';
import { standingOf } from '../../console/screens/build/standing.ts';
import { WEBHOOK_EVENTS } from '../../protocol/webhook/event.ts';
import { WEBHOOK_EXAMPLES } from '../../protocol/webhook/exampleEvents.ts';

const AGENT = 'did:key:z6MkAgent';
const named = (did: string) => (did === AGENT ? 'Ada’s agent' : did);

function sentenceOf(type: WebhookEvent['type'], data: Readonly<Record<string, unknown>>): string {
  const event = { id: 'evt_1', type, created: '2026-01-01T00:00:00Z', data, context: { agentDid: AGENT } };
  return eventSentence(event, named);
}

test('every event that the node tells of has words, and is in one group', () => {
  assert.deepEqual([...EVENT_TYPES].sort(), [...WEBHOOK_EVENTS].sort());
  assert.deepEqual(EVENT_GROUPS.flatMap(({ types }) => types).sort(), [...WEBHOOK_EVENTS].sort());
  for (const type of WEBHOOK_EVENTS) assert.notEqual(wordsOfEvent(type), type);
});

test('an event is a sentence of who, how much, where and why, as far as it says so', () => {
  assert.equal(
    sentenceOf('payment.authorized', { amount: 42.5, currency: 'USD', merchant: 'shop.example' }),
    'An amount is reserved: Ada’s agent, 42.50 USD, shop.example',
  );
  const request = { maxAmount: 500, currency: 'JPY', merchantDomain: 'tea.example' };
  assert.equal(
    sentenceOf('intent.denied', { request, reasonCodes: ['AMOUNT_OVER_CAP', 'MERCHANT_DENIED'] }),
    'An agent is refused permission: Ada’s agent, 500 JPY, tea.example, amount over the cap and merchant denied',
  );
  assert.equal(sentenceOf('agent.created', { displayName: 'New one' }), 'An agent is added: New one');
  assert.equal(
    sentenceOf('payment.failed', { error: { code: 'card_declined', message: 'The card was declined.' } }),
    'A payment fails: Ada’s agent, The card was declined.',
  );
});

test('a cart that lacks a person alone is told as a question, and any other refusal as one', () => {
  const cart = { amount: 150, currency: 'USD' };
  assert.equal(
    sentenceOf('cart.rejected', { ...cart, reasonCodes: ['HP_REQUIRED'] }),
    'A person is asked: Ada’s agent, 150.00 USD',
  );
  assert.match(
    sentenceOf('cart.rejected', { ...cart, reasonCodes: ['HP_REQUIRED', 'AMOUNT_OVER_CAP'] }),
    /over the cap/,
  );
});

test('the sentence of each event is text', () => {
  for (const type of WEBHOOK_EVENTS) {
    assert.match(sentenceOf(type, WEBHOOK_EXAMPLES[type]), /^[^{}[\]]+$/, type);
    assert.equal(
      sentenceOf(type, { amount: '5', currency: 5, merchant: {}, request: null, error: 'x' }).length > 0,
      true,
    );
  }
});

test('an endpoint is paused, failing or active, and each failure has a sentence', () => {
  assert.equal(standingOf({ status: 'DISABLED', failingSince: '2026-01-01' }), 'PAUSED');
  assert.equal(standingOf({ status: 'ACTIVE', failingSince: '2026-01-01' }), 'FAILING');
  assert.equal(standingOf({ status: 'ACTIVE' }), 'ACTIVE');
  assert.equal(failureText(undefined), undefined);
  assert.match(failureText('refused') ?? '', /^Nothing listens/);
});

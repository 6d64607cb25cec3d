/** The texts of notifications. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { formatMoney } from '../../../protocol/money.ts';
import type { WebhookEvent } from '../../../protocol/webhook/event.ts';
import { WEBHOOK_EXAMPLES } from '../../../protocol/webhook/exampleEvents.ts';
import { EVENT_OF_TOPIC, Notice, noticeOf, TRIAL } from '../../../protocol/webhook/noticeText.ts';

const AGENT = 'did:key:z6Mkon3Necd6NkkyfoGoHxid2znGc59LU3K7mubaRcFbLfLX';

/** A digest is of many events, and has a text of its own, as an added passkey has. */
const { digest: _digest, 'passkey.added': _passkey, ...EVENTS } = EVENT_OF_TOPIC;

function eventOf(type: WebhookEvent['type'], more: object = {}): WebhookEvent {
  const data = { ...WEBHOOK_EXAMPLES[type], ...more };
  return { id: 'evt_1', type, created: '2026-11-21T07:47:41.449Z', data, context: { agentDid: AGENT } } as WebhookEvent;
}

test('each topic has a text that leads to where the console shows what happened', () => {
  for (const type of Object.values(EVENTS)) {
    const notice = noticeOf(eventOf(type), { agent: 'Travel desk', details: true });
    assert.ok(Notice.safeParse(notice).success, type);
    assert.match(String(notice?.path), /^\/(approvals|payments|agents)\/[^/]+$/, type);
    assert.equal(notice?.agentPath, `/agents/${encodeURIComponent(AGENT)}`);
    assert.match(String(notice?.body), /Travel desk/, type);
  }
  assert.equal(noticeOf(eventOf('policy.updated'), { agent: undefined, details: true }), undefined);
  assert.match(String(noticeOf(TRIAL, { agent: undefined, details: false })?.body), /trial/);
});

test('an approval ends with its time', () => {
  const { until } = noticeOf(eventOf('approval.requested'), { agent: undefined, details: false }) ?? {};
  assert.equal(until, WEBHOOK_EXAMPLES['approval.requested'].expiresAt);
});

test('a reminder says that it is one, in place of the first notice', () => {
  const tell = (more: object) => noticeOf(eventOf('approval.requested', more), { agent: 'Agent', details: false });
  const [first, again] = [tell({}), tell({ reminder: true })];
  assert.deepEqual([first?.title, again?.title], ['Approval needed', 'Approval still needed']);
  assert.equal(again?.body, 'Agent still waits to buy and asks you.');
  assert.equal(again?.tag, first?.tag);
});

test('without details, no amount and no merchant of any kind is told', () => {
  const merchants = fc.stringMatching(/^[qxz]{8}\.[qxz]{8}$/);
  const minors = fc.integer({ min: 100_000_000, max: 2 ** 40 });
  fc.assert(
    fc.property(fc.constantFrom(...Object.values(EVENTS)), merchants, minors, (type, merchant, minor) => {
      const event = eventOf(type, { merchant, amount: minor / 100, currency: 'CHF' });
      const tell = (details: boolean) => JSON.stringify(noticeOf(event, { agent: 'Agent', details }));
      const secrets = [merchant, formatMoney(minor, 'CHF')];
      assert.deepEqual(
        [...secrets, 'CHF', (minor / 100).toFixed(2)].filter((secret) => tell(false).includes(secret)),
        [],
      );
      if (type === 'payment.authorized') assert.ok(secrets.every((secret) => tell(true).includes(secret)));
    }),
  );
});

test('an agent’s name says what it is called, and neither moves, hides nor links anything', () => {
  for (const [name, shown] of [
    ['Travel\u202Edesk\nApproved by your bank', 'Travel desk Approved by your bank'],
    ['Log in at https://evil.example/now', 'Log in at https: //evil. example/now'],
    ['pay.evil.example', 'pay. evil. example'],
    ['me@evil.example', 'me@ evil. example'],
    ['\u200B\u2028', 'An agent'],
    ['v2.0 desk', 'v2.0 desk'],
  ] as const) {
    const notice = noticeOf(eventOf('payment.authorized'), { agent: name, details: false });
    assert.equal(notice?.body, `${shown} paid.`);
  }
});

/** Digests: when they are due in a time zone, which week they tell of, and how much they tell. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  type Digest,
  DigestSchedule,
  digestText,
  nextDigest,
  spanOf,
  weekBefore,
} from '../../../protocol/webhook/digest.ts';

const at = (text: string) => Date.parse(text);
const berlin = { weekday: 1, hour: 8, timezone: 'Europe/Berlin' };
const next = (schedule: DigestSchedule, now: string) => new Date(nextDigest(schedule, at(now))).toISOString();

test('a digest is due at its hour by the clock of its zone, also in the week in which clocks are changed', () => {
  assert.equal(next(berlin, '2026-11-26T12:00:00Z'), '2026-11-30T07:00:00.000Z');
  // Clocks went back on Sunday, 25 October 2026, and forward on 29 March.
  assert.equal(next(berlin, '2026-10-24T12:00:00Z'), '2026-10-26T07:00:00.000Z');
  assert.equal(next(berlin, '2026-10-12T12:00:00Z'), '2026-10-19T06:00:00.000Z');
  assert.equal(next({ ...berlin, weekday: 7, hour: 3 }, '2026-03-27T12:00:00Z'), '2026-03-29T01:00:00.000Z');
  assert.equal(
    next({ weekday: 1, hour: 0, timezone: 'Pacific/Auckland' }, '2026-11-26T12:00:00Z'),
    '2026-11-29T11:00:00.000Z',
  );
});

test('the next one after a digest is a week later, and one that is due this minute is the next', () => {
  assert.equal(next(berlin, '2026-11-30T06:59:59Z'), '2026-11-30T07:00:00.000Z');
  assert.equal(next(berlin, '2026-11-30T07:00:00Z'), '2026-12-07T07:00:00.000Z');
  assert.deepEqual(DigestSchedule.parse({}), { weekday: 1, hour: 8, timezone: 'UTC' });
  assert.ok(!DigestSchedule.safeParse({ timezone: 'Mars/Base' }).success);
});

test('it tells of the seven days before its own', () => {
  const week = weekBefore(berlin, at('2026-11-30T07:00:00Z'));
  const { from, to } = spanOf(berlin, week);
  assert.deepEqual(
    [new Date(from).toISOString(), new Date(to).toISOString()],
    ['2026-11-22T23:00:00.000Z', '2026-11-29T22:59:59.999Z'],
  );
});

test('without details it tells counts alone, and with them the first of each kind', () => {
  const line = (name: string, spent: string) => ({
    name,
    currency: 'CHF',
    payments: 1,
    paid: spent,
    refunded: '0.00 CHF',
    held: '0.00 CHF',
    spent,
  });
  const digest: Digest = {
    type: 'notice.digest',
    from: '2026-11-23',
    to: '2026-11-29',
    payments: 7,
    agentCount: 1,
    merchantCount: 7,
    totals: [line('', '77.70 CHF')],
    agents: [line('Desk', '77.70 CHF')],
    merchants: Array.from({ length: 7 }, (_, index) => line(`shop${index}.example`, '11.10 CHF')),
    limits: ['Desk: 80 of 100 CHF a month'],
    refusals: { count: 1000, isMore: true },
  };
  const quiet = digestText(digest, false);
  assert.equal(
    quiet,
    '2026-11-23 to 2026-11-29: 7 payments by 1 agent at 7 merchants, more than 1000 refusals, 1 limit nearly used up.',
  );
  const full = digestText(digest, true);
  for (const part of [quiet, 'Desk: 77.70 CHF', 'shop4.example: 11.10 CHF', 'and 2 more', '80 of 100 CHF a month']) {
    assert.ok(full.includes(part), part);
  }
  assert.ok(!full.includes('shop5.example'));
});

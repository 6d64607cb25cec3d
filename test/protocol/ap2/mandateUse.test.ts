/** How often an open mandate may be used: once in each period of the calendar, in UTC, by the name of either standard. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { refuseUse } from '../../../protocol/ap2/mandateUse.ts';
import type { Frequency } from '../../../protocol/sdjwt/paymentConstraints.ts';

const PAYMENT = { amountMinor: 100, currency: 'USD' };

function isRefused(frequency: Frequency, before: string, now: string): boolean {
  const limit = { hop: 0, jwtHash: 'of-the-mandate', isSingleUse: false, recurrence: { frequency } };
  const use = { uses: 1, spentMinor: 100, lastUseAt: Date.parse(before) };
  return 'VELOCITY_EXCEEDED' in refuseUse(limit, use, PAYMENT, Date.parse(now));
}

/** Of each frequency a use, the last moment of its period and the first of the next. */
const PERIODS: readonly (readonly [frequencies: readonly Frequency[], use: string, next: string])[] = [
  [['DAILY', 'DAIL'], '2026-02-28T00:00:00Z', '2026-03-01T00:00:00Z'],
  [['WEEKLY', 'WEEK'], '2026-12-28T00:00:00Z', '2027-01-04T00:00:00Z'],
  [['BIWEEKLY', 'TOWK'], '2026-12-21T00:00:00Z', '2027-01-04T00:00:00Z'],
  [['TWMN'], '2026-02-01T00:00:00Z', '2026-02-16T00:00:00Z'],
  [['TWMN'], '2026-02-16T00:00:00Z', '2026-03-01T00:00:00Z'],
  [['MONTHLY', 'MNTH'], '2026-02-01T00:00:00Z', '2026-03-01T00:00:00Z'],
  [['TOMN'], '2026-11-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  [['QUARTERLY', 'QUTR'], '2026-10-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  [['FOMN'], '2026-05-01T00:00:00Z', '2026-09-01T00:00:00Z'],
  [['SEMI'], '2026-07-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  [['ANNUALLY', 'YEAR'], '2026-01-01T00:00:00Z', '2027-01-01T00:00:00Z'],
  [['TYEA'], '2026-01-01T00:00:00Z', '2028-01-01T00:00:00Z'],
];

for (const [frequencies, use, next] of PERIODS) {
  for (const frequency of frequencies) {
    test(`${frequency}: a use at ${use} leaves the next one to ${next}`, () => {
      const last = new Date(Date.parse(next) - 1).toISOString();
      assert.equal(isRefused(frequency, use, last), true);
      assert.equal(isRefused(frequency, last, use), true, 'also where the clock was set back');
      assert.equal(isRefused(frequency, last, next), false);
    });
  }
}

test('ON_DEMAND and INDA: the agent chooses when', () => {
  for (const frequency of ['ON_DEMAND', 'INDA'] as const) {
    assert.equal(isRefused(frequency, '2026-02-28T00:00:00Z', '2026-02-28T00:00:01Z'), false);
  }
});

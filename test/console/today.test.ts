/** What the first screen makes of payments and approvals: sums by day, and sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval, Payment } from '../../client/index.ts';
import { sentencesOf } from '../../console/screens/today/sentences.ts';
import { currenciesOf, dayBefore, series, sumSince } from '../../console/screens/today/sums.ts';

const SPENT = [
  { key: '2026-11-20', currency: 'USD', minor: 1000 },
  { key: '2026-11-22', currency: 'USD', minor: 250 },
  { key: '2026-11-22', currency: 'JPY', minor: 300 },
];

test('days are counted over the ends of months, and days without a payment are 0', () => {
  assert.equal(dayBefore('2026-03-01', 1), '2026-02-28');
  assert.deepEqual(
    series(SPENT, 'USD', '2026-11-22', 3).map(({ day, amount }) => [day, amount]),
    [
      ['2026-11-20', 10],
      ['2026-11-21', 0],
      ['2026-11-22', 2.5],
    ],
  );
});

test('currencies are never added up', () => {
  assert.deepEqual(currenciesOf(SPENT), ['USD', 'JPY']);
  assert.equal(sumSince(SPENT, 'USD', '2026-11-21'), 250);
  assert.equal(sumSince(SPENT, 'USD', '2026-11-01'), 1250);
});

test('the newest sentences come first, whichever record they are of', () => {
  const record = { agentDid: 'did:key:z6Mk', amount: 5, currency: 'USD', merchant: 'shop.example' };
  const payment = { ...record, mandateId: 'pm_1', status: 'CAPTURED', createdAt: '2026-11-22T10:00:00.000Z' };
  const approval = { ...record, id: 'apr_1', status: 'denied', createdAt: '2026-11-22T09:00:00.000Z' };
  const decided = { ...approval, decidedAt: '2026-11-22T11:00:00.000Z' };
  const made = sentencesOf([payment as Payment], [decided as unknown as Approval], 5);
  assert.deepEqual(
    made.map(({ did, href }) => [did, href]),
    [
      ['was not allowed to spend', '#/approvals/apr_1'],
      ['paid', '#/payments/pm_1'],
    ],
  );
  assert.equal(sentencesOf([payment as Payment], [decided as unknown as Approval], 1).length, 1);
});

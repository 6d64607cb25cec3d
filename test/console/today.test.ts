/** What the first screen makes of payments and approvals: sums by day, and sentences. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Approval, Payment } from '../../client/index.ts';
import { axisText, roundTop } from '../../console/parts/chart/scale.ts';
import { dayBefore } from '../../console/parts/values/days.ts';
import { ownLine, sharedLines } from '../../console/screens/today/limitLines.ts';
import { sentencesOf } from '../../console/screens/today/sentences.ts';
import { currenciesOf, series, sumSince } from '../../console/screens/today/sums.ts';

const SPENT = [
  { key: '2026-11-20', currency: 'USD', minor: 1000, held: 0 },
  { key: '2026-11-22', currency: 'USD', minor: 250, held: 0 },
  { key: '2026-11-22', currency: 'JPY', minor: 300, held: 0 },
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
  assert.equal(sumSince(SPENT, 'USD', '2026-11-01', '2026-11-22'), 1000);
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

test('an axis ends at a round number that no amount is above, and says its currency', () => {
  assert.deepEqual([0, 0.03, 1, 7, 208, 501].map(roundTop), [1, 0.03, 1, 8, 250, 600]);
  assert.deepEqual([axisText(500, 'USD'), axisText(1500, 'JPY')], ['500 USD', '1.5K JPY']);
});

test('a limit that all agents share is told once, and of an agent the tightest that it does not share with all', () => {
  const limit = { purchases: 0, spent: 0, currency: 'USD', action: 'deny', own: false, windowSeconds: 1 } as const;
  const shared = { ...limit, name: 'all', scope: 'policy', window: 'this month', maxAmount: 100, spent: 90 } as const;
  const resetsAt = '2026-12-01T00:00:00.000Z';
  const each = { ...limit, name: 'each', scope: 'agent', window: 'today', maxAmount: 10, spent: 1, resetsAt } as const;
  const often = {
    ...limit,
    name: 'velocity_limit',
    scope: 'agent',
    window: '1 day',
    maxTransactions: 4,
    purchases: 3,
  } as const;
  type Limits = Parameters<typeof ownLine>[0];
  const limits = [shared, each, often] as unknown as Limits;
  assert.deepEqual(
    sharedLines([limits, limits]).map(({ name, measured }) => [name, measured.text, measured.state]),
    [['all', '90.00 of 100.00 USD in this month', 'near']],
  );
  const own = ownLine(limits);
  assert.deepEqual(
    [own?.name, own?.measured.text, own?.resetsAt],
    ['Limit over time', '3 of 4 purchases in 1 day', undefined],
  );
  const other = ownLine([each] as unknown as Limits);
  assert.deepEqual([other?.measured.text, other?.resetsAt], ['1.00 of 10.00 USD today', resetsAt]);
  assert.equal(ownLine([shared] as unknown as Limits), undefined);
});

/** Moments as a person says them. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dateText, leftText, momentText } from '../../console/parts/values/moment.ts';

const NOW = new Date(2026, 10, 22, 15, 0, 0);

function before(ms: number): string {
  return momentText(new Date(NOW.getTime() - ms).toISOString(), NOW);
}

test('the nearer a moment is, the closer it is said', () => {
  assert.equal(before(20_000), 'just now');
  assert.equal(before(-20_000), 'just now');
  assert.equal(before(5 * 60_000), '5 min ago');
  assert.equal(before(3 * 3_600_000), '12:00');
  assert.equal(before(2 * 86_400_000), 'Fri 15:00');
  assert.equal(before(20 * 86_400_000), '2 Nov');
  assert.equal(before(400 * 86_400_000), '18 Oct 2025');
});

test('what lies ahead is said with its day and month, and a date that is handed on with its year', () => {
  assert.equal(before(-3 * 3_600_000), '18:00');
  assert.equal(before(-2 * 86_400_000), 'Tue 24 Nov, 15:00');
  assert.equal(before(-20 * 86_400_000), '12 Dec');
  assert.equal(before(-50 * 86_400_000), '11 Jan 2027');
  const eve = new Date(2026, 11, 30, 15);
  assert.equal(momentText(new Date(2027, 0, 1).toISOString(), eve), 'Fri 1 Jan 2027, 00:00');
  assert.equal(dateText(NOW.toISOString()), 'Sun 22 Nov 2026, 15:00');
});

test('what is left is counted in seconds, from two days on in days, and never below none', () => {
  const [second, day] = [1000, 86_400_000];
  assert.deepEqual([245_000, 59_001, 0, -5, 3_720_000].map(leftText), ['4:05', '1:00', '0:00', '0:00', '1 h 2 min']);
  assert.deepEqual([2 * day - second, 2 * day, 6 * day - second].map(leftText), ['47 h 59 min', '2 days', '5 days']);
});

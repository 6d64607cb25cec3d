/** Durations: their form, their limits and their names. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { describeDuration, parseDurationMs } from '../../../protocol/policy/values/duration.ts';
import { Fault } from '../../../protocol/wire/fault.ts';

test('a duration is its number of seconds, minutes, hours or days', () => {
  const cases = { '1s': 1000, '90s': 90_000, '15m': 900_000, '1h': 3_600_000, '24h': 86_400_000, '31d': 2_678_400_000 };
  for (const [text, ms] of Object.entries(cases)) assert.equal(parseDurationMs(text), ms, text);
});

test('what is no positive whole number with one unit, or longer than 31 days, is no duration', () => {
  for (const text of [
    '',
    '1',
    'h',
    '0h',
    '-1h',
    '+1h',
    '1.5h',
    '01h',
    '1H',
    '1 h',
    ' 1h',
    '1w',
    '1y',
    '1h30m',
    '32d',
    '745h',
    '1e3s',
    '99999999s',
  ]) {
    assert.throws(
      () => parseDurationMs(text),
      (error) => error instanceof Fault && error.code === 'BAD_REQUEST',
      text,
    );
  }
});

test('a duration is told in its largest whole unit', () => {
  assert.equal(describeDuration(parseDurationMs('1h')), '1 hour');
  assert.equal(describeDuration(parseDurationMs('24h')), '1 day');
  assert.equal(describeDuration(parseDurationMs('90m')), '90 minutes');
  assert.equal(describeDuration(parseDurationMs('90s')), '90 seconds');
});

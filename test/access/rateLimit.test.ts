/** Token buckets: the burst at once, the rate after it, and no more memory than was agreed. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { rateHeaders, rateLimiter, TIERS } from '../../src/access/rateLimit.ts';

const T0 = Date.parse('2026-01-01T00:00:00Z');

test('a caller may make its burst at once and is told when the next call is allowed', () => {
  const limits = rateLimiter(undefined);
  for (let i = 0; i < TIERS.free.burst; i++) assert.ok(limits.charge('a', 'free', T0).allowed);
  const refused = limits.charge('a', 'free', T0);
  assert.deepEqual(refused, {
    allowed: false,
    limit: 60,
    remaining: 0,
    resetSeconds: T0 / 1000 + 100,
    retryAfterSeconds: 1,
  });
  assert.equal(rateHeaders(refused)['Retry-After'], '1');
  assert.ok(!limits.charge('a', 'free', T0 + 999).allowed);
  assert.ok(limits.charge('a', 'free', T0 + 1000).allowed);
  assert.ok(limits.charge('b', 'free', T0).allowed, 'another caller has a bucket of its own');
});

test('looking charges nothing', () => {
  const limits = rateLimiter({ perMinute: 1, burst: 1 });
  for (let i = 0; i < 5; i++) assert.ok(limits.peek('a', 'free', T0).allowed);
  assert.ok(limits.charge('a', 'free', T0).allowed);
  assert.ok(!limits.peek('a', 'free', T0).allowed);
});

test('over any stretch of time no more calls pass than burst plus rate', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 5000 }), { maxLength: 300 }), (pauses) => {
      const limits = rateLimiter({ perMinute: 30, burst: 5 });
      let now = T0;
      let passed = 0;
      for (const pause of pauses) {
        now += pause;
        if (limits.charge('a', 'free', now).allowed) passed += 1;
      }
      assert.ok(passed <= 5 + ((now - T0) * 30) / 60_000);
    }),
  );
});

test('the callers remembered are bounded, and the one seen longest ago is forgotten', () => {
  const limits = rateLimiter({ perMinute: 1, burst: 1 }, 2);
  limits.charge('a', 'free', T0);
  limits.charge('b', 'free', T0);
  limits.charge('c', 'free', T0);
  assert.ok(limits.peek('a', 'free', T0).allowed);
  assert.ok(!limits.peek('b', 'free', T0).allowed);
});

test('a call that counts as several is refused where fewer are left, and takes none of these', () => {
  const limits = rateLimiter({ perMinute: 60, burst: 10 });
  assert.equal(limits.charge('a', 'free', T0, 7).remaining, 3);
  const refused = limits.charge('a', 'free', T0, 7);
  assert.deepEqual([refused.allowed, refused.remaining, refused.retryAfterSeconds], [false, 3, 4]);
  assert.ok(limits.charge('a', 'free', T0).allowed);
});

/** Windows that are added up in blocks come to what they come to purchase by purchase. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Counted, Counts, type Use, type Window } from './oracle/windowModel.ts';

const GRAIN_MS = 50;
const START = Date.UTC(2027, 0, 1);

/** As windowModel.ts, one purchase after another. */
class PlainCounts {
  readonly all: Counted[] = [];
  latest = 0;

  use(window: Window, now: number, without?: string): Use {
    const use = { count: { least: 0, most: 0 }, amount: { least: 0, most: 0 } };
    for (const each of this.all) {
      if (each.id === without || (window.agent !== undefined && each.agent !== window.agent)) continue;
      if (each.at.every((at) => at < now - window.ms - GRAIN_MS)) continue;
      const from = Math.max(now, this.latest) - window.ms + GRAIN_MS;
      const isCertain = each.at.every((at) => at > from && at <= now);
      if (each.isOne) {
        use.count.most += 1;
        if (isCertain) use.count.least += 1;
      }
      if (window.currency !== each.currency) continue;
      use.amount.most += each.amount;
      if (isCertain && now < each.until) use.amount.least += each.amount;
    }
    return use;
  }
}

const step = fc.record({
  wait: fc.integer({ min: 0, max: 40_000 }),
  agent: fc.constantFrom('a', 'b'),
  currency: fc.constantFrom('USD', 'EUR'),
  amount: fc.integer({ min: 0, max: 9000 }),
  lives: fc.integer({ min: 1, max: 200_000 }),
  change: fc.constantFrom('settle', 'release', 'expire', 'authorize', 'none'),
  which: fc.nat(),
});
const window = fc.record({
  ms: fc.constantFrom(60_000, 600_000, 3_600_000),
  agent: fc.constantFrom('a', 'b', undefined),
  currency: fc.constantFrom('USD', 'EUR'),
});

type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

function changeOf({ change, amount }: Step, { at }: Counted, now: number): Partial<Counted> {
  if (change === 'settle') return { amount, until: Infinity };
  if (change === 'release') return { amount: 0, isOne: false };
  if (change === 'expire') return { amount: 0, until: now };
  return change === 'authorize' ? { at: [...at, now] } : {};
}

test('windows in blocks agree with windows one purchase after another', () => {
  fc.assert(
    fc.property(
      fc.array(step, { minLength: 1, maxLength: 300, size: 'max' }),
      fc.array(window, { minLength: 1, maxLength: 4 }),
      (steps, windows) => {
        const counts = new Counts();
        const plain = new PlainCounts();
        let now = START;
        for (const [index, each] of steps.entries()) {
          now += each.wait;
          counts.see(now);
          plain.latest = Math.max(plain.latest, now);
          const { agent, currency, amount, lives } = each;
          const made = () => ({ id: `p${index}`, agent, currency, at: [now], until: now + lives, amount, isOne: true });
          counts.add(made());
          plain.all.push(made());
          const changed = plain.all[each.which % plain.all.length] as Counted;
          const change = changeOf(each, changed, now);
          counts.change(changed.id, change);
          Object.assign(changed, change);
          for (const asked of windows) {
            const without = each.which % 2 === 0 ? changed.id : undefined;
            assert.deepEqual(counts.use(asked, now, without), plain.use(asked, now, without));
          }
        }
      },
    ),
    { numRuns: 60 },
  );
});

test('what was forgotten before the longest window changes nothing', () => {
  const counts = new Counts();
  for (let index = 0; index < 1000; index++) {
    counts.add({
      id: `p${index}`,
      agent: 'a',
      currency: 'USD',
      at: [START + index * 1000],
      until: Infinity,
      amount: 1,
      isOne: true,
    });
  }
  const now = START + 1_000_000;
  counts.see(now);
  const asked = { ms: 60_000, agent: 'a', currency: 'USD' };
  const before = counts.use(asked, now);
  counts.forget(now - 120_000);
  assert.deepEqual(counts.use(asked, now), before);
  assert.equal(counts.find('p1'), undefined);
  assert.notEqual(counts.find('p999'), undefined);
});

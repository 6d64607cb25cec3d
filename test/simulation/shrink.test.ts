/** A failing world is made as small as it can be while it still fails in the same way, and its story says what matters. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Happening, Violation } from './history.ts';
import { Tale } from './oracle/handmade.ts';
import { type Plan, shrink } from './oracle/shrink.ts';
import { tellStory } from './oracle/tellStory.ts';

const VIOLATION: Violation = { invariant: 'I2', sentence: 'A payment was made twice.', happenings: [] };
const PARTS = ['agent 0', 'agent 1', 'agent 2', 'crash', 'clock', 'disk full', 'rail mute'];

/** A world that fails from some step on, where all that it needs takes part. */
function worldThat(needs: readonly string[], from: number) {
  return async ({ steps, without }: Plan) => ({
    violations: steps >= from && needs.every((part) => !without.includes(part)) ? [VIOLATION] : [],
  });
}

test('what is left of a failing world is what it needs to fail', async () => {
  await fc.assert(
    fc.asyncProperty(fc.subarray(PARTS), fc.integer({ min: 1, max: 5000 }), async (needs, from) => {
      const play = worldThat(needs, from);
      const small = await shrink({ seed: '7', steps: 10_000, without: [] }, { play, parts: PARTS, mostPlays: 200 });
      assert.deepEqual(small?.plan.without, PARTS.filter((part) => !needs.includes(part)).sort());
      assert.ok(small.plan.steps >= from && small.plan.steps <= from + from / 8 + 2, `${small.plan.steps} of ${from}`);
      assert.equal((await play(small.plan)).violations.length, 1);
    }),
    { numRuns: 50 },
  );
});

test('a world that holds is not made smaller, and another violation does not count as the same', async () => {
  const holds = { play: worldThat(['no part'], Infinity), parts: PARTS, mostPlays: 10 };
  assert.equal(await shrink({ seed: '7', steps: 10, without: [] }, holds), undefined);
  const other = { ...VIOLATION, invariant: 'I7' } as const;
  const play = async ({ without }: Plan) => ({ violations: without.length === 0 ? [VIOLATION] : [other] });
  const small = await shrink({ seed: '7', steps: 8, without: [] }, { play, parts: PARTS, mostPlays: 100 });
  assert.deepEqual(small?.plan.without, []);
});

test('it gives up after so many plays, with the smallest that it has', async () => {
  let plays = 0;
  const world = worldThat(['crash'], 10);
  const play = (plan: Plan) => {
    plays += 1;
    return world(plan);
  };
  const small = await shrink({ seed: '7', steps: 1000, without: [] }, { play, parts: PARTS, mostPlays: 5 });
  assert.equal(plays, 5);
  assert.equal(small?.plays, 5);
});

test('a story tells of the payment at fault, of the faults beside it, and of nothing else', () => {
  const tale = new Tale().policy({ version: '2.0', spend: { amount_cap: 100, currency: 'USD' } }).agent();
  tale.agent('did:key:zOther');
  tale.intent(77, { agent: 'did:key:zOther', call: { by: 'agent 2' } });
  const token = tale.cart(tale.intent(30), 20);
  const paid = tale.pay(token);
  const crash: Happening = { at: tale.at, kind: 'fault', node: 0, what: 'crash', detail: 'before COMMIT' };
  tale.tell(crash);
  tale.deal(paid);
  const [violation] = tale.found;
  assert.ok(violation);
  const story = tellStory(tale.history, violation);
  const text = story.join('\n');
  assert.match(text, /Agent 1 asked node 0 to pay with approval token/);
  assert.match(
    text,
    /Node 0 asked the rail to authorize 20\.00 USD for payment pm_\d+ under pm_\d+, and the rail did it\./,
  );
  assert.match(text, /Node 0 had a fault: crash, before COMMIT\./);
  assert.match(text, /to make a policy current/);
  assert.match(String(story.at(-1)), /^Violated I2: The rail holds money twice for payment pm_\d+\.$/);
  assert.doesNotMatch(text, /77\.00|Agent 2/);
});

test('a long story is cut in its middle', () => {
  const at = Date.UTC(2026, 0, 5);
  const fault = (detail: string): Happening => ({ at, kind: 'fault', node: 0, what: 'crash', detail });
  const history = Array.from({ length: 200 }, (_, number) => fault(String(number)));
  const story = tellStory(history, { ...VIOLATION, happenings: [0, 199] });
  assert.equal(story.length, 62);
  assert.equal(story[20], '… 140 more …');
});

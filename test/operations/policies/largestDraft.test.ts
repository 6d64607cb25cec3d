/** Drafts at the schema's largest lists: what they take of the core grows with the lists, and not with their square. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { largestRules } from '../../support/largestRules.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

/** Some times what it takes; where each entry is compared with every other one it is seconds. */
const MOST_CPU_MS = 150;

describe('a draft with the largest lists', () => {
  let node: MemoryNode;
  before(async () => {
    node = await memoryNode();
  });

  /** The least CPU of some calls, in milliseconds: others load and compile code, or collect what was left before them. */
  const cpuOf = async (call: () => Promise<unknown>): Promise<number> => {
    let least = Number.POSITIVE_INFINITY;
    for (let times = 0; times < 4; times += 1) {
      const before = process.cpuUsage();
      await call();
      const { user, system } = process.cpuUsage(before);
      least = Math.min(least, (user + system) / 1000);
    }
    return least;
  };

  test('is compared with another one in a bounded time, in either order', async () => {
    const [former, next] = [largestRules(0), largestRules(1)];
    for (const drafts of [
      { former, next },
      { former: next, next: former },
      { former, next: former },
    ]) {
      const cpu = await cpuOf(() => node.run('comparePolicies', drafts));
      assert.ok(cpu < MOST_CPU_MS, `${cpu} ms`);
    }
  });

  test('is tried in a bounded time, refused for every reason or for one', async () => {
    const refused = { amount: 100, currency: 'EUR', merchantDomain: 'other.example', mcc: '9999', country: 'FR' };
    const denied = { amount: 5, currency: 'USD', merchantDomain: 'a.s1.denied.example', mcc: '0001', country: 'DE' };
    for (const request of [refused, { ...refused, currency: 'USD' }, denied]) {
      const cpu = await cpuOf(() => node.run('simulateDraft', { rules: largestRules(0), request }));
      assert.ok(cpu < MOST_CPU_MS, `${cpu} ms`);
    }
  });
});

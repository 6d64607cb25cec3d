/** Drafts at the schema's largest lists: what they take of the core grows with the lists, and not with their square. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

const MOST = 1000;
/** Some times what it takes; where each entry is compared with every other one it is seconds. */
const MOST_CPU_MS = 150;

const names = (make: (index: number) => string) => Array.from({ length: MOST }, (_, index) => make(index));
const four = (index: number) => String(index).padStart(4, '0');
const ZONES = Intl.supportedValuesOf('timeZone');
const DAYS = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'];

/** @param turn makes other entries that overlap with those of another turn, so that no comparison ends early */
function largest(turn: number) {
  const minute = (index: number) => `${String(index % 10).padStart(2, '0')}:${String(index % 50).padStart(2, '0')}`;
  return {
    version: '2.0',
    spend: { amount_cap: 10, currency: 'USD' },
    merchant: {
      allow_list: names((index) => `${index % 2 === 0 ? '' : '*.'}s${index + turn}.allowed.example`),
      deny_list: names((index) => `${index % 2 === 0 ? '' : '*.'}s${index + turn}.denied.example`),
      mcc_allow: names((index) => four(index + turn)),
      mcc_deny: names((index) => four(index + turn + 5000)),
    },
    context: {
      time_windows: names((index) => `${index}`).map((_, index) => ({
        days: [DAYS[index % 7]],
        from: minute(index + turn),
        to: '23:00',
        timezone: ZONES[(index * 7) % ZONES.length],
      })),
      geo: { allow: names(() => 'DE'), deny: names(() => 'US') },
    },
    rails: { allow: names((index) => `rail ${index + turn}`), priorities: names((index) => `rail ${index + turn}`) },
  };
}

describe('a draft with the largest lists', () => {
  let node: MemoryNode;
  before(async () => {
    node = await memoryNode();
  });

  /** CPU of the second of two calls, in milliseconds: the first one loads and compiles code. */
  const cpuOf = async (call: () => Promise<unknown>): Promise<number> => {
    await call();
    const before = process.cpuUsage();
    await call();
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1000;
  };

  test('is compared with another one in a bounded time, in either order', async () => {
    const [former, next] = [largest(0), largest(1)];
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
      const cpu = await cpuOf(() => node.run('simulateDraft', { rules: largest(0), request }));
      assert.ok(cpu < MOST_CPU_MS, `${cpu} ms`);
    }
  });
});

/** Limits over time in what looks back or ahead: drafts that are tried and replayed, decisions that are explained, what others may see. */
import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { makePeer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';

let node: MemoryNode;
let did: string;
beforeEach(async () => {
  node = await memoryNode();
  ({ did } = await node.agent());
});

const DAY_MS = 24 * 3600 * 1000;
const rules = (limits: object[]) => ({
  version: '2.0',
  spend: { amount_cap: 1000, currency: 'USD' },
  risk: { limits },
});
const publish = (limits: object[]) => node.run('createPolicy', { name: 'limits', rules: rules(limits) });
const intend = (maxAmount: number, more: { principalDid?: string; agentDid?: string } = {}) => {
  const request = { maxAmount, currency: 'USD', vendorHints: { domain: 'shop.example' } };
  return node.run('issueIntent', { agentDid: did, principalDid: did, request, ...more });
};
const MONTH = { name: 'month', max_amount: 100, window: 'month', timezone: 'Europe/Berlin' };

test('a draft that names a shop for the first time counts what was bought there, and so does its policy', async () => {
  await node.pay(did, 60);
  await intend(20);
  const limit = { ...MONTH, merchant: 'shop.example', scope: 'policy' };
  const request = { amount: 30, currency: 'USD', merchantDomain: 'shop.example', agentDid: did };
  const tried = await node.run('simulateDraft', { rules: rules([limit]), request });
  assert.equal(tried.details.SPENDING_LIMIT_EXCEEDED.used, 80);
  assert.equal(tried.limits[0].left, 20);
  assert.deepEqual(
    tried.counterfactual.alone.map(({ change, amount, from }: Loose) => amount ?? from ?? change),
    [20, '2026-06-30T22:00:00.000Z'],
  );
  await publish([limit]);
  assert.equal((await intend(30)).details.SPENDING_LIMIT_EXCEEDED.used, 80);
  assert.equal((await intend(20)).remaining.left, 0);
  // Named again by another limit, it is found counted.
  await publish([{ ...limit, name: 'wider', max_amount: 500, window: '366d', timezone: undefined }]);
  const { limits } = await node.run('showLimits', {});
  assert.deepEqual([limits[0].name, limits[0].used], ['wider', 100]);
});

test('a refused request is explained by what its limits counted then, and by what would have passed', async () => {
  await publish([MONTH]);
  await node.pay(did, 70);
  const refused = await intend(50);
  assert.equal(refused.allowed, false);
  await node.pay(did, 30);
  const { data } = await node.run('searchEvidence', { eventType: 'INTENT_DENIED' });
  const { decisions } = await node.run('getDecisions', { transactionId: data[0].data.transactionId });
  const [decision] = decisions;
  assert.equal(decision.limits[0].used, 70);
  const row = decision.ruleTable.find(({ rule }: Loose) => rule === 'SPENDING_LIMIT_EXCEEDED');
  assert.deepEqual([row.asked, row.limit], [120, 100]);
  assert.equal(decision.counterfactual.sentence.includes('with at most 30.00 USD'), true);
  assert.match(decision.counterfactual.sentence, /from 2026-06-30T22:00:00\.000Z on/);
});

test('a replay tells what a draft’s limits would have refused, with their windows and whose purchases count', async () => {
  const principal = makePeer();
  const { did: second } = await node.agent();
  await node.run('registerPrincipal', { did: principal.did, name: 'Household', agents: [did, second] });
  const principalDid = principal.did;
  await node.pay(did, 40);
  await intend(40, { principalDid });
  await intend(30, { principalDid, agentDid: second });
  node.clock.now += 31 * DAY_MS;
  await intend(60, { principalDid });
  const replay = async (limit: object) => {
    const { flips } = await node.run('replayPolicy', {
      rules: rules([limit]),
      since: new Date(node.clock.now - 40 * DAY_MS).toISOString(),
    });
    return flips.map(({ amount, agentDid, would }: Loose) => [amount, agentDid === did, would.reasonCodes]);
  };
  const over = ['SPENDING_LIMIT_EXCEEDED'];
  assert.deepEqual(await replay({ ...MONTH, max_amount: 65, scope: 'principal' }), [[30, false, over]]);
  assert.deepEqual(await replay({ ...MONTH, max_amount: 65, scope: 'policy' }), [
    [30, false, over],
    [40, true, over],
  ]);
  assert.deepEqual(await replay({ ...MONTH, max_amount: 65 }), [[40, true, over]]);
  assert.deepEqual(await replay({ ...MONTH, max_amount: 65, merchant: 'other.example' }), []);
  assert.deepEqual(await replay({ ...MONTH, max_amount: 65, window: '30d', timezone: undefined, action: 'presence' }), [
    [40, true, []],
  ]);
});

test('an agent is not told what a principal has spent that has not delegated to it', async () => {
  const principal = makePeer();
  const { did: other, caller } = await node.agent();
  await node.run('registerPrincipal', { did: principal.did, name: 'Household', agents: [did] });
  await publish([{ ...MONTH, scope: 'principal' }]);
  await intend(90, { principalDid: principal.did });
  const refused = await intend(50, { principalDid: principal.did, agentDid: other });
  assert.deepEqual(
    [refused.reasonCodes, Object.keys(refused.details)],
    [['AGENT_NOT_DELEGATED'], ['AGENT_NOT_DELEGATED']],
  );
  const reader = { ...caller, permissions: new Set(['read', 'write'] as const), agents: new Set([other]) };
  const asked = { principalDid: principal.did };
  await assert.rejects(node.run('showLimits', asked, reader), /No person or company did:key:z\w+ is registered/);
  await assert.rejects(node.run('showAgentLimits', { did }, reader), /There is no agent/);
  await assert.rejects(node.run('showLimits', { agentDid: did }, reader), /There is no agent/);
  const explained = await node.run('explainPolicy', { amount: 50, currency: 'USD', ...asked }, reader);
  assert.equal(explained.allowed, true);
  assert.equal(explained.remaining.used, 50);
  const own = await node.run('showLimits', {}, reader);
  assert.deepEqual([own.limits[0].used, own.limits[0].scope], [0, 'principal']);
  // Its owner sees the principal's.
  assert.equal((await node.run('showLimits', asked)).limits[0].used, 90);
  await assert.rejects(
    node.run('showLimits', { principalDid: makePeer().did }),
    /No person or company did:key:z\w+ is registered/,
  );
});

test('a tenant’s limits name a thousand merchants and categories at most', async () => {
  for (let from = 0; from < 1000; from += 20) {
    const each = (_: unknown, at: number) => ({ ...MONTH, name: `n${at}`, merchant: `shop${from + at}.example` });
    await publish(Array.from({ length: 20 }, each));
  }
  await assert.rejects(publish([{ ...MONTH, merchant: 'one-more.example' }]), /more than 1000 merchants/);
  await publish([{ ...MONTH, merchant: 'shop7.example' }]);
});

test('what is bought at a merchant counts in each limit that names it, in its own window', async () => {
  const { did: second } = await node.agent();
  const limits = [
    { ...MONTH, name: 'exact', merchant: 'shop.example' },
    { ...MONTH, name: 'all', merchant: 'shop.example', scope: 'policy' },
    { ...MONTH, name: 'sliding', merchant: 'shop.example', window: '90m', timezone: undefined },
  ];
  await publish(limits);
  await node.pay(did, 25);
  await node.pay(second, 10);
  const used = async (agentDid: string) =>
    (await node.run('showAgentLimits', { did: agentDid })).limits.map(({ used }: Loose) => used);
  assert.deepEqual(await used(did), [25, 35, 25]);
  assert.deepEqual(await used(second), [10, 35, 10]);
  node.clock.now += 2 * 3600 * 1000;
  assert.deepEqual(await used(did), [25, 35, 0]);
});

test('a draft tells who has nothing left of its limits, the most used first, whether a limit is new, and of no agent that has its own', async () => {
  const other = (await node.agent()).did;
  const own = (await node.agent()).did;
  await publish([{ ...MONTH, name: 'kept', scope: 'policy', max_amount: 900 }]);
  await node.run('setAgentVelocity', { did: own, limits: [{ name: 'own', maxAmount: 500, window: 'day' }] });
  await node.pay(did, 60);
  await node.pay(other, 70);
  await node.pay(own, 90);
  const next = rules([
    { ...MONTH, name: 'renamed', scope: 'policy', max_amount: 900 },
    { ...MONTH, max_amount: 60, max_transactions: 5 },
    { name: 'elsewhere', max_amount: 10, window: 'month', merchant: 'other.example' },
  ]);
  const { limits } = await node.run('comparePolicies', { next });
  assert.deepEqual(
    limits.map(({ name, measure, isChanged, usedUp }: Loose) => [name, measure, isChanged, usedUp]),
    [
      ['renamed', 'amount', false, 0],
      ['month', 'purchases', true, 0],
      ['month', 'amount', true, 2],
      ['elsewhere', 'amount', true, 0],
    ],
  );
  assert.deepEqual(limits[0].most, [{ used: 220 }]);
  assert.deepEqual(
    limits[2].most.map((each: Loose) => [each.did, each.used]),
    [
      [other, 70],
      [did, 60],
    ],
  );
  assert.deepEqual((await node.run('comparePolicies', { former: next, next })).limits[2].isChanged, false);
});

test('a limit that a principal’s agents share is counted by a draft for each registered principal', async () => {
  const principal = makePeer().did;
  await node.run('registerPrincipal', { did: principal, name: 'Household', agents: [did] });
  assert.equal((await intend(40, { principalDid: principal })).allowed, true);
  const next = rules([{ ...MONTH, scope: 'principal', max_amount: 40 }]);
  const [{ usedUp, most }] = (await node.run('comparePolicies', { next })).limits;
  assert.deepEqual([usedUp, most], [1, [{ did: principal, name: 'Household', used: 40 }]]);
});

/**
 * What a node tells of a request is what it does, over random policies and purchases: what explaining says before is what the
 * intent gets, and the same is shown of it later; what would have passed passes, and a minor unit more or a millisecond earlier
 * does not; and the policy that judged everything flips nothing of it in a replay.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { makePeer } from '../../support/peer.ts';
import { rounds } from '../../support/rounds.ts';
import type { Loose } from '../../support/world.ts';

const MERCHANTS = ['registered.example', 'b.example', 'c.example'];
const maybe = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
/** Without what is not there, which no schema takes for absent in every place. */
const compacted = (value: object): Loose => JSON.parse(JSON.stringify(value));

const somePolicy = fc.record({
  cap: fc.constantFrom(30, 50),
  currency: fc.constantFrom('USD', undefined),
  velocity: maybe(
    fc.record({
      max_transactions: fc.constantFrom(2, 4),
      max_amount: fc.constantFrom(60, 100.5),
      time_window: fc.constantFrom('10m', '1h'),
      scope: fc.constantFrom('agent', 'policy'),
    }),
  ),
  newMerchant: fc.boolean(),
  categories: maybe(fc.constant(['groceries'])),
  allowed: maybe(fc.subarray(MERCHANTS, { minLength: 1 })),
  countries: maybe(fc.constant(['DE', 'FR'])),
  hours: maybe(fc.constant([{ from: '09:00', to: '15:00', timezone: 'Europe/Berlin' }])),
});
const rulesOf = (given: typeof somePolicy extends fc.Arbitrary<infer T> ? T : never) =>
  compacted({
    version: '2.0',
    spend: { amount_cap: given.cap, presence_cap: 80, currency: given.currency, categories: given.categories },
    merchant: { allow_list: given.allowed },
    context: {
      presence_new_merchant: given.newMerchant,
      time_windows: given.hours,
      ...(given.countries && { geo: { allow: given.countries } }),
    },
    risk: { velocity_limit: given.velocity },
  });

const aRequest = fc.record({
  agent: fc.nat(1),
  passMs: fc.constantFrom(1, 1000, 60_000, 400_000),
  minor: fc.integer({ min: 1, max: 10_000 }),
  merchantDomain: maybe(fc.constantFrom(...MERCHANTS)),
  mcc: maybe(fc.constantFrom('5411', '7995')),
  country: maybe(fc.constantFrom('DE', 'US')),
  pays: fc.boolean(),
});

const figuresOf = (table: Loose[]) =>
  table.map(({ rule, outcome, asked, limit, left }) => [rule, outcome, asked, limit, left]);

async function askAndCompare(node: MemoryNode, agentDid: string, asked: Loose): Promise<void> {
  const { amount, merchantDomain: domain, mcc, country } = asked;
  const told = await node.run('explainPolicy', { ...asked, agentDid });
  const request = { maxAmount: amount, currency: 'USD', vendorHints: compacted({ domain, mcc, country }) };
  const done = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
  assert.deepEqual([told.allowed, told.details], [done.allowed, done.details ?? {}]);
  assert.equal(told.hpRequired, done.hpRequired ?? false);
  const { data } = await node.run('listDecisions', { limit: 1 });
  const [shown] = (await node.run('getDecisions', { transactionId: data[0].transactionId })).decisions;
  assert.equal(shown.complete, true);
  assert.deepEqual(figuresOf(shown.ruleTable), figuresOf(told.ruleTable));
  for (const change of told.counterfactual?.alone ?? []) await tryChange(node, { ...asked, agentDid }, change);
}

async function tryChange(node: MemoryNode, asked: Loose, { change, amount, from, names }: Loose): Promise<void> {
  const passes = async (more: object) => (await node.run('explainPolicy', { ...asked, ...more })).allowed;
  if (change === 'amount') {
    assert.equal(await passes({ amount }), true);
    assert.equal(await passes({ amount: (Math.round(amount * 100) + 1) / 100 }), false);
  }
  for (const name of change === 'merchant' ? names : [])
    assert.equal(await passes({ merchantDomain: name }), true, name);
  for (const name of change === 'country' ? names : []) assert.equal(await passes({ country: name }), true, name);
  if (change !== 'time') return;
  const { now } = node.clock;
  node.clock.now = Date.parse(from) - 1;
  assert.equal(await passes({}), false, 'a millisecond before');
  node.clock.now += 1;
  assert.equal(await passes({}), true, from);
  node.clock.now = now;
}

async function payUnlessRefused(node: MemoryNode, did: string): Promise<void> {
  const request = { maxAmount: 1, currency: 'USD' };
  const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
  const offer = { payerDid: did, domain: 'b.example', amount: 1, currency: 'USD' };
  const { cartVc } = await node.run('demoCart', offer);
  const { approvalToken } = intentVc === undefined ? {} : await node.run('validateCart', { intentVc, cartVc });
  if (approvalToken !== undefined) await node.run('mandatePayment', { approvalToken });
}

test('what is told of a request is what becomes of it, and what would have passed passes', async () => {
  await fc.assert(
    fc.asyncProperty(somePolicy, fc.array(aRequest, { minLength: 8, maxLength: 16 }), async (policy, requests) => {
      const node = await memoryNode();
      const agents = [(await node.agent()).did, (await node.agent()).did];
      const terms = { mcc: '5813', country: 'DE' };
      await node.run('bindMerchant', { domain: MERCHANTS[0], did: makePeer().did, ...terms });
      await node.run('createPolicy', { name: 'Any', rules: rulesOf(policy) });
      for (const { agent, passMs, minor, pays, ...hints } of requests) {
        node.clock.now += passMs;
        const did = agents[agent] as string;
        await askAndCompare(node, did, compacted({ amount: minor / 100, currency: 'USD', ...hints }));
        if (pays) await payUnlessRefused(node, did);
      }
      const { flipped, flips } = await node.run('replayPolicy', {});
      assert.equal(flipped, 0, JSON.stringify(flips));
    }),
    { numRuns: rounds(100, 15) },
  );
});

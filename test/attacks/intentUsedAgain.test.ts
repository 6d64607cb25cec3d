/** Layers of Verifiable Intent that an agent tries to spend twice, beyond what the person signed, or as another person's. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { selective } from '../../protocol/sdjwt/mint.ts';
import { type Delegation, IntentParties, intentBudget } from '../support/intents.ts';
import { checkoutJwt, MandateParties } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import type { Loose } from '../support/world.ts';

describe('a Verifiable Intent that is brought again', () => {
  let node: MemoryNode;
  let parties: IntentParties;
  let agentDid: string;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new IntentParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    await node.run('addMandateIssuer', parties.issuerKey);
  });
  const present = (body: Loose, more: object = {}): Promise<Loose> =>
    node.run('issuePaymentCredential', { agentDid, ...body, ...more });
  const allowed = async (body: Loose) => {
    const answer = await present(body);
    assert.equal(answer.allowed, true, JSON.stringify(answer));
  };
  const codesOf = async (body: Loose, more: object = {}) => (await present(body, more)).reasonCodes;

  /** Views of one layer 2 that differ: with the checkout of the pair, and without. */
  const viewsOf = ({ l1, l2, views: [view = ''] }: Delegation): readonly Delegation[] => {
    const [jwt, checkout, ...others] = view.slice(0, -1).split('~');
    assert.match(Buffer.from(String(checkout), 'base64url').toString(), /checkout 0/);
    return [
      { l1, l2, views: [view] },
      { l1, l2, views: [`${[jwt, ...others].join('~')}~`] },
      { l1, l2, views: [`${[jwt, ...others.reverse(), checkout].join('~')}~`] },
    ];
  };

  test('in another view of the same layer 2 is used all the same', async () => {
    const [whole, withheld, turned] = viewsOf(parties.delegate()) as [Delegation, Delegation, Delegation];
    const checkout = checkoutJwt();
    await allowed(parties.close(whole, { checkout }));
    for (const view of [withheld, turned]) {
      assert.deepEqual(await codesOf(parties.close(view, { checkout })), ['MANDATE_USED']);
      assert.deepEqual(await codesOf(parties.close(view)), ['MANDATE_USED']);
    }
  });

  test('has one budget over all views of it', async () => {
    const views = viewsOf(parties.delegate([intentBudget(3000)]));
    for (const view of views) await allowed(parties.close(view, { amount: 1000 }));
    for (const view of views) {
      assert.deepEqual(await codesOf(parties.close(view, { amount: 1 })), ['SPENDING_LIMIT_EXCEEDED']);
    }
  });

  test('without the budget, the end or the number of uses that its view withholds is not resolved', async () => {
    const [range, budget, recurrence] = intentBudget(3000, 'USD', { max_occurrences: 1 }) as [object, object, object];
    const hidden = parties.delegate([[range, selective(budget), recurrence]]);
    await allowed(parties.close(hidden, { amount: 1000 }));
    const [view = ''] = hidden.views;
    const cut = view
      .split('~')
      .filter((part) => !Buffer.from(part, 'base64url').toString().includes('payment.budget'))
      .join('~');
    assert.notEqual(cut, view);
    const stripped = { ...hidden, views: [cut] };
    assert.ok((await codesOf(parties.close(stripped, { amount: 9000 }))).includes('CONSTRAINT_UNRESOLVED'));
    const { max_occurrences: most, ...rest } = recurrence as Loose;
    const member = parties.delegate([[range, budget, { ...rest, max_occurrences: selective(most) }]]);
    const [jwt, checkout, payment] = (member.views[0] as string).split('~');
    const without = { ...member, views: [`${[jwt, checkout, payment].join('~')}~`] };
    assert.deepEqual(await codesOf(parties.close(without)), ['CONSTRAINT_UNRESOLVED']);
  });

  test('with the pair of another budget is counted by the pair that the person signed', async () => {
    const delegation = parties.delegate([intentBudget(1000), intentBudget(9000)]);
    const [first = '', second = ''] = delegation.views;
    const parts = (view: string) => view.slice(0, -1).split('~') as [string, string, string];
    const [jwt, checkout0] = parts(first);
    const [, checkout1, payment1] = parts(second);
    // The payment of the second pair beside the checkout of the first one, and beside both.
    const swapped = { ...delegation, views: [`${[jwt, checkout0, payment1].join('~')}~`] };
    assert.deepEqual(await codesOf(parties.close(swapped, { amount: 9000 })), ['CHECKOUT_MISMATCH']);
    const both = { ...delegation, views: [`${[jwt, checkout0, checkout1, payment1].join('~')}~`] };
    assert.deepEqual(await codesOf(parties.close(both, { amount: 9000 })), ['MANDATE_INVALID']);
    // Alone it is itself: its uses are those of the second pair.
    const alone = { ...delegation, views: [`${[jwt, payment1].join('~')}~`] };
    await allowed(parties.close(alone, { amount: 9000 }));
    assert.deepEqual(await codesOf(parties.close(delegation, { pair: 1, amount: 1 })), ['SPENDING_LIMIT_EXCEEDED']);
    await allowed(parties.close(delegation, { pair: 0, amount: 1000 }));
  });

  test('by another agent of the tenant, or after the clock was set back, pays nothing', async () => {
    const body = parties.close(parties.delegate());
    await allowed(body);
    assert.deepEqual(await codesOf(body, { agentDid: (await node.agent()).did }), ['MANDATE_INVALID', 'MANDATE_USED']);
    node.clock.now -= 200_000;
    assert.deepEqual(await codesOf(body), ['MANDATE_USED']);
  });

  test('closed by the agent that was to close another one, or by the person’s key in its place, is not taken', async () => {
    const thief = new IntentParties(() => node.clock.now);
    Object.assign(thief, { issuer: parties.issuer, person: parties.person });
    assert.deepEqual(await codesOf(thief.close(parties.delegate())), ['MANDATE_INVALID']);
    Object.assign(thief, { agent: parties.person });
    assert.deepEqual(await codesOf(thief.close(parties.delegate())), ['MANDATE_INVALID']);
  });

  test('as a person’s touch of an agent’s own making is none: its key issued the card', async () => {
    const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
    await node.run('createPolicy', { name: 'P', rules, activate: true });
    const agent = new IntentParties(() => node.clock.now);
    await node.run('addMandateIssuer', { name: 'Provider', kind: 'agent-provider', jwk: agent.issuerKey.jwk });
    assert.deepEqual(await codesOf(agent.immediate()), ['MANDATE_INVALID']);
    // A person whose key an agent's provider vouches for is no credential's holder either.
    const provider = new MandateParties(() => node.clock.now);
    Object.assign(provider, { provider: agent.issuer });
    assert.deepEqual(await codesOf(provider.direct()), ['HP_REQUIRED']);
  });
});

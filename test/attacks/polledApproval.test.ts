/** A holder of the link of an approval makes the node read a large cart again and again, or hold many polls of it open. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { followApproval } from '../../src/operations/approvals/followApproval.ts';
import type { Statement } from '../../src/store/store.ts';
import type { Deps } from '../../src/usecase/deps.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { watched } from '../support/watched.ts';
import type { Loose } from '../support/world.ts';

const MOST_POLLS = 8;

describe('an approval that is polled', () => {
  let node: MemoryNode;
  before(async () => {
    node = await memoryNode();
    const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
    await node.run('createPolicy', { name: 'ask', rules });
  });

  const ask = async (more: object = {}): Promise<{ id: string; answer: Loose }> => {
    const { did } = await node.agent();
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid: did, principalDid: did, request });
    const offer = { payerDid: did, domain: 'shop.example', amount: 10, currency: 'USD' };
    const { cartVc } = await node.run('demoCart', offer);
    const credentialSubject = { ...cartVc.credentialSubject, ...more };
    const answer = await node.run('validateCart', { intentVc, cartVc: { ...cartVc, credentialSubject } });
    return { id: answer.approval?.id, answer };
  };

  /** The texts of the statements that a wait of one and a half seconds runs, with how often. */
  const statementsOf = async (poll: (deps: Deps) => Promise<unknown>): Promise<Map<string, number>> => {
    const statements: Statement[] = [];
    await poll({ ...node.deps, store: watched(node.deps.store, statements) });
    const counts = new Map<string, number>();
    for (const { sql } of statements) counts.set(sql, (counts.get(sql) ?? 0) + 1);
    return counts;
  };
  const WHOLE = /\*|\bcart\b|\bitems\b/;

  test('reads its whole row when it is shown, and a few columns at each look of a poll', async () => {
    const { id } = await ask();
    const polls = {
      'of the page': (deps: Deps) => followApproval.run(deps, { id, wait: 1 }),
      'of the agent': async (deps: Deps) => {
        const own: MemoryNode = { ...node, deps };
        const useCase = (await import('../../src/operations/table.ts')).table.getApproval;
        const call = { caller: own.owner, reply: { kind: 'output' as const } };
        return useCase.run(deps, call, { id, wait: 1 });
      },
    };
    for (const [name, poll] of Object.entries(polls)) {
      const counts = [...(await statementsOf(poll))].filter(([sql]) => /FROM (approval_requests|intents)/.test(sql));
      const looks = counts.filter(([, times]) => times > 2);
      assert.ok(looks.length > 0, `${name} looks again and again`);
      for (const [sql] of looks) assert.doesNotMatch(sql, WHOLE, name);
    }
  });

  test('holds eight polls at once, and answers a ninth at once with what stands', async () => {
    const [{ id }, other] = [await ask(), await ask()];
    const ends = new AbortController();
    const deps = { ...node.deps, stopping: ends.signal };
    const waiting = Array.from({ length: MOST_POLLS }, () => followApproval.run(deps, { id, wait: 30 }));
    const ninth = await Promise.race([followApproval.run(deps, { id, wait: 30 }), Promise.race(waiting)]);
    assert.equal(ninth.status, 'pending');
    const elsewhere = followApproval.run(deps, { id: other.id, wait: 30 });
    await node.run('denyApproval', { id });
    const ended = await Promise.all(waiting);
    assert.ok(ended.every(({ status }) => status === 'denied'));
    await node.run('denyApproval', { id: other.id });
    assert.equal((await elsewhere).status, 'denied', 'another approval is held all the same');
    const again = await ask();
    const freed = followApproval.run(deps, { id: again.id, wait: 30 });
    await node.run('denyApproval', { id: again.id });
    assert.equal((await freed).status, 'denied');
    assert.equal(node.deps.memory.openPolls.size, 0);
  });

  test('is of a cart that has two hundred signed members beside its items at most, at any depth', async () => {
    const members = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`m${at}`, at]));
    await assert.rejects(ask(members(201)), { code: 'BAD_REQUEST', message: /200/ });
    await assert.rejects(ask({ deep: { list: Array.from({ length: 201 }, () => [1]) } }), { code: 'BAD_REQUEST' });
    await assert.rejects(ask({ empty: Array.from({ length: 201 }, () => ({})) }), { code: 'BAD_REQUEST' });
    const { answer } = await ask(members(150));
    assert.notEqual(answer.allowed, undefined, 'a cart with fewer is judged');
  });
});

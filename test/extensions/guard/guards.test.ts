/** What a node knows of guards: what each told last, who sees it, and what needs a person. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, test } from 'node:test';
import { nodeCaller } from '../../../src/usecase/nodeCaller.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const hashOf = (text: string) => createHash('sha256').update(text).digest('hex');

function tool(name: string, more: object = {}): Loose {
  return { name, readOnly: true, action: 'forward', hash: hashOf(name), ...more };
}

function changed(name: string): Loose {
  const definition = JSON.stringify({ description: `Does ${name}.`, name });
  return tool(name, { change: 'changed', definition, hash: hashOf(definition) });
}

async function stage() {
  const node = await memoryNode();
  const { did: agentDid, caller } = await node.agent();
  const operator = nodeCaller(node.deps, node.owner.tenantId);
  const tell = (tools: readonly Loose[], more: object = {}, by?: Parameters<typeof node.run>[2]): Promise<Loose> =>
    node.run('tellGuard', { name: 'laptop', agentDid, servers: [{ name: 'shop', tools }], ...more }, by);
  const attention = async (): Promise<Loose> => node.run('showAttention', {});
  return { node, agentDid, agent: { ...caller, agents: new Set([agentDid]) }, operator, tell, attention };
}

describe('a guard', () => {
  test('is what it told last, under one name of its agent', async () => {
    const { node, tell } = await stage();
    const first = await tell([tool('look'), changed('pay')]);
    assert.match(first.id, /^grd_/);
    node.clock.now += 1000;
    const second = await tell([tool('look')]);
    assert.equal(second.id, first.id);
    assert.ok(second.toldAt > first.toldAt);
    const { data } = await node.run('listGuards', { limit: 10 });
    assert.deepEqual(
      data.map(({ name, waiting, servers }: Loose) => [name, waiting, servers]),
      [['laptop', 0, [{ name: 'shop', tools: 1, waiting: 0 }]]],
    );
    assert.deepEqual(await node.run('getGuard', { id: first.id }), second);
  });

  test('is told of by its agent, and seen by that one and by people', async () => {
    const { node, tell, agentDid, agent } = await stage();
    const other = await node.agent();
    const stranger = {
      ...other.caller,
      permissions: new Set(['read', 'write'] as const),
      agents: new Set([other.did]),
    };
    const reader = { ...agent, permissions: new Set(['read', 'write'] as const) };
    const { id } = await tell([changed('pay')], {}, reader);
    await assert.rejects(tell([], {}, stranger), { code: 'FORBIDDEN' });
    await assert.rejects(node.run('getGuard', { id }, stranger), { code: 'NOT_FOUND' });
    await assert.rejects(node.run('listGuards', { limit: 5, agentDid }, stranger), { code: 'FORBIDDEN' });
    assert.equal((await node.run('listGuards', { limit: 5 }, stranger)).data.length, 0);
    assert.equal((await node.run('listGuards', { limit: 5 }, reader)).data.length, 1);
    assert.equal((await node.run('getGuard', { id }, reader)).servers[0].tools[0].description, 'Does pay.');
    const elsewhere = { ...node.owner, tenantId: 'tnt_elsewhere' };
    await assert.rejects(node.run('getGuard', { id }, elsewhere), { code: 'NOT_FOUND' });
    await assert.rejects(
      node.run(
        'acceptTools',
        { id, server: 'shop', tools: [{ name: 'pay', hash: changed('pay').hash }] },
        nodeCaller(node.deps, 'tnt_elsewhere'),
      ),
      { code: 'NOT_FOUND' },
    );
  });

  test('needs a person while a tool waits, and none once it is accepted', async () => {
    const { node, tell, attention, operator } = await stage();
    const { id, waiting } = await tell([changed('pay'), tool('gone', { change: 'gone' })]);
    assert.equal(waiting, 1);
    const needed = await attention();
    assert.equal(needed.counts.tools, 1);
    const [item] = needed.items.filter(({ kind }: Loose) => kind === 'tools');
    assert.deepEqual(
      [item.guardId, item.message],
      [id, 'The tool pay waits for your look: Agent cannot call what changed behind its guard.'],
    );
    const asked = { id, server: 'shop', tools: [{ name: 'pay', hash: changed('pay').hash }] };
    await node.run('acceptTools', asked, operator);
    assert.equal((await attention()).counts.tools, 0);
    await node.run('acceptTools', asked, operator);
    assert.equal((await node.events()).filter((type) => type === 'TOOLS_ACCEPTED').length, 1, 'once');
    await assert.rejects(
      node.run('acceptTools', { ...asked, tools: [{ name: 'gone', hash: hashOf('gone') }] }, operator),
      { code: 'CONFLICT' },
    );
  });

  test('has no tool accepted that was too long to be told', async () => {
    const { node, tell, operator } = await stage();
    const { definition: _long, ...short } = changed('pay');
    const { id } = await tell([short]);
    const asked = { id, server: 'shop', tools: [{ name: 'pay', hash: short.hash }] };
    await assert.rejects(node.run('acceptTools', asked, operator), /countersign guard check --accept/);
  });

  test('tells a bounded number of tools, each once, and no more than a page of text', async () => {
    const { tell } = await stage();
    await assert.rejects(tell([tool('a'), tool('a')]), /must each have another name/);
    await assert.rejects(tell(Array.from({ length: 301 }, (_, at) => tool(`t${at}`))));
    const long = (name: string) => {
      const definition = JSON.stringify({ description: 'x'.repeat(15_000), name });
      return tool(name, { change: 'changed', definition, hash: hashOf(definition) });
    };
    await assert.rejects(tell(Array.from({ length: 9 }, (_, at) => long(`t${at}`))), /120000 characters together/);
    const compared = Array.from({ length: 5 }, (_, at) => ({
      ...long(`t${at}`),
      accepted: JSON.stringify({ description: 'y'.repeat(15_000), name: `t${at}` }),
    }));
    await assert.rejects(tell(compared), /120000 characters together/);
    await assert.rejects(tell([], { name: '../x' }), /must begin with a letter or a digit/);
  });

  test('is one of twenty of its agent, of which the one told of longest ago goes', async () => {
    const { node, tell } = await stage();
    for (let at = 0; at < 22; at++) {
      node.clock.now += 1000;
      await tell([], { name: `guard-${at}` });
    }
    const { data } = await node.run('listGuards', { limit: 50 });
    assert.deepEqual([data.length, data.at(-1).name], [20, 'guard-2']);
  });

  test('that is removed is seen no more, waits for nothing, and is told so when it tells of its tools', async () => {
    const { node, tell, attention, operator, agentDid } = await stage();
    const { id } = await tell([changed('pay')]);
    const asked = { id, server: 'shop', tools: [{ name: 'pay', hash: changed('pay').hash }] };
    await node.run('acceptTools', asked, operator);
    await tell([changed('look')], { name: 'desk' });
    await node.run('removeGuard', { id });
    assert.deepEqual(
      (await node.run('listGuards', { limit: 5 })).data.map(({ name }: Loose) => name),
      ['desk'],
    );
    assert.equal((await attention()).counts.tools, 1, 'that of the other guard');
    for (const [operation, input] of [
      ['getGuard', { id }],
      ['acceptTools', asked],
      ['removeGuard', { id }],
    ] as const)
      await assert.rejects(node.run(operation, input, operator), { code: 'NOT_FOUND' });
    await assert.rejects(tell([changed('pay')]), {
      code: 'CONFLICT',
      message: /^The guard laptop was removed at 20.*another name/,
    });
    assert.equal((await node.events()).filter((type) => type === 'GUARD_REMOVED').length, 1);
    const again = await tell([changed('pay')], { name: 'laptop-2' });
    assert.deepEqual([again.waiting, again.servers[0].tools[0].acceptance], [1, undefined]);
    for (let at = 0; at < 21; at++) await tell([], { name: `guard-${at}` });
    await assert.rejects(tell([]), /was removed/, 'also after others');
    await node.run('revokeAgent', { did: agentDid, reason: 'lost' });
    assert.equal((await node.run('listGuards', { limit: 5 })).data.length, 0);
  });

  test('is removed by no caller of another tenant', async () => {
    const { node, tell } = await stage();
    const { id } = await tell([]);
    await assert.rejects(node.run('removeGuard', { id }, nodeCaller(node.deps, 'tnt_elsewhere')), {
      code: 'NOT_FOUND',
    });
  });

  test('ends with its agent', async () => {
    const { node, tell, agentDid, attention } = await stage();
    await tell([changed('pay')]);
    await node.run('revokeAgent', { did: agentDid, reason: 'lost' });
    assert.equal((await node.run('listGuards', { limit: 5 })).data.length, 0);
    assert.equal((await attention()).counts.tools, 0);
    await assert.rejects(tell([changed('pay')]), { code: 'CONFLICT' });
  });
});

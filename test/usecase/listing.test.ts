/** Lists and removals, which are rows of what differs. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';

describe('a list', () => {
  let node: MemoryNode;
  before(async () => {
    node = await memoryNode();
    for (const name of ['a', 'b', 'c', 'd', 'e']) {
      node.clock.now += 1;
      await node.run('createApiKey', { name, permissions: ['read'] });
    }
  });

  test('gives its rows newest first, page by page, each once', async () => {
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await node.run('listApiKeys', { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
      assert.ok(page.data.length <= 2);
      seen.push(...page.data.map(({ name }: { name: string }) => name));
      assert.equal(page.hasMore, page.cursor !== null);
      cursor = page.cursor ?? undefined;
    } while (cursor !== undefined);
    assert.deepEqual(seen, ['e', 'd', 'c', 'b', 'a', 'first admin key']);
  });

  test('refuses a cursor that it did not give', async () => {
    await assert.rejects(node.run('listApiKeys', { cursor: 'bm90IGpzb24' }), /cursor is not one that this list/);
  });
});

describe('a removal', () => {
  test('is recorded once, and an unknown id is not found', async () => {
    const node = await memoryNode();
    const { id } = await node.run('createApiKey', { name: 'gone', permissions: ['read'] });
    await node.run('revokeApiKey', { id });
    await node.run('revokeApiKey', { id });
    assert.equal((await node.events()).filter((type) => type === 'KEY_REVOKED').length, 1);
    await assert.rejects(node.run('revokeApiKey', { id: 'key_unknown' }), /There is no API key key_unknown/);
  });
});

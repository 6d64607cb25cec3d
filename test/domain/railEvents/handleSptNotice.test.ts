/** The two events of a token's use, in either order. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { handleRailEvent } from '../../../src/domain/railEvents/handleRailEvent.ts';
import { memoryNode } from '../../support/memoryNode.ts';

describe('the use of a shared payment token', () => {
  for (const order of [
    ['pi_1', undefined],
    [undefined, 'pi_1'],
  ] as const) {
    test(`is one use when told ${order.map((railId) => (railId === undefined ? 'without' : 'with')).join(', then ')} its payment`, async () => {
      const node = await memoryNode();
      const input = { merchantDomain: 'shop.example', amount: 5, currency: 'USD', expiresIn: 300 };
      const { id } = await node.run('createSpt', input);
      const tell = (railId: string | undefined) => {
        const notice = { kind: 'token', tokenId: id, change: 'used', railId } as const;
        return handleRailEvent(node.deps, 'CARD_RAIL', { id: undefined, type: 'test', notice });
      };
      for (const railId of order) await tell(railId);
      assert.deepEqual((await node.events()).slice(-2), ['SPT_CREATED', 'SPT_USED']);
      assert.equal((await node.run('getSpt', { id })).railTransactionId, 'pi_1');
      await tell('pi_2');
      assert.deepEqual((await node.events()).slice(-1), ['SPT_USE_IGNORED']);
    });
  }
});

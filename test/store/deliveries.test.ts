/** Deliveries of webhook events as their rows keep them, on both engines. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import {
  insertDelivery,
  leaseDueDeliveries,
  markUndelivered,
  releaseDelivery,
} from '../../src/store/statements/webhooks/deliveries.ts';
import { get } from '../../src/store/store.ts';
import { engines } from '../support/engines.ts';

const NODE = 'node_1';
const AGAIN = { state: 'PENDING', nextAt: 0 } as const;

for (const engine of engines()) {
  describe(`a webhook delivery on ${engine.name}`, () => {
    test('that a node has leased twice counts each attempt once, whichever of both ends first', async (t) => {
      const { store, drop } = await engine.open();
      t.after(() => drop());
      const lease = function* () {
        const [row] = yield* leaseDueDeliveries('whk_1', NODE, 1, 1000, 1);
        assert.ok(row);
        return row;
      };
      const found = await store.write('tnt_1', function* () {
        yield* insertDelivery({
          ...{ id: 'whd_1', tenant_id: 'tnt_1', webhook_id: 'whk_1', event_id: 'evt_1', event_type: 'intent.issued' },
          ...{ state: 'PENDING', attempts: 4, max_attempts: 6, next_at: 0, leased_by: null, created_at: 0 },
        });
        const fifth = yield* lease();
        // A clock that jumped has the lease taken for lost, and the same attempt is made once more.
        yield* releaseDelivery(fifth.id, NODE, 0);
        const again = yield* lease();
        yield* markUndelivered(fifth, NODE, AGAIN);
        yield* lease();
        yield* markUndelivered(again, NODE, AGAIN);
        return yield* get<{ attempts: number; state: string }>('SELECT * FROM webhook_deliveries');
      });
      assert.deepEqual([found?.attempts, found?.state], [5, 'LEASED']);
    });
  });
}

/** Nodes whose clocks differ agree on who lives and whose lease has ended, since the database's clock decides. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import type { Deps } from '../../src/handlers/core/deps.ts';
import { openStore } from '../../src/store/openStore.ts';
import { all, type Store } from '../../src/store/store.ts';
import { sendHeartbeat } from '../../src/workers/heartbeat.ts';
import { engines } from '../support/engines.ts';

const HOUR_MS = 3_600_000;

for (const engine of engines().filter(({ name }) => name === 'postgres')) {
  describe(`nodes with clocks of their own on ${engine.name}`, () => {
    for (const [name, aheadMs] of [
      ['ahead', HOUR_MS],
      ['behind', -HOUR_MS],
    ] as const) {
      test(`a node an hour ${name} lives, and takes no other for dead`, async (t) => {
        const database = await engine.open();
        t.after(() => database.drop());
        const wrong = await openStore({
          file: '',
          databaseUrl: String(database.url),
          clock: () => Date.now() + aheadMs,
        });
        t.after(() => wrong.close());
        const beat = (store: Store, nodeId: string) => sendHeartbeat({ store, nodeId } as Deps);
        await beat(database.store, 'right');
        await beat(wrong, 'wrong');
        await beat(database.store, 'right');
        const seen = await database.store.read(() =>
          all<{ node_id: string; seen_at: number }>('SELECT node_id, seen_at FROM nodes ORDER BY node_id'),
        );
        assert.deepEqual(
          seen.map(({ node_id: id }) => id),
          ['right', 'wrong'],
        );
        for (const { seen_at: at } of seen) assert.ok(Math.abs(at - Date.now()) < HOUR_MS / 2);
      });
    }
  });
}

/** Several nodes start at once with a changed BOOTSTRAP_API_KEY, while the one that runs is busy. */

import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { readConfig } from '../../src/node/config/config.ts';
import { type Node, startNode } from '../../src/node/startNode.ts';
import { everyEngine } from '../support/engines.ts';
import { makeLives } from '../support/lives.ts';
import { makePeer } from '../support/peer.ts';

const ROUNDS = 3;
const NODES = 5;

for (const engine of everyEngine()) {
  describe(`a rolling start on ${engine.name}`, () => {
    test('with a new admin key succeeds on every node, and no request meanwhile fails', async (t) => {
      const lives = await makeLives(engine, { SANDBOX_RATE_PER_MINUTE: '1000000', SANDBOX_BURST: '1000000' });
      t.after(() => lives.close());
      const folders: string[] = [];
      t.after(() => Promise.all(folders.map((folder) => rm(folder, { recursive: true, force: true }))));
      const agent = makePeer();
      await lives.ask('POST', '/ap2/agents', { name: 'a', publicKey: agent.publicKey });
      const statuses = new Map<number, number>();
      let isBusy = true;
      const buy = async () => {
        const body = { agentDid: agent.did, principalDid: agent.did, request: { maxAmount: 1, currency: 'USD' } };
        while (isBusy) {
          const { status } = await lives.ask('POST', '/ap2/intents', body);
          statuses.set(status, (statuses.get(status) ?? 0) + 1);
        }
      };
      const buyers = [1, 2, 3, 4].map(buy);
      try {
        for (let round = 0; round < ROUNDS; round++) {
          const started = await Promise.allSettled(
            Array.from({ length: NODES }, async (): Promise<Node> => {
              const folder = await mkdtemp(join(tmpdir(), 'countersign-rolling-'));
              folders.push(folder);
              const files = {
                DATA_DIR: engine.name === 'sqlite' ? lives.folder : folder,
                ISSUER_KEY_FILE: join(lives.folder, 'issuer.key'),
                ROOT_KEY_FILE: join(lives.folder, 'root.key'),
              };
              const key = `ak_test_${String(round).repeat(32)}`;
              return startNode(readConfig({ ...lives.env, ...files, BOOTSTRAP_API_KEY: key }));
            }),
          );
          await Promise.all(started.map((each) => (each.status === 'fulfilled' ? each.value.stop() : undefined)));
          const died = started.flatMap((each) => (each.status === 'rejected' ? [String(each.reason)] : []));
          assert.deepEqual(died, []);
        }
      } finally {
        isBusy = false;
        await Promise.all(buyers);
      }
      assert.deepEqual([...statuses.keys()], [200]);
      const { text } = await lives.ask('GET', '/ap2/evidence/export?eventTypes=KEY_CREATED');
      assert.equal(JSON.parse(text).events.length, 1 + ROUNDS, 'each key is added once');
      assert.equal(JSON.parse((await lives.ask('GET', '/ap2/evidence/verify')).text).valid, true);
    });
  });
}

/** Events are appended to the end of the chain that is stored, also where another node appended last. On every engine. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { recordNodeEvent } from '../../../src/domain/evidence/recordEvent.ts';
import { chainLength, walkChain } from '../../../src/domain/evidence/walkChain.ts';
import { putSetting } from '../../../src/store/statements/node/settings.ts';
import { run, type Script, type Store } from '../../../src/store/store.ts';
import { engines, type TestDatabase } from '../../support/engines.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';

for (const engine of engines()) {
  describe(`the end of a chain on ${engine.name}`, () => {
    let database: TestDatabase;
    let other: Store;
    let node: MemoryNode;
    before(async () => {
      database = await engine.open();
      other = await database.reopen();
      node = await memoryNode();
    });
    after(() => database?.drop());

    const record = (label: string, now: number) =>
      recordNodeEvent(node.deps, 'tnt_chain', 'AGENT_CREATED', { label }, now);
    const append = (store: Store, ...labels: string[]) =>
      store.write('tnt_chain', function* (now): Script<void> {
        for (const label of labels) {
          yield* record(label, now);
          if (label === 'fails') throw new Error('taken back');
        }
      });
    const labels = async () => {
      const deps = { ...node.deps, store: other };
      const found: unknown[] = [];
      for await (const { events, broken } of walkChain(deps, 'tnt_chain', 1, await chainLength(deps, 'tnt_chain'))) {
        assert.equal(broken, undefined);
        found.push(...events.map(({ dataText }) => JSON.parse(dataText).label));
      }
      return found;
    };

    test('scripts of one commit append one after the other, and one that fails takes its events back', async () => {
      const ends = await Promise.allSettled([
        append(database.store, 'a', 'b'),
        append(database.store, 'lost', 'fails'),
        append(database.store, 'c'),
        append(database.store, 'fails'),
        append(database.store, 'd', 'e'),
      ]);
      assert.equal(ends.filter(({ status }) => status === 'rejected').length, 2);
      assert.deepEqual(await labels(), ['a', 'b', 'c', 'd', 'e']);
    });

    test('two nodes append to one chain in turn, and at once', async () => {
      const before = await labels();
      for (let round = 0; round < 6; round++) await append(round % 2 === 0 ? other : database.store, `turn ${round}`);
      await Promise.all(
        Array.from({ length: 20 }, (_, round) => append(round % 2 === 0 ? other : database.store, `once ${round}`)),
      );
      const turns = Array.from({ length: 6 }, (_, round) => `turn ${round}`);
      const all = await labels();
      assert.deepEqual(all.slice(0, before.length + 6), [...before, ...turns]);
      assert.equal(all.length, before.length + 26);
    });

    test('what was deleted from the chain is not appended to, whichever node deleted it', async () => {
      for (const store of [database.store, other]) {
        await append(database.store, 'deleted');
        await store.write('tnt_chain', () => run('DELETE FROM evidence WHERE tenant_id = ?', 'tnt_chain'));
        await append(database.store, 'first');
        await append(other, 'second');
        assert.deepEqual(await labels(), ['first', 'second']);
      }
    });

    test('a commit that comes to nothing leaves no end behind', async () => {
      const failing = database.store.write('tnt_chain', function* (now): Script<void> {
        yield* record('never', now);
        yield* putSetting('name', null as never);
      });
      await assert.rejects(failing);
      await append(database.store, 'third');
      assert.deepEqual(await labels(), ['first', 'second', 'third']);
    });
  });
}

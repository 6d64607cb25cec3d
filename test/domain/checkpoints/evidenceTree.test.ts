/** The Merkle tree over a long chain: kept in levels, it is the tree over the events, and little is read for a proof. */
import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { eventLeaf } from '../../../protocol/evidence/log/checkpoint.ts';
import { GrowingTree, inclusionProof, rootOf, verifyInclusion } from '../../../protocol/evidence/log/merkle.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { growTree, loadTree } from '../../../src/domain/checkpoints/evidenceTree.ts';
import { evidence } from '../../../src/store/statements/evidence/events.ts';
import { all, run, type Script } from '../../../src/store/store.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { addRows } from '../../support/oldRows.ts';

const suite = nativeSuite();
const TENANT = 'tnt_long';
/** More than a subtree of the second level covers. */
const EVENTS = 65_536 + 700;

const hashOf = (number: number) => `sha256:${number.toString(16).padStart(64, '0')}`;

describe('the tree over a chain of 66,236 events', () => {
  let node: MemoryNode;
  const roots = new Map<number, Uint8Array>();
  const sizes = [1, 255, 256, 257, 511, 65_535, 65_536, 65_537, 65_536 + 300, EVENTS];

  before(async () => {
    node = await memoryNode();
    await addRows(node.deps.store, evidence, {
      tenantId: TENANT,
      time: 1,
      count: EVENTS,
      cells: (number) => ({ seq: number + 1, hash_curr: hashOf(number + 1) }),
    });
    const growing = new GrowingTree(suite);
    for (let seq = 1; seq <= EVENTS; seq++) {
      growing.add(eventLeaf(suite, hashOf(seq)));
      if (sizes.includes(seq)) roots.set(seq, growing.root());
    }
  });

  const rootAt = (size: number) =>
    node.deps.store.read(function* () {
      return rootOf(suite, size, yield* loadTree({ suite }, TENANT, size, []));
    });
  const grow = async () => {
    while (await node.deps.store.write(TENANT, () => growTree({ suite }, TENANT))) {
      // Each round hashes a few subtrees more.
    }
  };

  test('has the root of its events before any subtree is kept', async () => {
    for (const size of [257, EVENTS]) assert.deepEqual(await rootAt(size), roots.get(size), String(size));
  });

  test('has it at each size, and for each proof, once they are', async () => {
    await grow();
    for (const size of sizes) assert.deepEqual(await rootAt(size), roots.get(size), String(size));
    for (const index of [0, 300, 65_535, 65_536, EVENTS - 1]) {
      const tree = await node.deps.store.read(() => loadTree({ suite }, TENANT, EVENTS, [index]));
      const claim = {
        index,
        size: EVENTS,
        leaf: eventLeaf(suite, hashOf(index + 1)),
        root: roots.get(EVENTS) as Uint8Array,
      };
      assert.ok(verifyInclusion(suite, claim, inclusionProof(index, EVENTS, tree)));
    }
  });

  test('reads a few hundred hashes for a root and a proof', async () => {
    let rows = 0;
    await node.deps.store.read(function* (): Script<void> {
      const script = loadTree({ suite }, TENANT, EVENTS, [3, 40_000]);
      let step = script.next();
      while (!step.done) {
        const result = yield step.value;
        rows += result.rows.length;
        step = script.next(result);
      }
    });
    assert.ok(rows <= 6 * 256, String(rows));
  });

  test('is made of its parts where a subtree is gone or damaged', async () => {
    await node.deps.store.write(TENANT, () => run('DELETE FROM evidence_subtrees WHERE level = 2'));
    await node.deps.store.write(TENANT, () => run("UPDATE evidence_subtrees SET hash = '?' WHERE number = 7"));
    assert.deepEqual(await rootAt(EVENTS), roots.get(EVENTS));
    await node.deps.store.write(TENANT, () => run('DELETE FROM evidence_subtrees'));
    await grow();
    const counted = 'SELECT level, COUNT(*) AS kept FROM evidence_subtrees GROUP BY level ORDER BY level';
    const kept = await node.deps.store.read(() => all<{ kept: number }>(counted));
    assert.deepEqual(
      kept.map((row) => row.kept),
      [258, 1],
    );
    assert.deepEqual(await rootAt(EVENTS), roots.get(EVENTS));
  });
});

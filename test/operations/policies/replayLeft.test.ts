/** A replay with progress ends when the caller stops reading. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { allOperations } from '../../../src/extensions/nodeOperations.ts';
import type { Statement } from '../../../src/store/store.ts';
import { ByteStream } from '../../../src/usecase/byteStream.ts';
import { call, parseInput, type UseCase } from '../../../src/usecase/useCase.ts';
import { insertAll } from '../../support/fillPurchases.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import { watched } from '../../support/watched.ts';

test('a replay whose reader goes reads no more of the chain', async () => {
  const node = await memoryNode();
  const { did } = await node.agent();
  await node.pay(did, 5);
  const seq = (await node.events()).length;
  const rows = Array.from({ length: 9000 }, (_, at) => ({
    tenant_id: node.owner.tenantId,
    seq: seq + 1 + at,
    id: `evt_filled${at}`,
    event_type: 'CART_VALIDATED',
    actor_did: did,
    data: '{}',
    hash_prev: '',
    hash_curr: '',
    created_at: node.clock.now,
    transaction_id: null,
    context_id: null,
  }));
  for (let from = 0; from < rows.length; from += 500) {
    await node.deps.store.write(node.owner.tenantId, () => insertAll('evidence', rows.slice(from, from + 500)));
  }
  const statements: Statement[] = [];
  const store = watched(node.deps.store, statements);
  const useCase = allOperations.replayDraft as UseCase;
  const start = async () => {
    const answer = await call(useCase.run, { ...node.deps, store }, node.owner, parseInput(useCase.input, {}));
    assert.ok(answer instanceof ByteStream);
    return answer.pieces[Symbol.asyncIterator]();
  };
  const whole = await start();
  let last = '';
  for (let piece = await whole.next(); piece.done !== true; piece = await whole.next()) last = String(piece.value);
  assert.equal(JSON.parse(last).result.requests, 1);
  const needed = statements.splice(0).length;
  const left = await start();
  assert.deepEqual(Object.keys(JSON.parse(String((await left.next()).value))), ['checked', 'of']);
  await left.return?.();
  const sofar = statements.length;
  assert.equal((await left.next()).done, true);
  assert.ok(statements.length === sofar && sofar < needed / 4, `${sofar} of ${needed} statements`);
});

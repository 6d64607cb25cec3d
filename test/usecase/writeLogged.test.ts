/** What a script has to say is said once, after its commit, however often it runs. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Store } from '../../src/store/store.ts';
import type { Deps, LogLine } from '../../src/usecase/deps.ts';
import { writeLogged } from '../../src/usecase/useCase.ts';
import { warnOfHolds } from '../../src/workers/expireHolds.ts';
import { reconcile } from '../../src/workers/reconcile.ts';
import { memoryNode } from '../support/memoryNode.ts';

const DAY_MS = 24 * 3600 * 1000;

/** The same node on a store that undoes every commit once and runs its scripts again, as a conflict does. */
function conflicting(deps: Deps) {
  const lines: string[] = [];
  const say: LogLine = (event) => lines.push(event);
  const { store } = deps;
  const write: Store['write'] = async (tenantId, script) => {
    const undone = store.write(tenantId, function* (now) {
      yield* script(now);
      throw new Error('a conflict');
    });
    await assert.rejects(undone);
    return store.write(tenantId, script);
  };
  const again: Store = Object.assign(Object.create(store), {
    write,
    read: store.read.bind(store),
    readApart: store.readApart.bind(store),
  });
  return { lines, deps: { ...deps, store: again, log: { info: say, warn: say, error: say } } };
}

test('a script that runs again says what it says once', async () => {
  const node = await memoryNode();
  const { deps, lines } = conflicting(node.deps);
  await node.pay((await node.agent()).did);
  node.clock.now += 6.5 * DAY_MS;
  await warnOfHolds(deps);
  assert.deepEqual(lines, ['payment.holdEnding']);
});

test('a payment that is left to a person is named once', async () => {
  const node = await memoryNode();
  const { deps, lines } = conflicting(node.deps);
  const mandateId = await node.pay((await node.agent()).did);
  node.railAnswers(async () => ({ kind: 'declined', code: 'no', message: 'No.' }));
  node.railShows(async () => undefined);
  await assert.rejects(node.run('capturePayment', { mandateId }));
  node.railAnswers(async () => ({ kind: 'unknown', reason: 'silence' }));
  const other = await node.pay((await node.agent()).did);
  node.clock.now += 30 * DAY_MS;
  node.railAnswers(undefined);
  node.deps.rails.forEach((rail) => {
    Object.assign(rail, { status: async () => ({ kind: 'unknown', reason: 'silence' }) });
  });
  await reconcile(deps);
  await reconcile(deps);
  assert.deepEqual(lines, ['rail.attention']);
  assert.notEqual((await node.run('getPayment', { mandateId: other })).attention, undefined);
});

test('a script that comes to nothing says nothing', async () => {
  const node = await memoryNode();
  const { deps, lines } = conflicting(node.deps);
  const failing = writeLogged({ ...deps, store: node.deps.store }, node.owner.tenantId, function* (own): Generator<
    never,
    void
  > {
    own.log.warn('said', {});
    throw new Error('undone');
  });
  await assert.rejects(failing, /undone/);
  assert.deepEqual(lines, []);
});

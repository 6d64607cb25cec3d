/** Evidence that a rail has, of which the node's record was lost, is recorded once all the same. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fault } from '../../../protocol/wire/fault.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { recordUnrecorded } from '../../../src/extensions/stripe/submissionSchedule.ts';
import type { Rail } from '../../../src/rails/rail.ts';
import type { Store } from '../../../src/store/store.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const MINUTE_MS = 60_000;

/** A node with a dispute, at a rail that takes evidence once. */
async function disputedNode() {
  const node = await memoryNode();
  const mandateId = await node.pay((await node.agent()).did, 20);
  await node.run('capturePayment', { mandateId });
  await node.run('demoDispute', { mandateId });
  const { disputes } = await node.run('getPayment', { mandateId });
  const rail = node.deps.rails.get('CARD_RAIL') as Rail;
  const at = { submissions: 0, isDown: false, answered: Promise.resolve() };
  Object.assign(rail, {
    async answerDispute(_id: string, _answer: object, submit: boolean) {
      if (at.isDown) throw new Fault('UNAVAILABLE', 'down');
      if (submit && at.submissions > 0) throw new Fault('CONFLICT', 'already submitted');
      if (submit) at.submissions += 1;
      await at.answered;
      return at.submissions;
    },
    async countSubmissions() {
      if (at.isDown) throw new Fault('UNAVAILABLE', 'down');
      return at.submissions;
    },
  } satisfies Partial<Rail>);
  const id = String(disputes[0].id);
  const submit = (caller?: Caller) => node.run('answerDispute', { id, submit: true }, caller);
  const recorded = async () => {
    const { data } = await node.run('searchEvidence', { eventType: 'PAYMENT_DISPUTE_SUBMITTED' });
    return data.map(({ data: { by } }: Loose) => by?.id);
  };
  const look = (laterMs: number) => {
    node.clock.now += laterMs;
    return recordUnrecorded(node.deps);
  };
  return { node, at, submit, recorded, look };
}

/** Runs a use case on a store whose commits are lost from some point on, as the process ends there. */
async function losing({ deps }: Pick<MemoryNode, 'deps'>, isLost: () => boolean, run: () => Promise<unknown>) {
  const { store } = deps;
  const write: Store['write'] = async (tenantId, script, load) => {
    if (isLost()) throw new Error('the node has ended');
    return store.write(tenantId, script, load);
  };
  Object.assign(deps, { store: Object.assign(Object.create(store), { write, read: store.read.bind(store) }) });
  await assert.rejects(run(), /the node has ended/);
  Object.assign(deps, { store });
}

test('evidence that was submitted before a node ended is recorded once, for whom it was submitted', async () => {
  const { node, at, submit, recorded, look } = await disputedNode();
  await losing(
    node,
    () => at.submissions > 0,
    () => submit(),
  );
  assert.deepEqual([at.submissions, await recorded()], [1, []]);
  at.isDown = true;
  await look(MINUTE_MS);
  assert.deepEqual(await recorded(), [], 'the rail does not say');
  at.isDown = false;
  await look(MINUTE_MS);
  await look(MINUTE_MS);
  assert.deepEqual(await recorded(), [node.owner.id]);
});

test('evidence whose record was lost is recorded by the next request, which the rail refuses', async () => {
  const { node, at, submit, recorded, look } = await disputedNode();
  await losing(
    node,
    () => at.submissions > 0,
    () => submit(),
  );
  await assert.rejects(submit({ ...node.owner, kind: 'node', id: 'another' }), /already submitted/);
  assert.deepEqual(await recorded(), [node.owner.id]);
  await look(2 * 60 * MINUTE_MS);
  assert.deepEqual(await recorded(), [node.owner.id]);
});

test('evidence that two owners submit at once is recorded once, whichever answer comes first', async () => {
  const { node, at, submit, recorded } = await disputedNode();
  let answerFirst = () => {};
  at.answered = new Promise<void>((resolve) => {
    answerFirst = resolve;
  });
  const first = submit();
  const second = submit({ ...node.owner, kind: 'node', id: 'another' });
  await assert.rejects(second, /already submitted/);
  assert.deepEqual(await recorded(), [node.owner.id], 'the rail says that it has it');
  answerFirst();
  await first;
  assert.deepEqual(await recorded(), [node.owner.id]);
});

test('evidence that never reached the rail is recorded by no look, and can be submitted later', async () => {
  const { node, at, submit, recorded, look } = await disputedNode();
  at.isDown = true;
  await assert.rejects(submit(), /down/);
  at.isDown = false;
  await look(2 * 60 * MINUTE_MS);
  assert.deepEqual(await recorded(), []);
  at.submissions = 1;
  await look(MINUTE_MS);
  assert.deepEqual(await recorded(), [], 'what is submitted after the mark has ended is told by the notice');
  at.submissions = 0;
  await submit();
  assert.deepEqual(await recorded(), [node.owner.id]);
});

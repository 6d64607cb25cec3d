/** What is told of what has happened, in order: a session counts an answer before a task ends with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hookLists } from '../../src/operations/hookLists.ts';
import type { Hooks } from '../../src/usecase/hooks.ts';
import { memoryNode } from '../support/memoryNode.ts';

const OF_KERNEL = [
  ['loadsOfCall', ['sessionLoads', 'eventLoads']],
  ['onOpen', ['joinSessionOfCall']],
  ['onRailWait', ['holdTaskOfCall']],
  ['onRepeat', ['concludeTaskOfCall']],
  ['onClose', ['advanceSessionOfCall', 'concludeTaskOfCall']],
  ['afterApprovalStep', ['tellTasksOfTouch']],
  ['afterDecision', ['settleTasksOfApproval']],
];

test('each list of the kernel names its functions in the order in which they are told', () => {
  assert.deepEqual([...hookLists.exchanges.keys()], ['intent', 'purchase', 'cart', 'payment']);
  assert.deepEqual(namesIn(hookLists), [
    ['authorizers', []],
    ...OF_KERNEL,
    ['afterKeyEnd', []],
    ['afterOutcome', ['tellOfOutcome', 'settleTaskOfPayment']],
  ]);
});

test('a node with all extensions tells those after the kernel', async () => {
  const { deps } = await memoryNode();
  const { hooks } = deps.operations;
  const exchanges = ['intent', 'purchase', 'cart', 'payment', 'ap2', 'ap2Cart', 'chain'];
  assert.deepEqual([...hooks.exchanges.keys()], exchanges);
  assert.deepEqual(namesIn(hooks), [
    ['authorizers', ['delegations', 'chains', 'mandate uses', 'ucp', 'ap2 carts']],
    ...OF_KERNEL,
    ['afterKeyEnd', ['endCredentialsOfKey']],
    ['afterOutcome', ['tellOfOutcome', 'settleTaskOfPayment']],
  ]);
});

/** Of each list, what is told. */
function namesIn({ exchanges: _, ...lists }: Hooks) {
  return Object.entries(lists).map(([list, told]) => [list, told.map((each: { readonly name: string }) => each.name)]);
}

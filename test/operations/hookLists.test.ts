/** What is told of what has happened, in order: a session counts an answer before a task ends with it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../support/memoryNode.ts';

test('each list of a node with all extensions names its functions in the order in which they are told', async () => {
  const { exchanges, ...lists } = (await memoryNode({ EXTENSIONS: '' })).deps.operations.hooks;
  const names = Object.entries(lists).map(([list, told]) => [
    list,
    told.map((each: { readonly name: string }) => each.name),
  ]);
  assert.deepEqual(
    [...exchanges.keys()],
    ['intent', 'purchase', 'cart', 'payment', 'httpPayment', 'ap2', 'ap2Cart', 'chain', 'acpSession', 'external'],
  );
  assert.deepEqual(names, [
    ['authorizers', ['delegations', 'chains', 'mandate uses', 'ucp', 'ap2 carts']],
    ['protocols', ['mpp', 'acp', 'x402']],
    ['loadsOfCall', ['sessionLoads', 'eventLoads']],
    ['onOpen', ['joinSessionOfCall']],
    ['onRailWait', ['holdTaskOfCall']],
    ['onRepeat', ['concludeTaskOfCall']],
    ['onClose', ['advanceSessionOfCall', 'concludeTaskOfCall']],
    ['afterApprovalStep', ['tellTasksOfTouch']],
    ['afterDecision', ['settleTasksOfApproval']],
    ['afterKeyEnd', ['endCredentialsOfKey']],
    ['afterAgentEnd', ['endTasksOfRevoked', 'endGuards']],
    ['afterOutcome', ['tellOfOutcome', 'settleTaskOfPayment']],
    ['onNotice', ['tellUser']],
    ['silenceOf', ['silentPlacesOf']],
    ['waitingTools', ['toolsToLookAt']],
  ]);
});

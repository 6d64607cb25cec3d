/** A node that takes letters. Run by addExtension.test.ts, where the toy is in the lists. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Engine, engines } from '../../support/engines.ts';
import { resultOf, taskMessage } from '../../support/standardPeer.ts';
import { makeWorld } from '../../support/world.ts';

import { LETTER_ID } from './letterPart.ts';

const [ENGINE] = engines() as [Engine];

test('an extension’s authorizer refuses and counts beside the policy, over REST and in a task of its own data part', async () => {
  const world = await makeWorld(ENGINE);
  try {
    const body = (maxAmount: number) => ({ ...world.intentBody(maxAmount), delegationId: LETTER_ID });
    const over = await world.rest('POST', '/ap2/intents', body(21));
    assert.deepEqual(over.body.reasonCodes, ['CONSTRAINT_VIOLATED'], over.text);
    const unknown = await world.rest('POST', '/ap2/intents', { ...body(5), delegationId: `dlg_${'1'.repeat(26)}` });
    assert.equal(unknown.status, 404, unknown.text);

    const { agentDid, principalDid } = world.intentBody(1);
    const letter = { agentDid, principalDid, words: 'Buy flowers for 19 dollars at most.' };
    const { task } = await resultOf(world, 'SendMessage', { message: taskMessage({ 'toy.letter': letter }) });
    assert.equal(task.status.state, 'TASK_STATE_COMPLETED', JSON.stringify(task));
    const again = await world.rest('POST', '/ap2/intents', body(5));
    assert.equal(again.body.details.CONSTRAINT_VIOLATED.message, 'The letter was used.', again.text);

    const found = await world.rest('GET', '/ap2/evidence/search?eventType=INTENT_ISSUED');
    assert.equal(found.body.data[0].data.letter, LETTER_ID, found.text);
    assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
  } finally {
    await world.close();
  }
});

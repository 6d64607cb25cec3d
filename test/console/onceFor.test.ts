/** What must be done once is asked for under one idempotency key, until the node has said what became of it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { CountersignError } from '../../client/error.ts';
import { onceFor } from '../../console/node/onceFor.ts';

const lost = new CountersignError('NETWORK', 'No answer came from the node.', { status: 0 });
const declined = new CountersignError('RAIL_DECLINED', 'The card was declined.', { status: 402 });
const inFlight = new CountersignError('CONFLICT', 'It is still being answered.', { status: 409 });

/** Asks for each input in turn. @param ends what becomes of each; undefined where it is answered @returns the keys */
async function keysOf(inputs: readonly unknown[], ends: readonly (Error | undefined)[]): Promise<readonly string[]> {
  const askOnce = onceFor();
  const keys: string[] = [];
  for (const [index, input] of inputs.entries()) {
    const end = ends[index];
    const asked = askOnce(input, async (key) => {
      keys.push(key);
      if (end !== undefined) throw end;
      return 'done';
    });
    if (end === undefined) assert.equal(await asked, 'done');
    else await assert.rejects(asked, end);
  }
  return keys;
}

test('the same input after a lost answer is the same request, also where another one was tried in between', async () => {
  const [first, other, again] = await keysOf([{ amount: 10 }, { amount: 12 }, { amount: 10 }], [lost, lost, lost]);
  assert.notEqual(first, other);
  assert.equal(first, again);
});

test('the same input after an answer is another request', async () => {
  const [first, again] = await keysOf([{ amount: 10 }, { amount: 10 }], [undefined, undefined]);
  assert.notEqual(first, again);
});

test('the same input after a refusal is another request, and after a conflict with itself the same', async () => {
  const [first, again, third] = await keysOf(['x', 'x', 'x'], [declined, inFlight, undefined]);
  assert.notEqual(first, again);
  assert.equal(again, third);
});

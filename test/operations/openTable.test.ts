/** What is asked without a caller stands in the table too, and gates ask for it by the same name. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { calls } from '../../src/core/core.ts';
import { openTable } from '../../src/operations/table.ts';

test('each open operation has a sentence, its schemas, and a call of its name', () => {
  for (const [name, operation] of Object.entries(openTable)) {
    assert.match(operation.summary, /^[A-Z].*\.$/, name);
    assert.equal(operation.permission, 'open', name);
    assert.equal(typeof operation.input.safeParse, 'function', name);
    assert.equal(typeof operation.output.safeParse, 'function', name);
    assert.ok(name in calls, name);
  }
});

/** Data that are no object have a form of their own in A2A 0.3, where data are objects, and come back as they were. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { currentMessage, formerTask } from '../../../protocol/a2a/formerDialect.ts';
import type { Part } from '../../../protocol/a2a/task.ts';

const status = { state: 'TASK_STATE_SUBMITTED', timestamp: '2026-11-26T12:00:00Z' } as const;

test('data of every kind go to 0.3 as objects and come back as they were', () => {
  const parts: readonly Part[] = [
    { data: { a: 1 }, metadata: { m: 1 } },
    { data: { value: [1] } },
    { data: [1] },
    { data: 'x', metadata: { m: 1 } },
    { data: false },
    { text: 't', metadata: { m: 1 } },
  ];
  const message = { messageId: 'm', role: 'ROLE_USER', parts };
  const { history } = formerTask({ id: 't', contextId: 'c', status, history: [message] });
  const [former] = history as [{ parts: Part[] }];
  for (const { data } of former.parts.slice(0, -1))
    assert.equal(Object.prototype.toString.call(data), '[object Object]');
  assert.deepEqual(former.parts[2], { kind: 'data', data: { value: [1] }, metadata: { data_part_compat: true } });
  assert.deepEqual(currentMessage(former), message);
});

/** A visit over MCP: its caller is identified and charged once, for everything that is asked within it. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeRequest } from '../../src/core/takeRequest.ts';
import { takeVisit } from '../../src/core/takeVisit.ts';
import { memoryNode } from '../support/memoryNode.ts';

const address = 'address 192.0.2.1';
const unknown = { kind: 'apiKey', hash: 'of no key' } as const;

test('what belongs to a visit goes by its visitor, and not by a credential', async () => {
  const { deps, owner } = await memoryNode();
  const asked = { name: 'currentPolicy', address, credential: unknown, isCharged: true, input: { value: {} } } as const;
  assert.equal((await takeRequest(deps, asked)).thrown?.kind, 'fault');
  const { answer, caller } = await takeRequest(deps, { ...asked, visitor: owner });
  assert.ok(JSON.parse(String(answer)).rules);
  assert.deepEqual(caller, { kind: owner.kind, id: owner.id });
});

test('a credential of no caller opens no visit', async () => {
  const { deps } = await memoryNode();
  const visit = await takeVisit(deps, address, unknown);
  assert.equal(visit.visitor, undefined);
  assert.equal(visit.thrown?.kind, 'fault');
});

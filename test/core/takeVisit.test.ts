/** A visit over MCP: its caller is identified and charged once, and for some seconds its questions go by what the core sealed then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeRequest } from '../../src/core/takeRequest.ts';
import { takeVisit, visitorOf } from '../../src/core/takeVisit.ts';
import { memoryNode } from '../support/memoryNode.ts';

const address = 'address 192.0.2.1';
const unknown = { kind: 'apiKey', hash: 'of no key' } as const;
const asked = { name: 'currentPolicy', address, isCharged: true, input: { value: {} } } as const;

test('a question goes by the visit that the core sealed, and after some seconds by its credential again', async () => {
  const { deps, clock, owner } = await memoryNode();
  const key = await deps.store.read(function* () {
    const [row] = (yield { sql: 'SELECT hash FROM api_keys LIMIT 1', args: [] }).rows as { hash: string }[];
    return row?.hash;
  });
  assert.ok(key, 'the node has a key');
  const { visit, visitor } = await takeVisit(deps, address, { kind: 'apiKey', hash: key });
  assert.equal(visitor?.tenantId, owner.tenantId);
  assert.deepEqual(visitorOf(deps, String(visit)), visitor);
  const { body, caller } = await takeRequest(deps, { ...asked, credential: unknown, visit });
  assert.ok(JSON.parse(String(body)).rules);
  assert.deepEqual(caller, { kind: visitor?.kind, id: visitor?.id });
  clock.now += 6_000;
  assert.equal((await takeRequest(deps, { ...asked, credential: unknown, visit })).error?.kind, 'fault');
});

test('a visit that the core did not seal names no caller', async () => {
  const { deps, owner } = await memoryNode();
  const caller = { id: owner.id, kind: owner.kind, tenantId: owner.tenantId };
  const forged = JSON.stringify({ caller, lists: { permissions: ['admin'] }, until: Number.MAX_SAFE_INTEGER });
  const elsewhere = deps.sealer.seal(forged, 'mcp request state');
  for (const visit of [forged, elsewhere, '', JSON.stringify(owner)]) {
    assert.equal(visitorOf(deps, visit), undefined);
    assert.equal((await takeRequest(deps, { ...asked, credential: unknown, visit })).error?.kind, 'fault');
  }
});

test('a credential of no caller opens no visit', async () => {
  const { deps } = await memoryNode();
  const visit = await takeVisit(deps, address, unknown);
  assert.equal(visit.visitor, undefined);
  assert.equal(visit.visit, undefined);
  assert.equal(visit.error?.kind, 'fault');
});

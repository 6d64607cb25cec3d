/** What a tool asks names the visit, and the credential for when that has ended. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Caller } from '../../../src/access/caller.ts';
import { gateDesk } from '../../../src/extensions/mcp/gateDesk.ts';
import { allOperations } from '../../../src/extensions/nodeOperations.ts';
import type { Gate } from '../../../src/gates/shell/gate.ts';

const visitor: Caller = { id: 'key_1', kind: 'apiKey', tenantId: 'tnt_1', permissions: new Set(['read']) };

test('what a tool asks names the visit as the core sealed it, beside the credential', async () => {
  const asked: { readonly visit?: string; readonly credential: unknown; readonly isCharged: boolean }[] = [];
  const core = {
    call: async (_name: string, request: (typeof asked)[number]) => {
      asked.push(request);
      return { body: '{}' };
    },
  };
  const credential = { kind: 'apiKey', hash: 'h' } as const;
  const desk = gateDesk({ core, operations: allOperations } as unknown as Gate, 'address 192.0.2.1', credential, {
    visitor,
    visit: 'sealed',
  });
  await desk.ask('currentPolicy', {});
  await desk.ask('getApproval', { id: 'apr_1', wait: 1 });
  await desk.ask('currentPolicy', {});
  assert.deepEqual(
    asked.map((request) => request.visit),
    ['sealed', 'sealed', 'sealed'],
  );
  for (const request of asked) assert.deepEqual([request.credential, request.isCharged], [credential, true]);
});

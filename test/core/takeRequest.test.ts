/** What the core itself refuses of a REST request, whichever gate has let it through. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { takeRequest } from '../../src/core/takeRequest.ts';
import { memoryNode } from '../support/memoryNode.ts';

test('what only the sandbox has does not exist on a production node, for an owner neither', async () => {
  const { deps } = await memoryNode();
  const key = deps.access.newApiKey();
  const asked = { name: 'demoCart', address: 'address 192.0.2.1', input: { value: {} } } as const;
  const credential = { kind: 'apiKey', hash: deps.hashToken(key) } as const;
  const inSandbox = await takeRequest(deps, { ...asked, credential });
  const inProduction = await takeRequest(
    { ...deps, keys: { ...deps.keys, demo: undefined } },
    { ...asked, credential },
  );
  const codeOf = ({ error }: typeof inSandbox) => (error?.kind === 'fault' ? error.code : error);
  assert.deepEqual([codeOf(inSandbox), codeOf(inProduction)], ['INVALID_API_KEY', 'NOT_FOUND']);
});

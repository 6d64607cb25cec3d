/** What is wrong with an input is said in words that a person can act on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { memoryNode } from '../../support/memoryNode.ts';

test('text for a number, and an address without a scheme, are answered with what they must be', async () => {
  const node = await memoryNode();
  await assert.rejects(node.run('listPayments', { limit: 'ten' }), { message: 'limit: must be a number' });
  await assert.rejects(node.run('createWebhook', { url: 'backend.example', events: ['intent.issued'] }), {
    message: /must be an address with its scheme, such as https:/,
  });
});

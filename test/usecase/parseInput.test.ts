/** What is wrong with an input is said in words that a person can act on. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everyEngine } from '../support/engines.ts';
import { memoryNode } from '../support/memoryNode.ts';
import { makeWorld } from '../support/world.ts';

test('text for a number, and an address without a scheme, are answered with what they must be', async () => {
  const node = await memoryNode();
  await assert.rejects(node.run('listPayments', { limit: 'ten' }), { message: 'limit: must be a number' });
  await assert.rejects(node.run('createWebhook', { url: 'backend.example', events: ['intent.issued'] }), {
    message: /must be an address with its scheme, such as https:/,
  });
});

test('a member that is missing, or of another kind, is named without a word of JavaScript', async () => {
  const node = await memoryNode();
  const refused = (input: object, message: string) =>
    assert.rejects(node.run('issueIntent', input as never), { message });
  const agentDid = 'did:key:z6MkhaXgBZDvotDkL5257faiztiGiC2QtKLGpbnnEGta2doK';
  const request = { maxAmount: 5, currency: 'USD' };
  await refused({ agentDid, request }, 'principalDid: is missing');
  await refused({ agentDid: 7, principalDid: agentDid, request }, 'agentDid: must be a text');
  await refused({ agentDid, principalDid: agentDid, request: 'all' }, 'request: must be an object');
  await refused(
    { agentDid, principalDid: agentDid, request: { ...request, maxAmount: '5' } },
    'request.maxAmount: must be a number',
  );
  await refused({ agentDid, principalDid: agentDid }, 'request: is missing');
  await assert.rejects(node.run('createApiKey', { name: 'x', permissions: 'read' } as never), {
    message: 'permissions: must be a list',
  });
});

test('a member that a cart lacks is named so at its path', async (t) => {
  const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  t.after(() => world.close());
  const { body } = await world.rest('POST', '/ap2/intents', world.intentBody(20));
  const cartVc = world.cart(20);
  const { items: _items, ...credentialSubject } = cartVc.credentialSubject as Record<string, unknown>;
  const sent = { intentVc: body.intentVc, cartVc: { ...cartVc, credentialSubject } };
  const { status, body: answer } = await world.rest('POST', '/ap2/carts/validate', sent);
  assert.equal(status, 400);
  assert.deepEqual(answer.error.details, [{ path: 'cartVc.credentialSubject.items', message: 'is missing' }]);
});

test('thousands of members at fault, or one with an endless name, are answered in a few lines', async (t) => {
  const world = await makeWorld(everyEngine()[0] as ReturnType<typeof everyEngine>[number]);
  t.after(() => world.close());
  const many = Object.fromEntries(Array.from({ length: 10_000 }, (_, at) => [`unknown_${at}`, at]));
  const long = { ['x'.repeat(200_000)]: 1 };
  const items = Array.from({ length: 900 }, () => ({ name: '', price: 'free', quantity: -1 }));
  const body = { intentVc: {}, cartVc: { credentialSubject: { merchant: 'shop.example', items } } };
  for (const [path, sent, expected] of [
    [
      '/ap2/admin/policies',
      { name: 'x', rules: { version: '2.0', ...many } },
      /unknown_0: is not a known member \(and 9999 more\)/,
    ],
    ['/ap2/admin/policies', { name: 'x', rules: { version: '2.0', ...long } }, /x{900}.*…/],
    ['/ap2/policies/simulate', { rules: { version: '2.0', ...many } }, /and \d+ more/],
    ['/ap2/carts/validate', body, /./],
    ['/ap2/intents', { request: many }, /./],
  ] as const) {
    const reply = await world.rest('POST', path, sent);
    assert.equal(reply.status, 400);
    assert.match(reply.body.error.message, expected);
    assert.ok(reply.text.length < 25_000, `${path}: ${reply.text.length} characters`);
    assert.ok((reply.body.error.details ?? []).length <= 20);
  }
  const said = await world.say('IntentMandate', { ...world.intentBody(1), request: many });
  assert.ok(JSON.stringify(said).length < 25_000);
});

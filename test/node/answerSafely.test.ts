/** A handler that fails unforeseen costs its own request an answer, and no other request. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { answerSafely } from '../../src/gates/shell/http.ts';

type Handle = (request: IncomingMessage, response: ServerResponse) => Promise<unknown>;

async function serving(t: TestContext, handle: Handle) {
  const logged: string[] = [];
  const server = createServer(answerSafely({ error: (event) => logged.push(event) }, handle));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  t.after(() => server.close());
  return { logged, ask: () => fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`) };
}

for (const [what, handle] of [
  ['rejects', async () => Promise.reject(new Error('a secret'))],
  [
    'throws at once',
    () => {
      throw new Error('a secret');
    },
  ],
] as const) {
  test(`a handler that ${what} is answered 500 without its reason, which is logged`, async (t) => {
    const { logged, ask } = await serving(t, handle);
    const response = await ask();
    assert.equal(response.status, 500);
    assert.doesNotMatch(await response.text(), /secret/);
    assert.deepEqual(logged, ['request.failed']);
  });
}

test('an answer that had begun is cut off', async (t) => {
  const { logged, ask } = await serving(t, async (_request, response) => {
    response.writeHead(200, { 'Content-Length': '10' }).write('half');
    throw new Error('broken');
  });
  await assert.rejects(async () => (await ask()).text());
  assert.deepEqual(logged, ['request.failed']);
});

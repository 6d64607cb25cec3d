/** What a guarded server is asked over HTTP ends when the stream of its answer does, and what it says wrong is a line of the log. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';

import { InMemoryTransport, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { z } from 'zod';
import { NoResult } from '../../../src/extensions/guard/pipe/purchases.ts';
import { UpstreamLink } from '../../../src/extensions/guard/pipe/upstreamLink.ts';

test('a call whose stream ends without an answer has none, and one that is answered before its end has that', async (t) => {
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      response.writeHead(200, { 'Content-Type': 'text/event-stream' });
      const isAnswered = request.headers['x-answered'] === 'yes';
      response.end(isAnswered ? 'data: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n\n' : ': nothing\n\n');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.after(() => server.close());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const call = async (answered: string) => {
    const transport = new StreamableHTTPClientTransport(url, { requestInit: { headers: { 'x-answered': answered } } });
    const link = new UpstreamLink('shop', transport, { onMessage: () => {}, onClose: () => {}, log: () => {} });
    t.after(() => link.close());
    await link.start();
    return link.request('tools/call', { name: 'buy' }).answer;
  };
  await assert.rejects(
    call('no'),
    (error: Error) => error instanceof NoResult && /without an answer/.test(error.message),
  );
  assert.deepEqual((await call('yes')).result, { content: [] });
});

test('a guard logs one line for a message that is not of MCP, also where a schema finds many faults in it', () => {
  const lines: string[] = [];
  const [transport] = InMemoryTransport.createLinkedPair();
  new UpstreamLink('shop', transport, { onMessage: () => {}, onClose: () => {}, log: (line) => lines.push(line) });
  transport.onerror?.(z.strictObject({ method: z.string() }).safeParse({ id: 1, result: null }).error as Error);
  transport.onerror?.(new Error('Unexpected token\nin JSON'));
  assert.deepEqual(lines, ['shop: a message came that is not JSON-RPC of MCP', 'shop: Unexpected token in JSON']);
});

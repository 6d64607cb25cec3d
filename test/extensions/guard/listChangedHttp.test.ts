/** The guard over HTTP, and stock clients that are told when the tools change: by the stream that a session has open, or by the one that they listen to. */
import assert from 'node:assert/strict';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { acceptTool } from '../../../src/extensions/guard/guardState.ts';
import { listenHttp } from '../../../src/extensions/guard/pipe/httpFront.ts';
import { ListenStreams } from '../../../src/extensions/guard/pipe/listenStreams.ts';
import { UpstreamLink } from '../../../src/extensions/guard/pipe/upstreamLink.ts';
import { until } from '../../support/until.ts';
import { guardedPipes } from './doubles/guardedClient.ts';
import { type DoubleTool, textResult, type Vendor, vendorServer } from './doubles/vendor.ts';

const look = (description: string): DoubleTool => ({ name: 'look', description, inputSchema: { type: 'object' } });
const [before, turned] = [look('Looks.'), look('Looks twice.')];

async function stage(t: TestContext, isOfToday: boolean) {
  t.mock.timers.enable({ apis: ['setInterval'] });
  const library: Vendor = { tools: [before], call: () => textResult('found') };
  const pipes = guardedPipes({ library }, { isOfToday });
  const server = await listenHttp(
    0,
    (front) => pipes.open(front),
    () => {},
  );
  t.after(() => server.close().closeAllConnections());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  let streams = 0;
  server.on('request', ({ method }) => {
    if (method === 'GET') streams += 1;
  });
  const connected = async () => {
    const heard: (string | undefined)[] = [];
    const client = new Client(
      { name: 'a model’s host', version: '1.0.0' },
      {
        versionNegotiation: { mode: isOfToday ? { pin: '2026-07-28' } : 'legacy' },
        listChanged: {
          tools: { debounceMs: 0, onChanged: (_error, tools) => void heard.push(tools?.[0]?.description) },
        },
      },
    );
    await client.connect(new StreamableHTTPClientTransport(url));
    if (!isOfToday) await until('its stream is open', async () => streams === 1, 12_000, 5);
    t.after(() => client.close());
    return { client, heard };
  };
  const accept = () => {
    acceptTool(pipes.state, 'library', turned as never);
    t.mock.timers.tick(30_000);
  };
  const heardOf = (heard: readonly unknown[]) =>
    until('the client hears', async () => heard.includes(turned.description), 12_000, 5);
  return { library, connected, accept, heardOf };
}

test('a client with a session hears by its stream that a tool was accepted', async (t) => {
  const { library, connected, accept, heardOf } = await stage(t, false);
  const { client, heard } = await connected();
  await client.listTools();
  library.tools = [turned];
  await client.listTools();
  accept();
  await heardOf(heard);
  assert.deepEqual(heard, [turned.description]);
});

test('two clients of protocol 2026-07-28 whose streams have one name each hear, and one goes on when the other is gone', async (t) => {
  const { library, connected, accept, heardOf } = await stage(t, true);
  const [one, other] = [await connected(), await connected()];
  await one.client.listTools();
  library.tools = [turned];
  await one.client.listTools({}, { cacheMode: 'refresh' });
  await until('both hear that it is held back', async () => one.heard.length + other.heard.length === 2, 12_000, 5);
  await one.client.close();
  accept();
  await heardOf(other.heard);
  assert.deepEqual([one.heard.length, other.heard.length], [1, 2]);
});

test('a server over HTTP tells by the stream that is listened to, which is closed when the client ends it and ends it when it breaks', async (t) => {
  const vendor: Vendor = { tools: [before], call: () => textResult('found') };
  const handler = createMcpHandler(() => vendorServer(vendor), { legacy: 'reject' });
  const open = new Set<ServerResponse>();
  const serve = toNodeHandler(handler);
  const server = createServer((request, response) => {
    open.add(response);
    response.on('close', () => open.delete(response));
    void serve(request as never, response);
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => server.close().closeAllConnections());
  const url = new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`);
  const lines: string[] = [];
  let streams: ListenStreams | undefined;
  const link: UpstreamLink = new UpstreamLink('shop', new StreamableHTTPClientTransport(url), {
    onMessage: (message) => void streams?.take(link, message),
    onClose: () => {},
    log: (line) => void lines.push(line),
  });
  await link.start();
  t.after(() => link.close());
  const sent: (string | undefined)[] = [];
  streams = new ListenStreams([link], ({ method }) => void sent.push(method));
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'a model’s host', version: '1.0.0' },
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const listen = (id: string) =>
    streams?.listen(
      {
        jsonrpc: '2.0',
        id,
        method: 'subscriptions/listen',
        params: { _meta, notifications: { promptsListChanged: true } },
      },
      id,
    );
  const has = (count: number) => until(`${count} messages came`, async () => sent.length >= count, 12_000, 5);
  const first = listen('one');
  await has(1);
  handler.notify.promptsChanged();
  await has(2);
  assert.deepEqual(sent, ['notifications/subscriptions/acknowledged', 'notifications/prompts/list_changed']);
  streams.cancel('one');
  await first;
  await until('the stream is closed', async () => open.size === 0, 12_000, 5);
  const second = listen('two');
  await has(3);
  for (const response of open) response.destroy();
  assert.equal((await second)?.result?.['resultType'], 'complete');
  assert.equal(lines.filter((line) => !/disconnected/.test(line)).length, 0, lines.join('\n'));
});

/** The guard over HTTP for today's stock client, which opens no session: before servers of today, over stdio, and before those of sessions alone. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { createServer, type Server as HttpServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { after, before, describe, test } from 'node:test';
import {
  Client,
  type ClientCapabilities,
  StreamableHTTPClientTransport,
  type VersionNegotiationMode,
} from '@modelcontextprotocol/client';
import { NodeStreamableHTTPServerTransport, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler } from '@modelcontextprotocol/server';
import { PROGRAM } from '../../support/command.ts';
import type { Loose } from '../../support/world.ts';
import { AGENT, statusOf, textOf } from './doubles/guardedClient.ts';
import { KEY, type NodeDouble, nodeDouble } from './doubles/nodeDouble.ts';
import { textResult, type Vendor, vendorServer } from './doubles/vendor.ts';

const TODAY = '2026-07-28';
const SHOP = resolve('test/extensions/guard/doubles/shop.mjs');
const RULE =
  '[[tool]]\nmatch = "buy"\namount = "$.amount"\nunit = "major"\ncurrency = "USD"\nmerchant = "shop.example"\nreference = "$.id"\n';

class Shop implements Vendor {
  readonly tools = [{ name: 'buy', description: 'Buys.', inputSchema: { type: 'object' as const } }];
  readonly sold: number[] = [];
  /** Waits until so many calls are there. */
  together = 1;
  #wake = () => {};
  readonly #all = new Promise<void>((done) => {
    this.#wake = done;
  });

  async call(_name: string, { amount }: Loose): Promise<object> {
    this.sold.push(amount);
    if (this.sold.length >= this.together) this.#wake();
    await this.#all;
    return textResult({ id: `o_${amount}` });
  }
}

/** A server of today alone, and one of sessions alone. */
const SERVERS: Readonly<Record<'today' | 'before', (shop: Vendor) => RequestListener>> = {
  today(shop) {
    const handler = createMcpHandler(() => vendorServer(shop), { legacy: 'reject' });
    const serve = toNodeHandler(handler);
    return (request, response) => void serve(request as never, response);
  },
  before(shop) {
    const sessions = new Map<string, NodeStreamableHTTPServerTransport>();
    return async (request, response) => {
      let transport = sessions.get(String(request.headers['mcp-session-id']));
      if (transport === undefined) {
        const made = new NodeStreamableHTTPServerTransport({
          sessionIdGenerator: () => `s${sessions.size}`,
          onsessioninitialized: (id) => void sessions.set(id, made),
        });
        transport = made;
        await vendorServer(shop).connect(made);
      }
      await transport.handleRequest(request, response);
    };
  },
};

describe('the guard over HTTP', () => {
  let double: NodeDouble;
  const ends: (() => unknown)[] = [];
  before(async () => {
    double = await nodeDouble();
  });
  after(async () => {
    for (const end of ends.reverse()) await end();
    await double.close();
  });

  async function listening(listener: RequestListener): Promise<string> {
    const server: HttpServer = createServer(listener);
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
    ends.push(() => server.close().closeAllConnections());
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
  }

  /** @returns its address */
  async function guarding(upstream: string, ...words: string[]): Promise<URL> {
    const file = join(mkdtempSync(join(tmpdir(), 'guard-')), 'guard.toml');
    const node = `agentDid = "${AGENT}"\n[node]\nurl = "${double.url}"\n`;
    writeFileSync(file, `${node}[[upstream]]\nname = "shop"\n${upstream}\n${RULE}`);
    const program = spawn(process.execPath, [PROGRAM, 'guard', '--config', file, '--port', '0', ...words], {
      env: { PATH: String(process.env['PATH']), COUNTERSIGN_API_KEY: KEY },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    ends.push(() => new Promise((done) => void program.once('exit', done).kill()));
    let printed = '';
    for await (const chunk of program.stdout) {
      printed += chunk;
      if (printed.includes('\n')) break;
    }
    return new URL(/http:\S+/.exec(printed)?.[0] ?? '');
  }

  async function connected(
    url: URL,
    mode: VersionNegotiationMode,
    authorization = 'Bearer sk_vendor',
    capabilities: ClientCapabilities = {},
  ) {
    const client = new Client(
      { name: 'a model’s host', version: '1.0.0' },
      { capabilities, versionNegotiation: { mode } },
    );
    const requestInit = { headers: { Authorization: authorization } };
    await client.connect(new StreamableHTTPClientTransport(url, { requestInit }));
    ends.push(() => client.close());
    const buy = async (amount: number): Promise<Loose> =>
      (await client.callTool({ name: 'buy', arguments: { amount } })) as Loose;
    return { client, buy };
  }

  test('serves clients of today before a server of today, each with its own answer, though their ids are the same', async () => {
    const shop = new Shop();
    const url = await guarding(`url = "${await listening(SERVERS.today(shop))}"`);
    const clients = await Promise.all([1, 2, 3].map(() => connected(url, { pin: TODAY })));
    shop.together = 3;
    const bought = await Promise.all(clients.map(({ buy }, number) => buy(number + 1)));
    assert.deepEqual(bought.map(statusOf), ['paid', 'paid', 'paid']);
    assert.deepEqual(
      bought.map((each) => JSON.parse(textOf(each)).id),
      ['o_1', 'o_2', 'o_3'],
    );
    assert.equal(clients[0]?.client.getNegotiatedProtocolVersion(), TODAY);
    assert.equal((await clients[0]?.client.listTools())?.tools.length, 1);
  });

  test('serves clients of today before one server over stdio, and starts it once for all of them', async () => {
    const url = await guarding('', '--', process.execPath, SHOP);
    const clients = await Promise.all([1, 2].map(() => connected(url, 'auto')));
    const ids: string[] = [];
    for (const { buy } of clients) ids.push(JSON.parse(textOf(await buy(2))).id);
    const processes = new Set(ids.map((id) => id.split('_')[1]));
    const versions = clients.map(({ client }) => client.getNegotiatedProtocolVersion());
    assert.deepEqual([processes.size, versions], [versions[0] === TODAY ? 1 : 2, [versions[0], versions[0]]]);
  });

  test('serves a client of today that knows sessions too before a server of sessions alone', async () => {
    const shop = new Shop();
    const url = await guarding(`url = "${await listening(SERVERS.before(shop))}"`);
    const { client, buy } = await connected(url, 'auto');
    assert.equal(statusOf(await buy(4)), 'paid');
    assert.notEqual(client.getNegotiatedProtocolVersion(), TODAY);
    assert.deepEqual(shop.sold, [4]);
  });

  test('sends another server what each client shows as its own key, and never another client’s', async () => {
    const shop = new Shop();
    const seen = new Map<unknown, Set<unknown>>();
    const serve = SERVERS.today(shop);
    const upstream = await listening((request, response) => {
      const { authorization } = request.headers;
      seen.set(authorization, (seen.get(authorization) ?? new Set()).add(request.headers['mcp-method']));
      serve(request, response);
    });
    const url = await guarding(`url = "${upstream}"`);
    for (const key of ['Bearer sk_one', 'Bearer sk_two']) {
      const { buy } = await connected(url, { pin: TODAY }, key);
      assert.equal(statusOf(await buy(5)), 'paid');
    }
    assert.deepEqual([...seen.keys()].sort(), ['Bearer sk_one', 'Bearer sk_two']);
  });

  test('lets a server of today ask its client, and reserves the purchase once', async () => {
    let rounds = 0;
    const asking: Vendor = {
      tools: new Shop().tools,
      call() {
        rounds += 1;
        if (rounds === 2) return textResult({ id: 'o_asked' });
        const params = { message: 'Which size?', requestedSchema: { type: 'object', properties: {} } };
        const inputRequests = { size: { method: 'elicitation/create', params } };
        return { resultType: 'input_required', inputRequests, requestState: 'state' };
      },
    };
    const url = await guarding(`url = "${await listening(SERVERS.today(asking))}"`);
    const { client, buy } = await connected(url, { pin: TODAY }, 'Bearer sk_asked', { elicitation: { form: {} } });
    client.setRequestHandler('elicitation/create', async () => ({ action: 'accept', content: {} }));
    const before = double.node.reservations.size;
    assert.equal(statusOf(await buy(7)), 'paid');
    assert.deepEqual([rounds, double.node.reservations.size - before], [2, 1]);
  });

  test('refuses a request whose header names another method than its body, and a body that is no JSON', async () => {
    const url = await guarding(`url = "${await listening(SERVERS.today(new Shop()))}"`);
    const post = (body: string, method: string) =>
      fetch(url, {
        method: 'POST',
        headers: {
          ...{ 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' },
          ...{ 'MCP-Protocol-Version': TODAY, 'Mcp-Method': method },
        },
        body,
      });
    const meta = {
      'io.modelcontextprotocol/protocolVersion': TODAY,
      'io.modelcontextprotocol/clientInfo': { name: 'x', version: '1' },
      'io.modelcontextprotocol/clientCapabilities': {},
    };
    const params = { name: 'buy', arguments: { amount: 6 }, _meta: meta };
    const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params });
    const told = double.node.told.length;
    assert.equal((await post(call, 'tools/list')).status, 400);
    assert.equal((await post('{', 'tools/call')).status, 400);
    assert.equal(double.node.told.length, told);
    assert.equal((await post(call, 'tools/call')).status, 200);
  });
});

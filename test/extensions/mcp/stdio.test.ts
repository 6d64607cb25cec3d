/** The tools over stdio, as a host starts them: nothing but the protocol on standard output, and a purchase with a touch. */
import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Client as FormerClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport as FormerTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js';
import { PROGRAM } from '../../support/command.ts';
import { everyEngine } from '../../support/engines.ts';
import { makePerson, type Person } from '../../support/person.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';

const ABOUT = { name: 'a model’s host', version: '1.0.0' };
const [sqlite] = everyEngine();

describe('countersign mcp', () => {
  let world: World;
  let person: Person;
  before(async () => {
    world = await makeWorld(sqlite as NonNullable<typeof sqlite>);
    person = makePerson(world);
    await person.enroll();
  });
  after(() => world.close());

  const started = () => ({
    command: process.execPath,
    args: [PROGRAM, 'mcp', '--url', world.node.address, '--agent', world.agent.did],
    env: { PATH: String(process.env['PATH']), COUNTERSIGN_API_KEY: ADMIN_KEY },
  });

  /** Buys with a touch by way of a host that opens pages. */
  async function buy(call: (name: string, input: object) => Promise<Loose>): Promise<void> {
    const intent = await call('request_intent', { maxAmount: 150, currency: 'USD', merchantDomain: 'shop.example' });
    assert.equal(intent.structuredContent.allowed, true, JSON.stringify(intent));
    const { intentId } = intent.structuredContent;
    const cart = await call('validate_cart', { intentId, cartVc: world.cart(150) });
    assert.equal(cart.structuredContent.allowed, true, JSON.stringify(cart));
    const paid = await call('pay', { approvalToken: cart.structuredContent.approvalToken });
    assert.equal(paid.structuredContent.allowed, true, JSON.stringify(paid));
  }

  const touch = async (url: string) => {
    await person.decide(url.slice(url.lastIndexOf('/') + 1));
    return { action: 'accept' as const };
  };

  test('a stock client of today’s protocol buys', async () => {
    const client = new Client(ABOUT, {
      versionNegotiation: { mode: 'auto' },
      capabilities: { elicitation: { url: {} } },
    });
    client.setRequestHandler('elicitation/create', async ({ params }: Loose) => touch(params.url));
    await client.connect(new StdioClientTransport(started()));
    assert.equal(client.getNegotiatedProtocolVersion(), '2026-07-28');
    await buy((name, input) => client.callTool({ name, arguments: input as never }));
    await client.close();
  });

  test('a stock client of the protocol before buys, asked by the server in the middle of the call', async () => {
    const client = new FormerClient(ABOUT, { capabilities: { elicitation: { url: {} } } });
    client.setRequestHandler(ElicitRequestSchema, async ({ params }: Loose) => touch(params.url));
    await client.connect(new FormerTransport(started()));
    await buy((name, input) => client.callTool({ name, arguments: input as never }));
    await client.close();
  });

  test('the agent is the one that the key is bound to, whichever name the key has in the environment', async () => {
    const { key } = (
      await world.rest('POST', '/ap2/admin/api-keys', {
        name: 'for one',
        permissions: ['read', 'write'],
        agents: [world.agent.did],
      })
    ).body;
    for (const name of ['COUNTERSIGN_API_KEY', 'COUNTERSIGN_KEY']) {
      const { command, args } = started();
      const client = new Client(ABOUT, { versionNegotiation: { mode: 'auto' } });
      const env = { PATH: String(process.env['PATH']), [name]: key };
      await client.connect(new StdioClientTransport({ command, args: args.slice(0, args.indexOf('--agent')), env }));
      const input = { maxAmount: 5, currency: 'USD', merchantDomain: 'shop.example' };
      const intent: Loose = await client.callTool({ name: 'request_intent', arguments: input });
      assert.equal(intent.structuredContent?.allowed, true, `${name}: ${JSON.stringify(intent)}`);
      await client.close();
    }
  });

  test('standard output carries JSON-RPC alone, also when the node cannot be reached', async () => {
    const { command, args, env } = started();
    const child = spawn(command, args.with(args.indexOf(world.node.address), 'http://127.0.0.1:9'), { env });
    let out = '';
    child.stdout.setEncoding('utf8').on('data', (piece) => {
      out += piece;
    });
    const ended = new Promise((resolve) => child.once('exit', resolve));
    const say = (id: number, method: string, params: object) =>
      child.stdin.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
    say(1, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: ABOUT });
    say(2, 'tools/call', { name: 'policy_explain', arguments: {} });
    const answers = () => out.split('\n').filter((line) => line !== '');
    while (answers().length < 2) await new Promise((resolve) => child.stdout.once('data', resolve));
    child.stdin.end();
    assert.equal(await ended, 0);
    const [first, second] = answers().map((line) => JSON.parse(line) as Loose);
    assert.equal(first.result.serverInfo.name, 'countersign');
    assert.equal(second.result.isError, true);
    assert.match(second.result.content[0].text, /^UNAVAILABLE: /);
  });

  test('without a key it says so, and does not start', async () => {
    const child = spawn(process.execPath, [PROGRAM, 'mcp'], { env: { PATH: process.env['PATH'] } });
    let told = '';
    child.stderr.setEncoding('utf8').on('data', (piece) => {
      told += piece;
    });
    assert.equal(await new Promise((resolve) => child.once('exit', resolve)), 2);
    assert.match(told, /Give a key of the node by --key or COUNTERSIGN_API_KEY/);
  });
});

/** A node on one engine with what a test needs to buy something: an agent, a merchant, both gates. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Client, countersign } from '../../client/index.ts';
import { readConfig } from '../../src/node/config/config.ts';
import { type Node, startNode } from '../../src/node/startNode.ts';
import { contractAt, JSON_TYPE } from './contract.ts';
import type { Engine } from './engines.ts';
import { EXTENSIONS } from './extensionsOn.ts';
import { isProvenBy, type Json, type JsonObject, makeCartOfOne, makeMessage, makePeer, type Peer } from './peer.ts';

export const ADMIN_KEY = `ak_test_${'A'.repeat(32)}`;
export const SHOP = 'shop.example';

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly body: Loose;
}

/** JSON as a test reads it: any member may be asked for, and the assertion that reads it says if it was there. */
// biome-ignore lint/suspicious/noExplicitAny: answers are looked into freely, in tests only
export type Loose = any;

export interface World {
  readonly engine: Engine['name'];
  readonly node: Node;
  readonly agent: Peer;
  readonly merchant: Peer;
  readonly principal: Peer;
  /** A request over REST with the admin key, or with headers of the caller's own; the document must know its answer. */
  rest(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** The typed client with the admin key; the document must know the answers it gets. */
  readonly client: Client;
  /** A JSON-RPC call over A2A. */
  rpc(body: unknown, headers?: Record<string, string>): Promise<Reply>;
  /** Sends a signed message and returns the JSON-RPC answer, its proof checked. */
  say(type: string, body: Json, options?: { from?: Peer; id?: string; contextId?: string }): Promise<Loose>;
  intentBody(
    amount: number,
    options?: { domain?: string; agent?: Peer; principal?: Peer; idempotencyKey?: string },
  ): JsonObject;
  cart(amount: number, options?: { domain?: string; merchant?: Peer }): JsonObject;
  /** Registers another agent. */
  newAgent(name?: string): Promise<Peer>;
  /** How far the world's nodes are ahead of this machine's clock. */
  readonly clock: { aheadMs: number };
  /** Stops the node, and starts another in its place at the same address. @param changed of its settings, from then on */
  restart(changed?: Record<string, string>): Promise<void>;
  /** Starts another node on the same database and key, to be stopped before the world is closed. */
  another(stopMs?: number): Promise<Node>;
  close(): Promise<void>;
}

export async function makeWorld(
  engine: Pick<Engine, 'name' | 'prepare'>,
  env: Record<string, string> = {},
): Promise<World> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-test-'));
  const database = await engine.prepare(dataDir);
  let settings: Record<string, string> = {
    DATA_DIR: dataDir,
    PORT: '0',
    LOG_LEVEL: 'error',
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
    ...database.env,
    GATES,
    EXTENSIONS,
    ...env,
  };
  const clock = { aheadMs: 0 };
  const now = () => Date.now() + clock.aheadMs;
  let node = await startNode(readConfig(settings), { time: now });
  // As a start by the command line does, so that the next one is no first one.
  await node.keyShown();
  const agent = makePeer();
  const merchant = makePeer();
  const principal = makePeer();

  const send = async (method: string, path: string, body: unknown, headers: Record<string, string>) => {
    const payload = body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) };
    const response = await fetch(node.address + path, { method, headers, ...payload });
    const text = await response.text();
    const json = JSON_TYPE.test(response.headers.get('content-type') ?? '') && text !== '';
    return { status: response.status, headers: response.headers, text, body: json ? JSON.parse(text) : text } as Reply;
  };
  const checkedFetch = async (url: string, init: RequestInit) => {
    const response = await fetch(url, init);
    const { status, headers } = response;
    const answer = { status, contentType: headers.get('content-type'), text: await response.clone().text() };
    (await contractAt(node.address, settings['EXTENSIONS'])).check(
      String(init.method),
      url.slice(node.address.length),
      answer,
    );
    return response;
  };
  const typed = (body: unknown) => (body === undefined ? {} : { 'Content-Type': 'application/json' });
  const world: World = {
    engine: engine.name,
    get node() {
      return node;
    },
    agent,
    merchant,
    principal,
    async rest(method, path, body, headers = { Authorization: `Bearer ${ADMIN_KEY}` }) {
      const reply = await send(method, path, body, { ...typed(body), ...headers });
      const contract = await contractAt(node.address, settings['EXTENSIONS']);
      contract.check(method, path, { ...reply, contentType: reply.headers.get('content-type') });
      return reply;
    },
    client: countersign({
      baseUrl: node.address,
      credential: { apiKey: ADMIN_KEY },
      fetch: checkedFetch as typeof fetch,
      attempts: 1,
    }),
    rpc: (body, headers = {}) => send('POST', '/a2a/gateway', body, { ...typed(body), ...headers }),
    async say(type, body, options = {}) {
      const { from = agent, ...rest } = options;
      const message = makeMessage(from, { type, to: node.deps.issuer.did, body, ...rest });
      const { status, body: answer } = await world.rpc({
        jsonrpc: '2.0',
        id: 'call-1',
        method: 'a2a/message',
        params: { message },
      });
      assert.equal(status, 200);
      assert.equal(answer.id, 'call-1');
      if (answer.result !== undefined) {
        const reply = answer.result.message;
        assert.ok(isProvenBy(node.deps.issuer.did, reply, 'authentication'), 'the answer must be signed by the node');
        assert.equal(reply.to, from.did);
        assert.equal(reply.inReplyTo, message.id);
      }
      return answer;
    },
    intentBody(amount, options = {}) {
      return {
        agentDid: (options.agent ?? agent).did,
        principalDid: (options.principal ?? principal).did,
        request: { maxAmount: amount, currency: 'USD', vendorHints: { domain: options.domain ?? SHOP } },
        ...(options.idempotencyKey === undefined ? {} : { idempotencyKey: options.idempotencyKey }),
      };
    },
    cart: (amount, options = {}) => makeCartOfOne(options.merchant ?? merchant, options.domain ?? SHOP, amount),
    async newAgent(name = 'another agent') {
      const peer = makePeer();
      const reply = await world.rest('POST', '/ap2/agents', { name, publicKey: peer.publicKey });
      assert.equal(reply.status, 201, reply.text);
      return peer;
    },
    clock,
    async restart(changed = {}) {
      const { address, baseUrl } = node;
      await node.stop();
      settings = { ...settings, ...changed };
      node = await startNode(readConfig({ ...settings, PORT: new URL(address).port, BASE_URL: baseUrl }), {
        time: now,
      });
    },
    another: (stopMs) => startNode(readConfig({ ...settings, BASE_URL: node.baseUrl }), { time: now, stopMs }),
    async close() {
      await node.stop();
      await database.drop();
      await rm(dataDir, { recursive: true, force: true });
    },
  };
  const registered = await world.rest('POST', '/ap2/agents', { name: 'test agent', publicKey: agent.publicKey });
  assert.equal(registered.status, 201, registered.text);
  const bound = await world.rest('POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
  assert.equal(bound.status, 201, bound.text);
  return world;
}

/** The gate is in the core's thread, where a test starts soonest, unless GATES says otherwise; test/node/gates.test.ts plays both. */
export const GATES = process.env['GATES'] ?? '0';

/** kill -9 while webhooks are being delivered: every event arrives, or fails after exactly six attempts; none is lost. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ChildNode, startChild } from '../support/child.ts';
import { everyEngine } from '../support/engines.ts';
import { makePeer } from '../support/peer.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { rounds } from '../support/rounds.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

const KILLS = rounds(20);
const RECEIVERS = 50;
/** Of these, so many never take anything. */
const BROKEN = 5;
const EVENTS = 5 * KILLS;
const IN_FLIGHT_MS = 15;

for (const engine of everyEngine()) {
  describe(`a node on ${engine.name} killed ${KILLS} times during ${RECEIVERS * EVENTS} deliveries`, () => {
    test('loses none of them', async () => {
      const database = await engine.open();
      await database.store.close();
      const dataDir = await mkdtemp(join(tmpdir(), 'countersign-webhook-crash-'));
      const receiver = await startReceiver();
      receiver.answer = (response, { path }) => {
        setTimeout(() => {
          response.statusCode = isBroken(path) ? 500 : 200;
          response.end();
        }, IN_FLIGHT_MS);
      };
      const env = {
        DATA_DIR: dataDir,
        BOOTSTRAP_API_KEY: ADMIN_KEY,
        SANDBOX_RATE_PER_MINUTE: '100000000',
        SANDBOX_BURST: '100000000',
        WEBHOOK_RETRY_SECONDS: '0,0,0,0,0,0',
        ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
      };
      try {
        let node = await startChild(env);
        await subscribeAll(node, receiver);
        const registered = new Set<string>();
        for (let kill = 0; kill < KILLS; kill++) {
          await registerSome(node, registered, EVENTS / KILLS);
          // Some of it has arrived, some is under way, most waits: another mixture each time.
          const before = receiver.received.length;
          await receiver.wait(before + 10 + kill * 10, undefined, 8000).catch(() => {});
          await node.kill();
          node = await startChild(env);
        }
        assert.equal(registered.size, EVENTS);
        await emptied(node);
        await judge(node, receiver, registered);
        assert.equal(await node.stop(), 0);
      } finally {
        await receiver.close();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  });
}

const isBroken = (path: string): boolean => Number(path.slice(1)) < BROKEN;

async function ask(node: ChildNode, method: string, path: string, body?: unknown): Promise<Loose> {
  const response = await fetch(node.address + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  assert.ok(response.ok, text);
  return response.headers.get('content-type')?.includes('json') ? JSON.parse(text) : text;
}

async function subscribeAll(node: ChildNode, receiver: Receiver): Promise<void> {
  for (let index = 0; index < RECEIVERS; index++) {
    const body = { url: `${receiver.url}/${index}`, events: ['agent.created'] };
    await ask(node, 'POST', '/ap2/admin/webhooks', body);
  }
}

/** Registers agents, each an event for every receiver, noting what was acknowledged. */
async function registerSome(node: ChildNode, registered: Set<string>, count: number): Promise<void> {
  for (let index = 0; index < count; index++) {
    const { did } = await ask(node, 'POST', '/ap2/agents', { name: 'agent', publicKey: makePeer().publicKey });
    registered.add(did);
  }
}

/** Waits until the node says that nothing is left to deliver. */
async function emptied(node: ChildNode): Promise<void> {
  for (let waited = 0; waited < 60_000; waited += 100) {
    const metrics: string = await ask(node, 'GET', '/metrics');
    if (/^countersign_webhook_outbox 0$/m.test(metrics)) return;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  assert.fail('deliveries are left in the outbox');
}

async function judge(node: ChildNode, receiver: Receiver, registered: Set<string>): Promise<void> {
  const arrived = new Set(receiver.received.map(({ path, event }) => `${path} ${event.data.agentDid}`));
  const attempts = new Map<string, Loose[]>();
  for (let cursor = ''; ; ) {
    const page = await ask(node, 'GET', `/ap2/admin/webhooks/logs?limit=200${cursor}`);
    for (const log of page.logs) {
      const key = `${log.webhookId} ${log.eventId}`;
      attempts.set(key, [...(attempts.get(key) ?? []), log]);
    }
    if (!page.hasMore) break;
    cursor = `&cursor=${page.cursor}`;
  }
  for (let index = 0; index < RECEIVERS; index++) {
    for (const did of registered) assert.ok(arrived.has(`/${index} ${did}`), `${did} never came to receiver ${index}`);
  }
  assert.equal(attempts.size, RECEIVERS * EVENTS, 'every delivery is in the log');
  for (const [key, logs] of attempts) {
    const numbers = logs.map(({ attempt }) => attempt).reverse();
    const expected = isBroken(new URL(logs[0].url).pathname) ? [1, 2, 3, 4, 5, 6] : [1];
    assert.deepEqual(numbers, expected, key);
    assert.equal(logs[0].outcome, expected.length === 6 ? 'failed' : 'delivered', key);
  }
}

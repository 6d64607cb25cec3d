/** kill -9 under load: what was acknowledged is there, the chain holds, nothing is paid twice. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ChildNode, startChild } from '../support/child.ts';
import type { Engine } from '../support/engines.ts';
import { noteFigure } from '../support/figures.ts';
import { type JsonObject, makeCart, makePeer, type Peer } from '../support/peer.ts';
import { rounds } from '../support/rounds.ts';
import { ADMIN_KEY, everyEngine, type Loose } from '../support/world.ts';

const CLIENTS = 16;
/** Kills in all; the cheaper engine takes more. */
const KILLS = { sqlite: rounds(1200), postgres: rounds(800) } as const;
/** After so many kills their chain is read from its first event to its last, and a new database begins. */
const KILLS_A_DATABASE = 100;

interface Acknowledged {
  readonly intents: Set<string>;
  readonly approvals: Set<string>;
  readonly payments: Map<string, string>;
}

describe('kill -9', { concurrency: true }, () => {
  for (const engine of everyEngine()) {
    const kills = KILLS[engine.name];
    test(`on ${engine.name} ${kills} times under ${CLIENTS} buying clients loses nothing and pays nothing twice`, async () => {
      const startedAt = performance.now();
      let payments = 0;
      for (let done = 0; done < kills; done += KILLS_A_DATABASE) {
        payments += await killUnderLoad(engine, Math.min(KILLS_A_DATABASE, kills - done));
      }
      const minutes = Math.ceil((performance.now() - startedAt) / 60_000);
      noteFigure(
        `kill -9 of a buying node on ${engine.name}`,
        `${kills} kills, ${CLIENTS} clients, ${payments} acknowledged payments: none lost, none paid twice, ` +
          `every chain holds; ${minutes} min`,
      );
    });
  }
});

/** @returns how many payments were acknowledged */
async function killUnderLoad(engine: Engine, kills: number): Promise<number> {
  const dataDir = await mkdtemp(join(tmpdir(), 'countersign-crash-'));
  const database = await engine.open();
  await database.store.close();
  const env = {
    DATA_DIR: dataDir,
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
    ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
  };
  const seen: Acknowledged = { intents: new Set(), approvals: new Set(), payments: new Map() };
  const merchant = makePeer();
  const agents = Array.from({ length: CLIENTS }, () => makePeer());
  try {
    for (let cycle = 0; cycle < kills; cycle++) {
      const node = await startChild(env);
      if (cycle === 0) await setUp(node, merchant, agents);
      const clients = agents.map((agent) => buyUntilDead(node, agent, merchant, seen));
      await someAcknowledged(seen, 4);
      await new Promise((resolve) => setTimeout(resolve, (cycle * 37) % 250));
      await node.kill();
      await Promise.all(clients);
    }
    assert.ok(seen.payments.size >= 4 * kills, `only ${seen.payments.size} payments were acknowledged`);
    await judge(env, seen);
    return seen.payments.size;
  } finally {
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  }
}

async function ask(
  node: ChildNode,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Loose }> {
  const response = await fetch(node.address + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Waits until some more payments were acknowledged, however slow the machine is, so that every cycle counts. */
async function someAcknowledged(seen: Acknowledged, more: number): Promise<void> {
  const wanted = seen.payments.size + more;
  for (let waited = 0; seen.payments.size < wanted && waited < 10_000; waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

async function setUp(node: ChildNode, merchant: Peer, agents: readonly Peer[]): Promise<void> {
  await ask(node, 'POST', '/ap2/admin/merchants', { domain: 'shop.example', did: merchant.did });
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
  assert.equal((await ask(node, 'POST', '/ap2/admin/policies', { name: 'open', rules })).status, 201);
  for (const agent of agents) {
    const added = await ask(node, 'POST', '/ap2/agents', { name: 'buyer', publicKey: agent.publicKey });
    assert.equal(added.status, 201);
  }
}

/** Buys until the node is gone, noting only what was acknowledged in full. */
async function buyUntilDead(node: ChildNode, agent: Peer, merchant: Peer, seen: Acknowledged): Promise<void> {
  const offer = {
    domain: 'shop.example',
    items: [{ name: 'Thing', price: 5, quantity: 1 }],
    total: 5,
    currency: 'USD',
  };
  try {
    for (;;) {
      const request = { maxAmount: 5, currency: 'USD', vendorHints: { domain: 'shop.example' } };
      const body: JsonObject = { agentDid: agent.did, principalDid: agent.did, request };
      const intent = await ask(node, 'POST', '/ap2/intents', body);
      assert.equal(intent.body.allowed, true, JSON.stringify(intent.body));
      const intentId = intent.body.intentVc.credentialSubject.mandateId;
      seen.intents.add(intentId);
      const cartVc = makeCart(merchant, offer);
      const cart = await ask(node, 'POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
      assert.equal(cart.body.allowed, true, JSON.stringify(cart.body));
      seen.approvals.add(intentId);
      const { approvalToken } = cart.body;
      const payment = await ask(node, 'POST', '/ap2/payments/mandate', { approvalToken });
      assert.equal(payment.body.railResponse.status, 'requires_capture', JSON.stringify(payment.body));
      seen.payments.set(payment.body.pmVc.credentialSubject.mandateId, intentId);
    }
  } catch (error) {
    // A connection that broke is the point of the exercise; anything else is not.
    if (error instanceof assert.AssertionError) throw error;
  }
}

async function judge(env: Record<string, string>, seen: Acknowledged): Promise<void> {
  const node = await startChild(env);
  try {
    const payments = await settled(node);
    const paidIntents = payments.map((payment: Loose) => payment.intentId);
    assert.equal(new Set(paidIntents).size, paidIntents.length, 'an intent was paid twice');
    const byId = new Map(payments.map((payment: Loose) => [payment.mandateId as string, payment]));
    for (const [mandateId, intentId] of seen.payments) {
      assert.equal(byId.get(mandateId)?.status, 'AUTHORIZED', `payment ${mandateId} was acknowledged and is lost`);
      assert.equal(byId.get(mandateId)?.intentId, intentId);
    }
    const exported = await ask(node, 'GET', '/ap2/evidence/export');
    assert.equal(exported.body.chainValid, true);
    const of = (type: string, member: string) =>
      exported.body.events
        .filter((event: Loose) => event.eventType === type)
        .map((event: Loose) => String(event.data[member]));
    const issued = new Set(of('INTENT_ISSUED', 'mandateId'));
    const validated = new Set(of('CART_VALIDATED', 'intentId'));
    for (const id of seen.intents) assert.ok(issued.has(id), `intent ${id} was acknowledged and is lost`);
    for (const id of seen.approvals) assert.ok(validated.has(id), `approval of ${id} was acknowledged and is lost`);
    const authorized = of('PAYMENT_AUTHORIZED', 'mandateId');
    assert.equal(new Set(authorized).size, authorized.length, 'a payment was authorized twice');
    assert.equal(authorized.length, payments.length, 'every mandate was settled');
  } finally {
    await node.stop();
  }
}

/** All payments, once the worker has settled what the crashes left open. */
async function settled(node: ChildNode): Promise<Loose[]> {
  for (let waited = 0; ; waited += 500) {
    const payments: Loose[] = [];
    for (let cursor = ''; ; ) {
      const page = await ask(node, 'GET', `/ap2/payments?limit=200${cursor}`);
      payments.push(...page.body.data);
      if (!page.body.hasMore) break;
      cursor = `&cursor=${page.body.cursor}`;
    }
    const open = payments.filter((payment: Loose) => payment.status === 'PENDING' || payment.status === 'UNKNOWN');
    if (open.length === 0) return payments;
    assert.ok(waited < 15_000, `${open.length} payments stay open`);
    await new Promise((resolve) => setTimeout(resolve, 500));
  }
}

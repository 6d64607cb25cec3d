/** Clients who buy from a node without a pause until it is gone, and what of that must be there afterwards. */
import assert from 'node:assert/strict';
import { type ChildNode, startChild } from './child.ts';
import { type JsonObject, makeCart, type Peer } from './peer.ts';
import { ADMIN_KEY, type Loose } from './world.ts';

export interface Acknowledged {
  readonly intents: Set<string>;
  readonly approvals: Set<string>;
  /** By the id of the payment, that of its intent. */
  readonly payments: Map<string, string>;
  /** What clients were told when the node could not answer. */
  readonly refusals: string[];
}

export function nothingYet(): Acknowledged {
  return { intents: new Set(), approvals: new Set(), payments: new Map(), refusals: [] };
}

class Unavailable extends Error {}

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
  if (response.status === 503) throw new Unavailable(text);
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** Waits until some more payments were acknowledged, however slow the machine is, so that every cycle counts. */
export async function someAcknowledged(seen: Acknowledged, more: number): Promise<void> {
  const wanted = seen.payments.size + more;
  for (let waited = 0; seen.payments.size < wanted && waited < 10_000; waited += 10) {
    await new Promise((resolve) => setTimeout(resolve, 10));
  }
}

/** Registers the merchant and those who buy. */
export async function setUp(node: ChildNode, merchant: Peer, agents: readonly Peer[]): Promise<void> {
  await ask(node, 'POST', '/ap2/admin/merchants', { domain: 'shop.example', did: merchant.did });
  const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' } };
  assert.equal((await ask(node, 'POST', '/ap2/admin/policies', { name: 'open', rules })).status, 201);
  for (const agent of agents) {
    const added = await ask(node, 'POST', '/ap2/agents', { name: 'buyer', publicKey: agent.publicKey });
    assert.equal(added.status, 201);
  }
}

/** Buys until the node is gone, or says that it is unavailable, noting only what was acknowledged in full. */
export async function buyUntilDead(node: ChildNode, agent: Peer, merchant: Peer, seen: Acknowledged): Promise<void> {
  try {
    for (;;) await buyOnce(node, agent, merchant, seen);
  } catch (error) {
    // A connection that broke is the point of the exercise; anything else is not.
    if (error instanceof assert.AssertionError) throw error;
    if (error instanceof Unavailable) seen.refusals.push(error.message);
  }
}

/** Buys until it is told to stop, through all the times in which the node is unavailable. */
export async function buyUntil(
  end: AbortSignal,
  node: ChildNode,
  agent: Peer,
  merchant: Peer,
  seen: Acknowledged,
): Promise<void> {
  while (!end.aborted) {
    try {
      await buyOnce(node, agent, merchant, seen);
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      seen.refusals.push(error.message);
      await new Promise((resolve) => setTimeout(resolve, 10));
    }
  }
}

async function buyOnce(node: ChildNode, agent: Peer, merchant: Peer, seen: Acknowledged): Promise<void> {
  const items = [{ name: 'Thing', price: 5, quantity: 1 }];
  const offer = { domain: 'shop.example', items, total: 5, currency: 'USD' };
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

/** Starts the node again, and looks whether all that was acknowledged is there, once. */
export async function judge(env: Record<string, string>, seen: Acknowledged): Promise<void> {
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

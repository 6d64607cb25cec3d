/**
 * Many purchases for each way in which Stripe can fail to answer, and kill -9 during each: one payment intent for
 * each mandate, the same end on both sides, nothing reserved for ever.
 */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ChildNode, freePort, startChild } from '../../support/child.ts';
import { everyEngine } from '../../support/engines.ts';
import { makeCart, makePeer, type Peer } from '../../support/peer.ts';
import { rounds } from '../../support/rounds.ts';
import {
  FAULTS,
  type StripeDouble,
  type StripeFault,
  type StripeRequest,
  startStripe,
} from '../../support/stripe/double.ts';
import { until } from '../../support/until.ts';
import { ADMIN_KEY, type Loose, SHOP } from '../../support/world.ts';

const PURCHASES = rounds(50, 10);
/** Of these, so many are paid with a card that is declined. */
const DECLINED = PURCHASES / 5;
const PRICE = 5;
const LIMIT = 1000;
const TROUBLES = [...FAULTS, 'duplicated', 'reordered'] as const;
type Trouble = (typeof TROUBLES)[number];
/** Restarts cost most of the time, so some troubles come at once. */
const AT_ONCE = 3;
const ROUNDS = Array.from({ length: TROUBLES.length / AT_ONCE }, (_, round) =>
  TROUBLES.slice(round * AT_ONCE, (round + 1) * AT_ONCE),
);

for (const engine of everyEngine()) {
  describe(`Stripe failing to answer a node on ${engine.name}`, () => {
    test(`${PURCHASES} purchases in each of ${TROUBLES.length} ways, with a kill -9 during each, all come to one end`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'countersign-stripe-'));
      const database = await engine.open();
      await database.store.close();
      const stripe = await startStripe();
      const port = await freePort();
      const env = {
        DATA_DIR: dataDir,
        BOOTSTRAP_API_KEY: ADMIN_KEY,
        SANDBOX_RATE_PER_MINUTE: '100000000',
        SANDBOX_BURST: '100000000',
        PORT: String(port),
        RAIL_TIMEOUT_SECONDS: '1',
        RAIL_RETRY_SECONDS: '0',
        ...stripe.env(),
        ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
      };
      let node = await startChild(env);
      stripe.webhooks.target = `${node.address}/ap2/rails/stripe/events`;
      const merchant = makePeer();
      await setUp(node, merchant);
      const troubleOf = troubles(stripe);
      const agents: Peer[] = [];
      const reached = watcher(node.address);
      const buying: Promise<void>[] = [];
      try {
        for (const [round, current] of ROUNDS.entries()) {
          troubleOf.current = current;
          const before = stripe.requests.length;
          for (let count = 0; count < AT_ONCE; count++) {
            const agent = await makeAgent(node);
            agents.push(agent);
            const tokens = await approvals(node, agent, merchant);
            buying.push(...tokens.map((token, number) => buy(node.address, token, number, reached)));
          }
          // Some are answered, some under way, some not begun: another mixture each time.
          const some = (1.6 + 1.2 * round) * PURCHASES;
          await until('some of it', async () => stripe.requests.length >= before + some, 20_000);
          await node.kill();
          node = await startChild(env);
        }
        await Promise.all(buying);
        reached.stop();
        await stripe.webhooks.settled();
        await judge(node, stripe, agents);
        assert.equal(await node.stop(), 0);
      } finally {
        reached.stop();
        await node.kill();
        await stripe.close();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  });
}

/** Gives each payment one of the troubles of the time when Stripe first hears of it, on its first requests of a kind. */
function troubles(stripe: StripeDouble): { current: readonly Trouble[] } {
  const chosen = { current: [] as readonly Trouble[] };
  const byMandate = new Map<string, Trouble | undefined>();
  stripe.faultOf = (request: StripeRequest): StripeFault | undefined => {
    const mandate = request.key?.split(':')[0];
    if (mandate === undefined) return undefined;
    if (!byMandate.has(mandate)) byMandate.set(mandate, chosen.current[byMandate.size % AT_ONCE]);
    const trouble = byMandate.get(mandate);
    stripe.webhooks.delivery = trouble === 'duplicated' || trouble === 'reordered' ? trouble : 'once';
    if (trouble === undefined || trouble === 'duplicated' || trouble === 'reordered') return undefined;
    // The package itself repeats a request whose connection was closed, so that one closing is not enough.
    return request.nth <= (trouble.startsWith('close') ? 2 : 1) ? trouble : undefined;
  };
  return chosen;
}

async function ask(
  address: string,
  method: string,
  path: string,
  body?: unknown,
): Promise<{ status: number; body: Loose }> {
  const response = await fetch(address + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
}

/** As an agent does: the same request again, under the same key, until there is an answer. */
async function insist(address: string, method: string, path: string, body?: unknown): Promise<Loose> {
  for (let waited = 0; waited < 60_000; waited += 250) {
    const reply = await ask(address, method, path, body).catch(() => undefined);
    if (reply?.status === 200) return reply.body;
    if (reply !== undefined && reply.status !== 409 && reply.status !== 503) assert.fail(JSON.stringify(reply));
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  return assert.fail(`${path} got no answer`);
}

async function setUp(node: ChildNode, merchant: Peer): Promise<void> {
  await ask(node.address, 'POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
  const rules = { version: '2.0', spend: { amount_cap: LIMIT, currency: 'USD' } };
  assert.equal((await ask(node.address, 'POST', '/ap2/admin/policies', { name: 'open', rules })).status, 201);
}

async function makeAgent({ address }: ChildNode): Promise<Peer> {
  const agent = makePeer();
  const added = await ask(address, 'POST', '/ap2/agents', { name: 'buyer', publicKey: agent.publicKey });
  assert.equal(added.status, 201);
  const velocity = { maxAmount: LIMIT, timeWindow: '24h' };
  await ask(address, 'PUT', `/ap2/admin/agents/${agent.did}/velocity`, velocity);
  return agent;
}

async function intend(address: string, agent: Peer, maxAmount: number): Promise<Loose> {
  const request = { maxAmount, currency: 'USD', vendorHints: { domain: SHOP } };
  const intent = { agentDid: agent.did, principalDid: agent.did, request };
  return (await ask(address, 'POST', '/ap2/intents', intent)).body;
}

function approvals({ address }: ChildNode, agent: Peer, merchant: Peer): Promise<string[]> {
  const items = [{ name: 'Thing', price: PRICE, quantity: 1 }];
  return Promise.all(
    Array.from({ length: PURCHASES }, async () => {
      const { intentVc } = await intend(address, agent, PRICE);
      const cartVc = makeCart(merchant, { domain: SHOP, items, total: PRICE, currency: 'USD' });
      const cart = await ask(address, 'POST', '/ap2/carts/validate', { intentVc, cartVc });
      assert.equal(cart.body.allowed, true, JSON.stringify(cart.body));
      return cart.body.approvalToken;
    }),
  );
}

/** Pays and captures, through every restart. */
async function buy(address: string, approvalToken: string, number: number, watch: Watcher): Promise<void> {
  const instrument = number < DECLINED ? 'pm_card_visa_chargeDeclined' : 'pm_card_visa';
  const mandate = { approvalToken, instrument, idempotencyKey: approvalToken };
  const paid = await insist(address, 'POST', '/ap2/payments/mandate', mandate);
  const { mandateId } = paid.pmVc.credentialSubject;
  if (number < DECLINED) return watch.until(mandateId, 'FAILED');
  if (paid.railResponse.status !== 'requires_capture') await watch.until(mandateId, 'AUTHORIZED');
  await insist(address, 'POST', `/ap2/payments/${mandateId}/capture`, { idempotencyKey: `capture-${approvalToken}` });
  await watch.until(mandateId, 'CAPTURED');
}

interface Watcher {
  until(mandateId: string, status: string): Promise<void>;
  stop(): void;
}

/** Asks for everybody at once how the payments stand. */
function watcher(address: string): Watcher {
  let statuses = new Map<string, string>();
  let stopped = false;
  void (async () => {
    while (!stopped) {
      const payments = await listPayments(address).catch(() => []);
      if (payments.length > 0) statuses = new Map(payments.map(({ mandateId, status }) => [mandateId, status]));
      await new Promise((resolve) => setTimeout(resolve, 500));
    }
  })();
  return {
    until: (mandateId, status) =>
      until(`${mandateId} ${status}`, async () => statuses.get(mandateId) === status, 60_000, 100),
    stop() {
      stopped = true;
    },
  };
}

async function listPayments(address: string): Promise<Loose[]> {
  const payments: Loose[] = [];
  for (let cursor = ''; ; ) {
    const page = await ask(address, 'GET', `/ap2/payments?limit=200${cursor}`);
    payments.push(...page.body.data);
    if (!page.body.hasMore) return payments;
    cursor = `&cursor=${page.body.cursor}`;
  }
}

async function judge({ address }: ChildNode, stripe: StripeDouble, agents: readonly Peer[]): Promise<void> {
  const payments = await listPayments(address);
  assert.equal(payments.length, PURCHASES * TROUBLES.length);
  const atStripe = [...stripe.intents.intents.values()];
  assert.equal(atStripe.length, payments.length, 'one payment intent for each mandate');
  const sent = new Map<string, string>();
  for (const { key, path, raw } of stripe.requests) {
    if (key === undefined) continue;
    assert.equal(sent.get(key) ?? `${path} ${raw}`, `${path} ${raw}`, 'a repetition is the same to the byte');
    sent.set(key, `${path} ${raw}`);
  }
  assert.ok(stripe.requests.length > sent.size + payments.length, 'much was sent again');
  const byMandate = new Map(atStripe.map((intent) => [intent.metadata.mandate, intent]));
  assert.equal(byMandate.size, payments.length);
  for (const payment of payments) {
    const intent = byMandate.get(payment.mandateId);
    const expected = payment.status === 'CAPTURED' ? 'succeeded' : 'requires_payment_method';
    assert.equal(intent?.status, expected, `${payment.mandateId} is ${payment.status}`);
    assert.equal(intent?.amount_received, payment.captured * 100);
  }
  const exported = await ask(address, 'GET', '/ap2/evidence/export');
  assert.equal(exported.body.chainValid, true);
  for (const type of ['PAYMENT_AUTHORIZED', 'PAYMENT_CAPTURED', 'PAYMENT_FAILED']) {
    const ids = exported.body.events
      .filter((one: Loose) => one.eventType === type)
      .map((one: Loose) => one.data.mandateId);
    const expected = (type === 'PAYMENT_FAILED' ? DECLINED : PURCHASES - DECLINED) * TROUBLES.length;
    assert.equal(ids.length, expected, type);
    assert.equal(new Set(ids).size, ids.length, `${type} of each once`);
  }
  for (const agent of agents) {
    const left = LIMIT - (PURCHASES - DECLINED) * PRICE;
    assert.equal((await intend(address, agent, left + 1)).allowed, false, 'what was paid counts');
    assert.equal((await intend(address, agent, left)).allowed, true, 'what was declined is free again');
  }
}

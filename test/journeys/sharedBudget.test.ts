/** One budget that many callers share: however many ask at once, and a node that is killed among them, its sum never passes it. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { type Engine, everyEngine } from '../support/engines.ts';
import { noteFigure } from '../support/figures.ts';
import { makeCart, makePeer } from '../support/peer.ts';
import { rounds } from '../support/rounds.ts';
import { ADMIN_KEY, type Loose, SHOP } from '../support/world.ts';

const CALLERS = 64;
const REQUESTS = rounds(10_000, 1500);
/** About a third of what the callers ask for. */
const BUDGET = 2 * REQUESTS;
const AGENTS = 8;

interface Answer {
  readonly status: number;
  readonly body: Loose;
}

describe('a budget that 64 callers share', () => {
  for (const engine of everyEngine()) {
    test(`is never passed on ${engine.name}, where a node is killed in the middle`, async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'countersign-budget-'));
      const database = await engine.open();
      await database.store.close();
      const nodes: ChildNode[] = [];
      try {
        const env = {
          DATA_DIR: dataDir,
          BASE_URL: 'http://127.0.0.1',
          BOOTSTRAP_API_KEY: ADMIN_KEY,
          SANDBOX_RATE_PER_MINUTE: '10000000',
          SANDBOX_BURST: '10000000',
          ...(database.url === undefined ? {} : { DATABASE_URL: database.url }),
        };
        const ports = [String(await freePort()), String(await freePort())].slice(0, engine.name === 'sqlite' ? 1 : 2);
        for (const PORT of ports) nodes.push(await startChild({ ...env, PORT }));
        await play(nodes, (at) => startChild({ ...env, PORT: String(ports[at]) }), engine);
      } finally {
        for (const node of nodes) await node.kill();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  }
});

async function play(nodes: ChildNode[], restart: (at: number) => Promise<ChildNode>, engine: Engine): Promise<void> {
  const merchant = makePeer();
  const agents = Array.from({ length: AGENTS }, () => makePeer());
  /** Of any node that answers; a node that was killed is asked again, or the other one. */
  const ask = async (caller: number, method: string, path: string, body?: Loose): Promise<Answer> => {
    for (let tried = 0; ; tried += 1) {
      const node = nodes[(caller + tried) % nodes.length] as ChildNode;
      const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
      const init = { method, headers, ...(body === undefined ? {} : { body: JSON.stringify(body) }) };
      const response = await fetch(node.address + path, init).catch(() => undefined);
      if (response !== undefined && response.status !== 503) {
        const text = await response.text();
        return { status: response.status, body: text === '' ? undefined : JSON.parse(text) };
      }
      assert.ok(tried < 2000, 'no node answers');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  await ask(0, 'POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
  for (const { publicKey } of agents) await ask(0, 'POST', '/ap2/agents', { name: 'buyer', publicKey });
  const limits = [
    { name: 'shared', max_amount: BUDGET, window: 'year', scope: 'policy' },
    { name: 'at the shop', max_amount: BUDGET / 2, window: '366d', scope: 'policy', merchant: SHOP },
  ];
  const rules = { version: '2.0', spend: { currency: 'USD' }, risk: { limits } };
  assert.equal((await ask(0, 'POST', '/ap2/admin/policies', { name: 'shared', rules })).status, 201);

  let asked = 0;
  let allowed = 0;
  const call = async (caller: number): Promise<void> => {
    for (let number = 0; asked < REQUESTS; number += 1) {
      asked += 1;
      const agent = agents[(caller + number) % AGENTS] as (typeof agents)[number];
      const amount = 1 + ((caller * 7 + number * 13) % 11);
      const domain = number % 3 === 0 ? undefined : number % 3 === 1 ? SHOP : 'other.example';
      const request = { maxAmount: amount + 0.25, currency: 'USD', vendorHints: { domain } };
      const input = { agentDid: agent.did, principalDid: agent.did, request };
      const intent = await ask(caller, 'POST', '/ap2/intents', { ...input, idempotencyKey: `${caller} ${number}` });
      assert.equal(intent.status, 200, JSON.stringify(intent.body));
      if (intent.body.allowed !== true) continue;
      allowed += 1;
      if (number % 4 === 3 || domain === 'other.example') continue;
      const what = { domain: SHOP, items: [{ name: 'Thing', price: amount, quantity: 1 }], total: amount };
      const cartVc = makeCart(merchant, { ...what, currency: 'USD' });
      const cart = await ask(caller, 'POST', '/ap2/carts/validate', { intentVc: intent.body.intentVc, cartVc });
      if (cart.body.allowed !== true) continue;
      const { approvalToken } = cart.body;
      const body = { approvalToken, idempotencyKey: `pay ${caller} ${number}` };
      const paid = await ask(caller, 'POST', '/ap2/payments/mandate', body);
      const mandateId = paid.body.pmVc?.credentialSubject.mandateId;
      if (mandateId !== undefined && number % 5 === 0) {
        await ask(caller, 'POST', `/ap2/payments/${mandateId}/cancel`, {});
      }
    }
  };
  const startedAt = performance.now();
  const calling = Promise.all(Array.from({ length: CALLERS }, (_, caller) => call(caller)));
  await Promise.race([calling, reached(() => asked > REQUESTS / 3)]);
  await nodes[0]?.kill();
  nodes[0] = await restart(0);
  await calling;
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  assert.ok(allowed > AGENTS && allowed < REQUESTS, `${allowed} of ${asked} were allowed`);

  const events = await chainOf((path) => ask(0, 'GET', path));
  const most = mostAtOnce(events);
  assert.ok(most.shared <= BUDGET * 100, `${most.shared} of ${BUDGET * 100} minor units`);
  assert.ok(most.atShop <= BUDGET * 50, `${most.atShop} of ${BUDGET * 50} minor units at the shop`);
  const shown = (await ask(0, 'GET', '/ap2/limits')).body.limits;
  assert.deepEqual(
    shown.map(({ used }: Loose) => Math.round(used * 100)),
    [most.sharedAtTheEnd, most.atShopAtTheEnd],
  );
  noteFigure(
    `a budget that ${CALLERS} callers share on ${engine.name}`,
    `${asked} requests, ${allowed} allowed, a node killed in the middle: at most ${most.shared} of ${BUDGET * 100} minor units at once; ${seconds} s`,
  );
}

async function reached(isReached: () => boolean): Promise<void> {
  while (!isReached()) await new Promise((resolve) => setTimeout(resolve, 10));
}

/** Every event of the chain, oldest first. */
async function chainOf(read: (path: string) => Promise<Answer>): Promise<Loose[]> {
  const events: Loose[] = [];
  for (let cursor = ''; ; ) {
    const { body } = await read(`/ap2/evidence/search?limit=200${cursor && `&cursor=${encodeURIComponent(cursor)}`}`);
    events.push(...body.data);
    if (!body.hasMore) return events.reverse();
    cursor = body.cursor;
  }
}

/** Adds up plainly, event after event, what purchases hold or have paid; in minor units. */
function mostAtOnce(events: readonly Loose[]) {
  const held = new Map<string, { readonly minor: number; readonly merchant: string | undefined }>();
  let [shared, atShop, mostShared, mostAtShop] = [0, 0, 0, 0];
  const hold = (intentId: string, minor: number, merchant: string | undefined) => {
    const former = held.get(intentId) ?? { minor: 0, merchant: undefined };
    shared += minor - former.minor;
    atShop += (merchant === SHOP ? minor : 0) - (former.merchant === SHOP ? former.minor : 0);
    held.set(intentId, { minor, merchant });
  };
  for (const { eventType, data } of events) {
    const intentId = data.intentId ?? data.mandateId;
    const minor = Math.round((data.maxAmount ?? data.amount ?? 0) * 100);
    if (eventType === 'INTENT_ISSUED') hold(intentId, minor, data.merchantDomain);
    if (eventType === 'CART_VALIDATED' || eventType === 'PM_ISSUED') hold(intentId, minor, data.merchant);
    if (['INTENT_EXPIRED', 'PAYMENT_CANCELED', 'PAYMENT_FAILED'].includes(eventType)) hold(intentId, 0, undefined);
    mostShared = Math.max(mostShared, shared);
    mostAtShop = Math.max(mostAtShop, atShop);
  }
  return { shared: mostShared, atShop: mostAtShop, sharedAtTheEnd: shared, atShopAtTheEnd: atShop };
}

/** The two nodes of deploy/compose.yaml, restarted in turn under load: what was accepted is there, once, and told again to who asks again. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { composeFile } from '../support/deployFiles.ts';
import { type Engine, engines } from '../support/engines.ts';
import { makeCart, makePeer, type Peer } from '../support/peer.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose, SHOP } from '../support/world.ts';

const CALLERS = 12;
const AGENTS = 4;
/** What has to be accepted while a node is away, and again once it is back. */
const STEP = 40;

interface Accepted {
  readonly path: string;
  readonly key: string;
  readonly body: Loose;
  readonly answer: Loose;
}

const postgres = engines()[1] as Engine;

/** The environments of the two nodes as Compose gives them, with their files where secrets.sh put them here. */
async function environments(folder: string, databaseUrl: string): Promise<Record<string, string>[]> {
  execFileSync('sh', ['deploy/secrets.sh', join(folder, 'secrets')], { stdio: 'ignore' });
  await writeFile(join(folder, 'secrets', 'database-url'), databaseUrl);
  await writeFile(join(folder, 'secrets', 'admin-key'), ADMIN_KEY);
  const nodes = Object.entries(composeFile().services).filter(([name]) => name.startsWith('node-'));
  const here = (value: string) =>
    value.startsWith('/run/secrets/') ? join(folder, 'secrets', basename(value)) : value;
  const found: Record<string, string>[] = [];
  for (const [name, { environment }] of nodes) {
    found.push({
      ...Object.fromEntries(Object.entries(environment).map(([setting, value]) => [setting, here(value)])),
      // Each its own volume and address; the sandbox's rail in Stripe's place, and no limit of a caller's rate.
      ...{ DATA_DIR: join(folder, name), PORT: String(await freePort()), AP2_ENV: 'sandbox' },
      ...{ SANDBOX_RATE_PER_MINUTE: '10000000', SANDBOX_BURST: '10000000' },
    });
  }
  return found;
}

test('nodes that are restarted in turn under load lose nothing that they accepted, and refuse no caller that goes on', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-rolling-'));
  const database = await postgres.open();
  await database.store.close();
  const nodes: ChildNode[] = [];
  try {
    const settings = await environments(folder, String(database.url));
    assert.equal(settings.length, 2);
    for (const env of settings) nodes.push(await startChild(env));
    const load = await startLoad(nodes);
    for (const [at, env] of [...settings.entries(), ...settings.entries()]) {
      await load.goesOn('before a stop');
      assert.equal(await nodes[at]?.stop(), 0, nodes[at]?.output());
      await load.goesOn('while a node is away');
      nodes[at] = await startChild(env);
      await load.goesOn('once it is back');
    }
    const accepted = await load.stop();
    await requireAll(nodes, accepted);
  } finally {
    for (const node of nodes) await node.kill();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  }
});

type Call = (caller: number, path: string, key?: string, body?: Loose) => Promise<{ replayed: boolean; answer: Loose }>;

/** Asks as a proxy does: the next node where one takes no connection, is stopping, or ends before its answer. */
function callerOf(nodes: readonly ChildNode[]): Call {
  return async (caller, path, key, body) => {
    for (let tried = 0; ; tried += 1) {
      const node = nodes[(caller + tried) % nodes.length] as ChildNode;
      const headers = {
        Authorization: `Bearer ${ADMIN_KEY}`,
        'Content-Type': 'application/json',
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      };
      const init = body === undefined ? { headers } : { method: 'POST', headers, body: JSON.stringify(body) };
      const answered = await fetch(node.address + path, init)
        .then(async (response) => ({ response, text: await response.text() }))
        .catch(() => undefined);
      if (answered !== undefined && answered.response.status !== 503) {
        const { response, text } = answered;
        assert.ok(response.ok, `${path}: ${response.status} ${text}`);
        return { replayed: response.headers.get('Idempotent-Replayed') === 'true', answer: JSON.parse(text) };
      }
      assert.ok(tried < 1000, 'no node answers');
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
}

/** Purchases without end, each step under a key of its own. */
async function startLoad(nodes: readonly ChildNode[]) {
  const call = callerOf(nodes);
  const merchant = makePeer();
  const agents = Array.from({ length: AGENTS }, () => makePeer());
  await call(0, '/ap2/admin/merchants', undefined, { domain: SHOP, did: merchant.did });
  for (const { publicKey } of agents) await call(0, '/ap2/agents', undefined, { name: 'buyer', publicKey });
  const limits = [{ name: 'year', max_amount: 1_000_000, window: 'year', scope: 'policy' }];
  const rules = { version: '2.0', spend: { currency: 'USD' }, risk: { limits } };
  await call(0, '/ap2/admin/policies', undefined, { name: 'load', rules });
  const accepted: Accepted[] = [];
  let isOver = false;
  const step = async (caller: number, path: string, key: string, body: Loose): Promise<Loose> => {
    const { answer } = await call(caller, path, key, body);
    accepted.push({ path, key, body, answer });
    return answer;
  };
  const buyUntilOver = async (caller: number) => {
    for (let number = 0; !isOver; number += 1) {
      const agent = agents[(caller + number) % AGENTS] as Peer;
      await buy((path, body) => step(caller, path, `${path} ${caller} ${number}`, body), agent, merchant);
    }
  };
  const calling = Promise.all(Array.from({ length: CALLERS }, (_, caller) => buyUntilOver(caller)));
  return {
    /** Waits until more was accepted; what a caller is refused ends the test. */
    async goesOn(when: string): Promise<void> {
      const from = accepted.length;
      const more = until(`${STEP} answers ${when}`, async () => accepted.length >= from + STEP, 60_000);
      await Promise.race([more, calling]);
    },
    async stop(): Promise<readonly Accepted[]> {
      isOver = true;
      await calling;
      return accepted;
    },
  };
}

async function buy(step: (path: string, body: Loose) => Promise<Loose>, agent: Peer, merchant: Peer): Promise<void> {
  const request = { maxAmount: 3, currency: 'USD', vendorHints: { domain: SHOP } };
  const intent = await step('/ap2/intents', { agentDid: agent.did, principalDid: agent.did, request });
  assert.equal(intent.allowed, true, JSON.stringify(intent));
  const what = { domain: SHOP, items: [{ name: 'Thing', price: 2.5, quantity: 1 }], total: 2.5, currency: 'USD' };
  const cartVc = makeCart(merchant, what);
  const cart = await step('/ap2/carts/validate', { intentVc: intent.intentVc, cartVc });
  assert.equal(cart.allowed, true, JSON.stringify(cart));
  const paid = await step('/ap2/payments/mandate', { approvalToken: cart.approvalToken });
  assert.equal(paid.railResponse.status, 'requires_capture', JSON.stringify(paid));
}

/** Each that was accepted is found, once, and its key gets the same answer from both nodes. */
async function requireAll(nodes: readonly ChildNode[], accepted: readonly Accepted[]): Promise<void> {
  const call = callerOf(nodes);
  const idsOf = (path: string, id: (answer: Loose) => string) =>
    accepted.filter((each) => each.path === path).map(({ answer }) => id(answer));
  const intents = idsOf('/ap2/intents', (answer) => answer.intentVc.credentialSubject.mandateId);
  const mandates = idsOf('/ap2/payments/mandate', (answer) => answer.pmVc.credentialSubject.mandateId);
  assert.ok(mandates.length >= STEP, `${mandates.length} payments`);
  for (const ids of [intents, mandates]) assert.equal(new Set(ids).size, ids.length, 'an id stands for two requests');
  const found = new Set(await listed(call, '/ap2/payments', 'mandateId'));
  const lost = mandates.filter((id) => !found.has(id));
  assert.deepEqual([lost, found.size], [[], mandates.length]);

  const left = [...accepted];
  const askAgain = async () => {
    for (let each = left.pop(); each !== undefined; each = left.pop()) {
      const { path, key, body, answer } = each;
      for (const caller of [0, 1]) {
        assert.deepEqual(await call(caller, path, key, body), { replayed: true, answer }, key);
      }
    }
  };
  await Promise.all(Array.from({ length: CALLERS }, askAgain));
  const { answer: chain } = await call(0, '/ap2/evidence/verify');
  assert.equal(chain.valid, true, JSON.stringify(chain));
  const { answer: exported } = await call(0, '/ap2/evidence/export?last=100000');
  const countOf = (type: string) => exported.events.filter((event: Loose) => event.eventType === type).length;
  assert.equal(countOf('INTENT_ISSUED'), intents.length);
  assert.equal(countOf('PM_ISSUED'), mandates.length);
}

async function listed(call: Call, path: string, member: string): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined; ; ) {
    const query = cursor === undefined ? '' : `&cursor=${encodeURIComponent(cursor)}`;
    const { answer } = await call(0, `${path}?limit=100${query}`);
    ids.push(...answer.data.map((row: Loose) => row[member]));
    cursor = answer.cursor ?? undefined;
    if (cursor === undefined) return ids;
  }
}

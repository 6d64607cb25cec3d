/** A node that halts in the middle of a commit (SIGSTOP) holds up no other for long, and does nothing by halves when it wakes. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import pg from 'pg';
import { type ChildNode, startChild } from '../support/child.ts';
import { engines } from '../support/engines.ts';
import { makeCartOfOne, makePeer } from '../support/peer.ts';
import { until } from '../support/until.ts';
import { ADMIN_KEY, type Loose } from '../support/world.ts';

/** How often the node has to be caught with a lock in its hands. */
const CAUGHT = 4;
const MOST_TRIES = 400;
const BUYERS = 8;

const postgres = engines().find(({ name }) => name === 'postgres');

test('others go on within two seconds, and each caller of the halted node gets all or a clear no', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-halted-'));
  const database = await (postgres ?? assert.fail()).open();
  const watch = new pg.Client({ connectionString: String(database.url) });
  const nodes: ChildNode[] = [];
  t.after(async () => {
    await Promise.all(nodes.map((node) => node.kill()));
    await watch.end();
    await database.drop();
    await rm(folder, { recursive: true, force: true });
  });
  await database.store.close();
  const env = {
    DATABASE_URL: String(database.url),
    ISSUER_KEY_FILE: join(folder, 'issuer.key'),
    ROOT_KEY_FILE: join(folder, 'root.key'),
    BOOTSTRAP_API_KEY: ADMIN_KEY,
    SANDBOX_RATE_PER_MINUTE: '1000000',
    SANDBOX_BURST: '1000000',
    LOG_LEVEL: 'fatal',
  };
  const halting = await startChild({ ...env, DATA_DIR: join(folder, 'halting') });
  nodes.push(halting);
  const other = await startChild({ ...env, DATA_DIR: join(folder, 'other') });
  nodes.push(other);
  await watch.connect();

  const ask = async (node: ChildNode, method: string, path: string, body?: unknown) => {
    const headers = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
    const payload = body === undefined ? {} : { body: JSON.stringify(body) };
    const response = await fetch(node.address + path, { method, headers, ...payload });
    const text = await response.text();
    return { status: response.status, text, body: text === '' ? undefined : (JSON.parse(text) as Loose) };
  };
  const rules = { version: '2.0', spend: { amount_cap: 100, currency: 'USD' } };
  assert.equal((await ask(other, 'POST', '/ap2/admin/policies', { name: 'Free', rules })).status, 201);
  const agent = makePeer();
  const merchant = makePeer();
  await ask(other, 'POST', '/ap2/agents', { name: 'a', publicKey: agent.publicKey });
  await ask(other, 'POST', '/ap2/admin/merchants', { domain: 'shop.example', did: merchant.did });
  const request = { maxAmount: 5, currency: 'USD', vendorHints: { domain: 'shop.example' } };
  const intentBody = { agentDid: agent.did, principalDid: agent.did, request };

  let isBusy = true;
  const statuses = new Map<number, number>();
  const paid: string[] = [];
  /** @returns the answer, where the node did it */
  const did = async (path: string, body: unknown): Promise<Loose> => {
    const reply = await ask(halting, 'POST', path, body);
    statuses.set(reply.status, (statuses.get(reply.status) ?? 0) + 1);
    if (reply.status === 503) assert.equal(reply.body.error.code, 'UNAVAILABLE', reply.text);
    else assert.equal(reply.status, 200, reply.text);
    return reply.status === 200 ? reply.body : undefined;
  };
  const buy = async () => {
    while (isBusy) {
      const intent = await did('/ap2/intents', intentBody);
      const cartVc = makeCartOfOne(merchant, 'shop.example', 5);
      const cart = intent && (await did('/ap2/carts/validate', { intentVc: intent.intentVc, cartVc }));
      const { approvalToken } = cart ?? {};
      const payment = approvalToken && (await did('/ap2/payments/mandate', { approvalToken }));
      if (payment !== undefined) paid.push(payment.pmVc.credentialSubject.mandateId);
    }
  };
  const buyers = Array.from({ length: BUYERS }, buy);
  const held = async () => {
    const { rows } = await watch.query(
      `SELECT 1 FROM pg_stat_activity JOIN pg_locks USING (pid)
        WHERE state = 'idle in transaction' AND locktype = 'advisory' AND granted AND datname = current_database()`,
    );
    return rows.length > 0;
  };
  const waits: number[] = [];
  try {
    for (let tries = 0; waits.length < CAUGHT && tries < MOST_TRIES; tries += 1) {
      halting.halt();
      if (await held()) {
        const from = performance.now();
        const reply = await ask(other, 'POST', '/ap2/intents', intentBody);
        waits.push(performance.now() - from);
        assert.equal(reply.body?.allowed, true, reply.text);
      }
      halting.wake();
      const before = paid.length;
      await until('a purchase at the woken node', async () => paid.length > before, 20_000, 5);
    }
  } finally {
    halting.wake();
    isBusy = false;
  }
  await Promise.all(buyers);
  assert.equal(waits.length, CAUGHT, 'the node was never caught with a lock');
  t.diagnostic(
    `others waited ${waits.map((wait) => Math.round(wait)).join(', ')} ms; ${JSON.stringify([...statuses])}`,
  );
  for (const wait of waits) assert.ok(wait < 2000, `another node waited for ${wait} ms`);
  for (const mandateId of paid) {
    const { body } = await ask(other, 'GET', `/ap2/payments/${mandateId}`);
    assert.equal(body.status, 'AUTHORIZED');
  }
  const verified = await ask(other, 'GET', '/ap2/evidence/verify');
  assert.equal(verified.body.valid, true, verified.text);
});

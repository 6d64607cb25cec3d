/** kill -9 between the touch and the agent's collecting of the proof, on both engines; and two nodes on one database. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { softAuthenticator } from '../../src/cli/demo/softAuthenticator.ts';
import { type ChildNode, freePort, startChild } from '../support/child.ts';
import { everyEngine } from '../support/engines.ts';
import { makeCart, makePeer } from '../support/peer.ts';
import { ADMIN_KEY, type Loose, SHOP } from '../support/world.ts';

for (const engine of everyEngine()) {
  describe(`an approval outlives its node on ${engine.name}`, () => {
    test('killed between touch and collection, the next start hands the proof out and the cart validates', async () => {
      const dataDir = await mkdtemp(join(tmpdir(), 'countersign-approval-'));
      const database = await engine.open();
      await database.store.close();
      const PORT = String(await freePort());
      const BASE_URL = `http://localhost:${PORT}`;
      const shared = { DATA_DIR: dataDir, BASE_URL, BOOTSTRAP_API_KEY: ADMIN_KEY };
      const env = { ...shared, ...(database.url === undefined ? {} : { DATABASE_URL: database.url }) };
      let second: ChildNode | undefined;
      try {
        let node = await startChild({ ...env, PORT });
        const { intentVc, cartVc, approval, touch } = await untilTouched(node, BASE_URL);
        // Nodes of one deployment share the database; a decision on one ends the wait on another.
        if (database.url !== undefined) second = await startChild(env);
        const waiting = second && ask(second, 'GET', `/ap2/approvals/${approval.id}?wait=20`);
        await touch();
        await node.kill();
        if (waiting !== undefined) assert.equal((await waiting).status, 'approved');

        node = await startChild({ ...env, PORT });
        const state = await ask(node, 'GET', `/ap2/approvals/${approval.id}?wait=20`);
        assert.equal(state.status, 'approved');
        const validation = { intentVc, cartVc, hpProof: state.hpProof };
        const cart = await ask(node, 'POST', '/ap2/carts/validate', validation);
        assert.equal(cart.allowed, true, JSON.stringify(cart));
        assert.equal((await ask(node, 'GET', '/ap2/evidence/verify')).valid, true);

        const pending = await untilTouched(node, BASE_URL);
        const startedAt = Date.now();
        const cut = ask(node, 'GET', `/ap2/approvals/${pending.approval.id}?wait=30`);
        await new Promise((resolve) => setTimeout(resolve, 300));
        assert.equal(await node.stop(), 0);
        assert.equal((await cut).status, 'pending', 'who waits gets an answer when the node stops');
        assert.ok(Date.now() - startedAt < 20_000);
      } finally {
        await second?.stop();
        await database.drop();
        await rm(dataDir, { recursive: true, force: true });
      }
    });
  });
}

/** An agent with an enrolled owner, and a cart that waits for the touch. */
async function untilTouched(node: ChildNode, baseUrl: string) {
  const { origin, hostname } = new URL(baseUrl);
  const phone = softAuthenticator(() => ({ origin, rpId: hostname }));
  const [agent, merchant, principal] = [makePeer(), makePeer(), makePeer()];
  await ask(node, 'POST', '/ap2/agents', { name: 'agent', publicKey: agent.publicKey });
  await ask(node, 'POST', '/ap2/admin/merchants', { domain: SHOP, did: merchant.did });
  const link = await ask(node, 'POST', '/ap2/admin/enrollments', { agentDid: agent.did });
  const enroll = new URL(link.url).pathname;
  const registration = await ask(node, 'POST', `${enroll}/begin`, { deviceName: 'phone' });
  await ask(node, 'POST', `${enroll}/complete`, { credential: phone.create(registration.publicKey) });
  const request = { maxAmount: 150, currency: 'USD', vendorHints: { domain: SHOP } };
  const intent = { agentDid: agent.did, principalDid: principal.did, request };
  const { intentVc } = await ask(node, 'POST', '/ap2/intents', intent);
  const items = [{ name: 'Thing', price: 150, quantity: 1 }];
  const cartVc = makeCart(merchant, { domain: SHOP, items, total: 150, currency: 'USD' });
  const { approval } = await ask(node, 'POST', '/ap2/carts/validate', { intentVc, cartVc });
  const touch = async () => {
    const { challengeId, publicKey } = await ask(node, 'POST', `/approve/${approval.id}/begin`, {
      decision: 'approve',
    });
    const decision = { challengeId, credential: phone.get(publicKey) };
    assert.equal((await ask(node, 'POST', `/approve/${approval.id}/complete`, decision)).status, 'approved');
  };
  return { intentVc, cartVc, approval, touch };
}

async function ask(node: ChildNode, method: string, path: string, body?: unknown): Promise<Loose> {
  const response = await fetch(node.address + path, {
    method,
    headers: { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  const answer = await response.json();
  assert.ok(response.ok, `${method} ${path}: ${JSON.stringify(answer)}`);
  return answer;
}

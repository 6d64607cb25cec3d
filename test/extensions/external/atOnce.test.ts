/** Payments elsewhere at once and through kill -9, on every engine: no limit is passed, no receipt counts twice, and what was reserved stays held. */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { makeAgent } from '../../../client/index.ts';
import type { Node } from '../../../src/node/startNode.ts';
import { everyEngine } from '../../support/engines.ts';
import { KilledNode } from '../../support/killedNode.ts';
import { ADMIN_KEY, type Loose, makeWorld, type World } from '../../support/world.ts';

const HEADERS = { Authorization: `Bearer ${ADMIN_KEY}`, 'Content-Type': 'application/json' };
const RESERVATIONS = '/ap2/external/reservations';
const RULES = {
  version: '2.0',
  spend: { amount_cap: 1000, currency: 'USD' },
  risk: { velocity_limit: { max_amount: 100, time_window: '24h' } },
  rails: { allow: ['EXTERNAL_RAIL'] },
  external: { release: 'owner', on_expiry: 'hold' },
};
const ASKED = { merchant: 'tea.example', currency: 'USD', channel: 'card' };

async function post(address: string, path: string, body: object): Promise<Loose> {
  const response = await fetch(address + path, { method: 'POST', headers: HEADERS, body: JSON.stringify(body) });
  return { status: response.status, text: await response.text() };
}

for (const engine of everyEngine()) {
  describe(`payments elsewhere at once, on ${engine.name}`, () => {
    let world: World;
    let second: Node | undefined;
    let addresses: readonly string[];
    before(async () => {
      world = await makeWorld(engine);
      if (engine.name === 'postgres') second = await world.another();
      addresses = [world.node.address, ...(second === undefined ? [] : [second.address])];
      const made = await world.rest('POST', '/ap2/admin/policies', { name: 'Elsewhere', rules: RULES, activate: true });
      assert.equal(made.status, 201, made.text);
    });
    after(async () => {
      await second?.stop();
      await world.close();
    });
    const atOnce = (count: number, path: (at: number) => string, body: (at: number) => object) =>
      Promise.all(
        Array.from({ length: count }, (_, at) => post(addresses[at % addresses.length] as string, path(at), body(at))),
      );

    test('20 under one key are one reservation, and every answer has the same bytes', async () => {
      const asked = { agentDid: world.agent.did, ...ASKED, amount: 10, idempotencyKey: 'one' };
      const answers = await atOnce(
        20,
        () => RESERVATIONS,
        () => asked,
      );
      const given = answers.filter(({ status }) => status === 200);
      assert.equal(new Set(given.map(({ text }) => text)).size, 1);
      assert.ok(
        answers.every(({ status }) => status === 200 || status === 409),
        'one that is in flight may be asked again',
      );
      assert.equal((await world.rest('GET', '/ap2/payments')).body.data.length, 1);
    });

    test('20 with keys of their own never pass the limit, and one receipt commits one of them', async () => {
      const answers = await atOnce(
        20,
        () => RESERVATIONS,
        (at) => ({
          ...{ agentDid: world.agent.did, ...ASKED, amount: 10, idempotencyKey: `own-${at}` },
        }),
      );
      const allowed = answers.map(({ text }) => JSON.parse(text)).filter(({ allowed: is }) => is);
      assert.equal(allowed.length, 9, 'with the one before, 100 of 100');
      const evidence = { kind: 'receipt', sha256: 'b'.repeat(64) };
      const told = await atOnce(
        9,
        (at) => `${RESERVATIONS}/${allowed[at].mandateId}/commit`,
        () => ({ evidence }),
      );
      assert.deepEqual(told.map(({ status }) => status).sort(), [200, ...Array(8).fill(409)]);
    });
  });

  describe(`a payment elsewhere whose node is killed, on ${engine.name}`, () => {
    const { did: agentDid, publicKey } = makeAgent();
    let node: KilledNode;
    before(async () => {
      node = await KilledNode.open(engine, () => ({}));
      await node.ask('/ap2/agents', { name: 'buyer', publicKey });
      await node.ask('/ap2/admin/policies', { name: 'Elsewhere', rules: RULES, activate: true });
    });
    after(() => node.close());

    test('before each answer: the same call again is the same reservation, the same commit, and nothing is freed', async () => {
      const asked = { agentDid, ...ASKED, amount: 40, idempotencyKey: 'killed' };
      await node.diesOf({ DIE_BEFORE: 'commitUntil' }, RESERVATIONS, asked);
      const [held] = (await node.ask('/ap2/payments')).data;
      assert.equal(held.status, 'AUTHORIZED');
      const again = await node.ask(RESERVATIONS, asked);
      assert.equal(again.mandateId, held.mandateId);
      const path = `${RESERVATIONS}/${held.mandateId}/commit`;
      const told = { amount: 30, evidence: { kind: 'order', reference: 'order-1' } };
      await node.diesOf({ DIE_BEFORE: '"CAPTURED"' }, path, told);
      assert.equal((await node.ask(`/ap2/payments/${held.mandateId}`)).status, 'CAPTURED');
      assert.equal((await node.send(path, told)).status, 200);
      const events = (await node.ask('/ap2/evidence/search?eventType=PAYMENT_CAPTURED')).data;
      assert.equal(events.length, 1);
      const over = await node.ask(RESERVATIONS, { ...asked, amount: 61, idempotencyKey: 'over' });
      assert.equal(over.allowed, false, 'what was authorized counts');
    });
  });
}

/** A node that mandates are switched off at: what they guard waits, what is stored stays readable and verifiable, and all of it goes on afterwards. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { digestTable, type TableState } from '../../../src/maintenance/readRows.ts';
import { openSqlite } from '../../../src/store/sqlite/sqliteStore.ts';
import { TABLES } from '../../../src/store/statements/tables.ts';
import type { Reader } from '../../../src/store/store.ts';
import { runHere } from '../../cli/runHere.ts';
import { everyEngine } from '../../support/engines.ts';
import { MandateParties } from '../../support/mandates.ts';
import { type Loose, makeWorld, type World } from '../../support/world.ts';

const WITHOUT = { EXTENSIONS: 'sandbox-rail' };
const NONE = { EXTENSIONS: 'none' };
const ALL = { EXTENSIONS: '' };

interface OpenPurchases {
  readonly delegationId: string;
  /** Of an intent by the delegation. */
  readonly intentVc: Loose;
  /** Of a cart for another intent by it. */
  readonly approvalToken: string;
  /** Paid by a chain of mandates. */
  readonly paid: { readonly mandateId: string; readonly transactionId: string };
}

for (const engine of everyEngine()) {
  test(`what mandates guard waits while they are off, and is paid once they are on again, on ${engine.name}`, async () => {
    const world = await makeWorld(engine);
    try {
      const open = await beginPurchases(world);
      await world.restart(WITHOUT);
      await requireAbsent(world);
      await requireRefused(world, open);
      await requireReadable(world, open);
      await requireOrdinaryPurchase(world);
      await world.restart(ALL);
      const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: open.approvalToken });
      assert.equal(paid.body.railResponse?.status, 'requires_capture', paid.text);
      const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: open.intentVc, cartVc: world.cart(20) });
      assert.equal(cart.body.allowed, true, cart.text);
      assert.equal((await world.rest('GET', '/ap2/evidence/verify')).body.valid, true);
    } finally {
      await world.close();
    }
  });
}

test('a backup of a node with all is restored by one with none, and again by one with all: every row is the same', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'countersign-round-'));
  const [sqlite] = everyEngine();
  if (sqlite?.name !== 'sqlite') return;
  let dataDir = '';
  const prepare = (made: string) => {
    dataDir = made;
    return sqlite.prepare(made);
  };
  const world = await makeWorld({ name: 'sqlite', prepare });
  try {
    const open = await beginPurchases(world);
    const [first, second] = [join(folder, 'first.tar'), join(folder, 'second.tar')];
    const [withNone, withAll] = [join(folder, 'none'), join(folder, 'all')];
    await done(['backup', first], { DATA_DIR: dataDir });
    await done(['restore', first, '--data-dir', withNone], NONE);
    await done(['backup', second], { DATA_DIR: withNone, ...NONE });
    await done(['restore', second, '--data-dir', withAll], ALL);
    const rows = await statesOf(withNone);
    assert.ok((rows['mandate_delegations']?.rows ?? 0) > 1, 'there is something to keep');
    assert.deepEqual(await statesOf(withAll), rows);
    // The node went on meanwhile with what it does by itself alone.
    const served = await statesIn(world.node.deps.store);
    for (const table of ['mandate_delegations', 'mandate_uses', 'intents', 'payments', 'approval_tokens', 'agents']) {
      assert.deepEqual(rows[table], served[table], table);
    }
    assert.match(open.paid.mandateId, /^pm_/);
  } finally {
    await world.close();
    await rm(folder, { recursive: true, force: true });
  }
});

async function beginPurchases(world: World): Promise<OpenPurchases> {
  const parties = new MandateParties(Date.now);
  const { jwk } = parties.provider;
  const issuer = await world.rest('POST', '/ap2/admin/mandate-issuers', {
    name: 'Issuer',
    kind: 'agent-provider',
    jwk,
  });
  assert.equal(issuer.status, 201, issuer.text);
  const agentDid = world.agent.did;
  const principalDid = world.principal.did;
  /** Each mandate is for one payment. */
  const delegated = async () => {
    const token = parties.open([{ type: 'payment.amount_range', currency: 'USD', max: 5000 }]);
    const registered = await world.rest('POST', '/ap2/delegations', { token, agentDid, principalDid });
    assert.equal(registered.status, 201, registered.text);
    const delegationId = registered.body.id;
    const answer = await world.rest('POST', '/ap2/intents', { ...world.intentBody(20), delegationId });
    assert.equal(answer.body.allowed, true, answer.text);
    return { delegationId, intentVc: answer.body.intentVc };
  };
  const { intentVc: bought } = await delegated();
  const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc: bought, cartVc: world.cart(20) });
  assert.equal(cart.body.allowed, true, cart.text);
  const chain = { agentDid, ...parties.close(parties.open()) };
  const exchanged = await world.rest('POST', '/ap2/payment-credentials', chain);
  assert.equal(exchanged.body.allowed, true, exchanged.text);
  const { approvalToken } = exchanged.body;
  const { pmVc } = (await world.rest('POST', '/ap2/payments/mandate', { approvalToken })).body;
  const { mandateId } = pmVc.credentialSubject;
  const { transactionId } = (await world.rest('GET', `/ap2/payments/${mandateId}`)).body;
  return {
    ...(await delegated()),
    approvalToken: cart.body.approvalToken,
    paid: { mandateId, transactionId },
  };
}

async function requireAbsent(world: World): Promise<void> {
  for (const [method, path] of [
    ['GET', '/ap2/delegations'],
    ['GET', '/ap2/delegations/dlg_1'],
    ['POST', '/ap2/payment-credentials'],
    ['POST', '/ap2/carts/validate/ucp'],
    ['GET', '/ap2/admin/mandate-issuers'],
  ] as const) {
    const body = method === 'POST' ? { body: '{}' } : {};
    const answer = await fetch(world.node.address + path, { method, ...body });
    assert.equal(answer.status, 404, path);
    assert.match(await answer.text(), /This node runs without mandates\./, path);
  }
}

async function requireRefused(world: World, { delegationId, intentVc, approvalToken }: OpenPurchases): Promise<void> {
  const again = await world.rest('POST', '/ap2/intents', { ...world.intentBody(5), delegationId });
  assert.equal(again.status, 404, again.text);
  for (const refused of [
    await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(20) }),
    await world.rest('POST', '/ap2/payments/mandate', { approvalToken }),
  ]) {
    assert.deepEqual([refused.status, refused.body.reasonCodes], [200, ['MANDATE_INVALID']], refused.text);
  }
}

async function requireReadable(world: World, { paid }: OpenPurchases): Promise<void> {
  const payment = await world.rest('GET', `/ap2/payments/${paid.mandateId}`);
  assert.equal(payment.body.status, 'AUTHORIZED', payment.text);
  const bundle = await world.rest('GET', `/ap2/evidence/bundle/${paid.transactionId}?format=portable`);
  const verified = verifyBundle(nativeSuite(), bundle.text, world.node.deps.issuer.did);
  assert.equal(verified.ok, true, JSON.stringify(verified));
  const captured = await world.rest('POST', `/ap2/payments/${paid.mandateId}/capture`);
  assert.equal(captured.body.status, 'CAPTURED', captured.text);
}

async function requireOrdinaryPurchase(world: World): Promise<void> {
  const { intentVc } = (await world.rest('POST', '/ap2/intents', world.intentBody(10))).body;
  const cart = await world.rest('POST', '/ap2/carts/validate', { intentVc, cartVc: world.cart(10) });
  const paid = await world.rest('POST', '/ap2/payments/mandate', { approvalToken: cart.body.approvalToken });
  assert.equal(paid.body.railResponse?.status, 'requires_capture', paid.text);
}

async function done(words: readonly string[], env: Record<string, string>): Promise<void> {
  const { code, stderr } = await runHere([...words, '--json'], env);
  assert.equal(code, 0, stderr);
}

async function statesOf(dataDir: string): Promise<Record<string, TableState>> {
  const store = openSqlite(join(dataDir, 'countersign.db'), Date.now);
  try {
    return await statesIn(store);
  } finally {
    await store.close();
  }
}

async function statesIn(store: Reader): Promise<Record<string, TableState>> {
  const states: Record<string, TableState> = {};
  for (const table of TABLES) states[table.name] = await digestTable(store, table);
  return states;
}

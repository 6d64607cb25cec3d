/** The shop alone, against what strangers bring it: it ships once, for a mandate of its node, once the money is held. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { makeAgent } from '../../client/index.ts';
import { hashOf } from '../../protocol/credential/canonical.ts';
import { issueCredential } from '../../protocol/credential/vc.ts';
import { signatureHeaders, signingKey } from '../../src/webhooks/signature.ts';
import { freePort } from '../support/child.ts';
import { buildClient } from '../support/snippets.ts';
import { until } from '../support/until.ts';
import type { Loose } from '../support/world.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
const node = makeAgent();
const merchant = makeAgent();

describe('the shop', () => {
  let folder: string;
  let address: string;
  let child: ChildProcess;
  let printed = '';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'countersign-shop-'));
    await cp('examples/shop', folder, { recursive: true });
    await buildClient(join(folder, 'node_modules', 'countersign-client'));
    await writeFile(join(folder, 'merchant.seed'), merchant.seed);
    const port = String(await freePort());
    address = `http://localhost:${port}`;
    const env = { PATH: process.env['PATH'] ?? '', PORT: port, NODE_DID: node.did, WEBHOOK_SECRET: SECRET };
    child = spawn(process.execPath, ['shop.mjs'], { cwd: folder, env, stdio: ['ignore', 'pipe', 'pipe'] });
    for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => (printed += chunk));
    await until('the shop listens', async () => printed.includes('sells at'));
  });
  after(async () => {
    child.kill();
    await rm(folder, { recursive: true, force: true });
  });

  async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<Loose> {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    const response = await fetch(address + path, { method: 'POST', body: text, headers });
    return { status: response.status, body: await response.json() };
  }
  const order = async (sku = 'sencha') => (await post('/orders', { lines: [{ sku }] })).body;
  const statusOf = async ({ id }: Loose) => ((await (await fetch(`${address}/orders/${id}`)).json()) as Loose).status;

  let count = 0;
  function mandateFor({ cart }: Loose, by = node): Loose {
    count += 1;
    const { proof: _, ...content } = cart;
    const { total: amount, currency, merchant: domain } = cart.credentialSubject;
    const ids = { mandateId: `pm_${count}`, intentId: 'intent_1', rail: 'CARD_RAIL' };
    const subject = { ...ids, amount, currency, merchant: domain, cartHash: hashOf(by.suite, content) };
    const times = { issuedAt: Date.now(), expiresAt: Date.now() + 3_600_000 };
    return issueCredential(by.suite, by.signer, { id: `urn:${count}`, type: 'PaymentMandate', subject, ...times })
      .document;
  }
  function authorized(mandate: Loose, secret = SECRET, extra: object = {}) {
    const { mandateId, merchant: domain } = mandate.credentialSubject;
    const event = {
      id: `evt_${mandateId}`,
      type: 'payment.authorized',
      data: { mandateId, merchant: domain },
      ...extra,
    };
    const sent = { id: event.id, timestamp: Math.floor(Date.now() / 1000), body: JSON.stringify(event) };
    return post('/webhooks', sent.body, signatureHeaders(sent, [signingKey(secret)]));
  }

  test('ships once, whichever of mandate and webhook comes first', async () => {
    const [first, second] = [await order(), await order()];
    const [one, two] = [mandateFor(first), mandateFor(second)];
    assert.equal((await post(`/orders/${first.id}/mandate`, one)).body.status, 'accepted');
    for (let times = 0; times < 2; times += 1) assert.equal((await authorized(one)).status, 200);
    assert.equal(await statusOf(first), 'shipped');
    await authorized(two);
    assert.equal(await statusOf(second), 'offered');
    for (let times = 0; times < 2; times += 1) await post(`/orders/${second.id}/mandate`, two);
    assert.equal(await statusOf(second), 'shipped');
    await until('both are told', async () => printed.match(/^shipped: /gm)?.length === 2);
  });

  test('ships nothing for another’s mandate, that of another order, or a webhook that is not the node’s', async () => {
    const [own, other] = [await order(), await order('teapot')];
    const stranger = makeAgent();
    const forged = await post(`/orders/${own.id}/mandate`, mandateFor(own, stranger));
    assert.deepEqual([forged.status, /issued by/.test(forged.body.error)], [400, true]);
    const swapped = await post(`/orders/${other.id}/mandate`, mandateFor(own));
    assert.deepEqual([swapped.status, /cartHash/.test(swapped.body.error)], [400, true]);
    const mandate = mandateFor(own);
    await post(`/orders/${own.id}/mandate`, mandate);
    assert.equal(
      (await post('/webhooks', { type: 'payment.authorized', data: mandate.credentialSubject })).status,
      401,
    );
    assert.equal((await authorized(mandate, 'another secret')).status, 401);
    assert.equal((await authorized(mandate, SECRET, { test: true })).status, 200);
    assert.deepEqual([await statusOf(own), await statusOf(other)], ['accepted', 'offered']);
  });

  test('answers what is wrong with a sentence, and goes on', async () => {
    const wrong: readonly (readonly [string, unknown, number])[] = [
      ['/orders', 'no JSON', 400],
      ['/orders', 'null', 400],
      ['/orders', { lines: [null] }, 400],
      ['/orders', { lines: [{ sku: 'gold' }] }, 400],
      ['/orders', { lines: [{ sku: 'sencha', quantity: -1 }] }, 400],
      ['/orders', { lines: [{ sku: 'sencha', quantity: 0.5 }] }, 400],
      ['/orders', 'x'.repeat(300_000), 413],
      ['/orders/none/mandate', {}, 404],
      ['/orders/constructor/mandate', {}, 404],
      ['/toString', {}, 404],
    ];
    for (const [path, body, status] of wrong) {
      const answer = await post(path, body);
      assert.deepEqual([path, answer.status, typeof answer.body.error], [path, status, 'string']);
    }
    assert.equal((await fetch(`${address}/items`)).status, 200);
    assert.doesNotMatch(printed, /The shop has a fault|Error/);
  });
});

/** What answers a dispute: one archive with a page to print, and the same for programs; and the record that it was submitted. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { strFromU8, unzipSync } from 'fflate';
import { disputeAnswer } from '../../../protocol/dispute/disputeAnswer.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import type { ByteStream } from '../../../src/usecase/byteStream.ts';
import { sessionOf } from '../../extensions/acp/acpShop.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

async function packOf(node: MemoryNode, mandateId: string, caller?: Caller): Promise<Record<string, string>> {
  const { contentType, pieces, fileName } = (await node.run(
    'downloadDisputePack',
    { mandateId },
    caller,
  )) as unknown as ByteStream;
  assert.deepEqual([contentType, fileName], ['application/zip', `dispute-${mandateId}.zip`]);
  const bytes: Uint8Array[] = [];
  for await (const piece of pieces) bytes.push(piece as Uint8Array);
  const files = Object.entries(unzipSync(Buffer.concat(bytes)));
  return Object.fromEntries(files.map(([name, content]) => [name, strFromU8(content)]));
}

async function disputed(): Promise<{ node: MemoryNode; agentDid: string; mandateId: string; dispute: Loose }> {
  const node = await memoryNode();
  const { did: agentDid } = await node.agent();
  const mandateId = await node.pay(agentDid, 20);
  await node.run('capturePayment', { mandateId });
  await node.run('demoDispute', { mandateId });
  const { disputes } = await node.run('getPayment', { mandateId });
  return { node, agentDid, mandateId, dispute: disputes[0] };
}

describe('the dispute pack', () => {
  test('has a page to print, the facts for programs, and a bundle that verifies by itself', async () => {
    const { node, mandateId, dispute } = await disputed();
    const files = await packOf(node, mandateId);
    assert.deepEqual(Object.keys(files).sort(), ['bundle.json', 'pack.html', 'pack.json']);
    const pack = JSON.parse(String(files['pack.json']));
    assert.equal(pack.format, 'countersign-dispute-pack/1');
    assert.deepEqual([pack.payment.mandateId, pack.payment.status], [mandateId, 'DISPUTED']);
    assert.deepEqual(pack.payment.disputes, [dispute]);
    assert.deepEqual(
      [pack.decision.asked.eventType, pack.decision.approved.eventType, pack.decision.persons],
      ['INTENT_ISSUED', 'CART_VALIDATED', []],
    );
    assert.equal(pack.merchant.cart, 'cart');
    const types = pack.rail.map(({ eventType }: Loose) => eventType);
    assert.deepEqual(types, ['PM_ISSUED', 'PAYMENT_AUTHORIZED', 'PAYMENT_CAPTURED', 'PAYMENT_DISPUTED']);
    const verified = verifyBundle(nativeSuite(), String(files['bundle.json']), node.deps.issuer.did);
    assert.equal(verified.ok, true, JSON.stringify(verified));
    const page = String(files['pack.html']);
    assert.match(page, new RegExp(`<title>Dispute of payment ${mandateId}</title>`));
    assert.ok(page.includes(nativeSuite().sha256Hex(String(files['pack.json']))));
    assert.ok(page.includes(dispute['railDisputeId']));
    assert.match(page, /The policy alone; no person was asked\./);
    assert.ok(page.includes(`countersign evidence verify bundle.json --issuer ${node.deps.issuer.did}:`));
  });

  test('runs no script and loads nothing, whatever the shop wrote, and holds no token', async () => {
    const node = await memoryNode();
    const { did: agentDid } = await node.agent();
    const session = sessionOf('cs_1');
    session['line_items'][0].name = '<script src="https://evil.example/x.js"></script><img onerror=x>';
    const asked = { agentDid, merchantDomain: 'tea.example', session };
    const { mandateId, paymentData } = await node.run('validateAcpSession', asked);
    const tracking = '"><script>alert(1)</script>';
    const order = { id: 'o', checkout_session_id: 'cs_1', permalink_url: 'https://tea.example/o' };
    await node.run('settleHttpPayment', { mandateId, order: { ...order, fulfillments: [{ tracking }] } });
    await node.run('demoDispute', { mandateId });
    const files = await packOf(node, mandateId);
    const page = String(files['pack.html']);
    assert.ok(!/<(script|img|link|iframe|a)\b/i.test(page), page);
    assert.match(page, /default-src 'none'/);
    assert.match(page, /tracking/);
    const pack = JSON.parse(String(files['pack.json']));
    assert.equal(pack.merchant.cart, 'node');
    assert.equal(pack.merchant.told.receipt.fulfillments[0].tracking, tracking);
    const { token } = paymentData.instrument.credential;
    for (const text of Object.values(files)) assert.ok(!text.includes(token));
  });

  test('shows a bank each character that the shop wrote to hide or turn others', async () => {
    const node = await memoryNode();
    const { did: agentDid } = await node.agent();
    const session = sessionOf('cs_1');
    const { mandateId } = await node.run('validateAcpSession', { agentDid, merchantDomain: 'tea.example', session });
    const order = { id: 'o', checkout_session_id: 'cs_1', note: 'Sent \u202eton\u2066 to\u200b you' };
    await node.run('settleHttpPayment', { mandateId, order });
    await node.run('demoDispute', { mandateId });
    const files = await packOf(node, mandateId);
    assert.match(String(files['pack.html']), /Sent \\u\{202e\}ton\\u\{2066\} to\\u\{200b\} you/);
    assert.equal(JSON.parse(String(files['pack.json'])).merchant.told.receipt.note, order.note);
  });

  test('of an agent that had a thousand requests signed tells them in one line, and lets others ask meanwhile', async () => {
    const { node, mandateId } = await disputed();
    const asked = { mandateId, method: 'GET', profile: 'web-bot-auth' };
    for (let number = 0; number < 1000; number++)
      await node.run('signHttpRequest', { ...asked, url: `https://shop.example/${'tea'.repeat(100)}${number}` });
    const { pieces } = (await node.run('downloadDisputePack', { mandateId })) as unknown as ByteStream;
    let turns = 0;
    let isRead = false;
    const count = () => {
      turns += 1;
      if (!isRead) setImmediate(count);
    };
    setImmediate(count);
    const bytes: Uint8Array[] = [];
    for await (const piece of pieces) bytes.push(piece as Uint8Array);
    isRead = true;
    const files = unzipSync(Buffer.concat(bytes));
    const size = Object.values(files).reduce((sum, { length }) => sum + length, 0);
    assert.ok(size > 4_000_000 && turns >= size / 300_000, `${turns} turns for ${size} bytes`);
    const page = strFromU8(files['pack.html'] as Uint8Array);
    assert.equal(page.match(/HTTP_SIGNED/g)?.length, 1);
    assert.match(page, /; and 999 more until \S+, in bundle\.json/);
    const pack = JSON.parse(strFromU8(files['pack.json'] as Uint8Array));
    assert.match(disputeAnswer(pack).activity, /PAYMENT_DISPUTED\n\S+ HTTP_SIGNED, 1000 times until \S+$/);
    assert.equal(
      verifyBundle(nativeSuite(), strFromU8(files['bundle.json'] as Uint8Array), node.deps.issuer.did).ok,
      true,
    );
  });

  test('is not made of a payment without a dispute, of one that is not there, or for another agent', async () => {
    const { node, mandateId } = await disputed();
    const stranger = await node.agent();
    const caller = { ...stranger.caller, permissions: new Set(['read'] as const), agents: new Set([stranger.did]) };
    await assert.rejects(packOf(node, mandateId, caller), /There is no payment/);
    await assert.rejects(packOf(node, `pm_${'0'.repeat(26)}`), /There is no payment/);
    const undisputed = await node.pay(stranger.did, 5);
    await assert.rejects(packOf(node, undisputed), /has no dispute/);
  });

  test('says that it was submitted, once an owner has said so', async () => {
    const { node, mandateId, dispute } = await disputed();
    const submitted = await node.run('submitDispute', { id: dispute['id'], note: 'Sent to the bank by mail.' });
    assert.equal(submitted['mandateId'], mandateId);
    assert.equal((await node.events()).at(-1), 'PAYMENT_DISPUTE_SUBMITTED');
    const page = String((await packOf(node, mandateId))['pack.html']);
    assert.match(page, /PAYMENT_DISPUTE_SUBMITTED/);
    assert.match(page, /Sent to the bank by mail\./);
  });

  test('is submitted for a dispute that is there and open alone', async () => {
    const { node, mandateId, dispute } = await disputed();
    const note = 'Sent.';
    await assert.rejects(node.run('submitDispute', { id: 'dsp_none', note }), /There is no dispute/);
    await node.run('demoDisputeEnd', { mandateId, outcome: 'lost' });
    await assert.rejects(node.run('submitDispute', { id: dispute['id'], note }), /only one that is open/);
  });
});

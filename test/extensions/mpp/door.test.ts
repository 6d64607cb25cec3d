/** The door for what servers ask by HTTP, with MPP behind it: one budget, one touch, one record, whatever challenge it comes by. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { toBase64url } from '../../../protocol/credential/encodings.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { viewOpen } from '../../../src/domain/approvals/viewApproval.ts';
import { beginDecision, completeDecision } from '../../../src/operations/approvals/decideApproval.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import type { Loose } from '../../support/world.ts';

const URL_OF_REPORT = 'https://reports.example/report?b=2&a=1';

const PHONE = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));

/** As the person on the approval's page. */
async function decide({ deps }: MemoryNode, id: string, decision: 'approve' | 'deny'): Promise<void> {
  const { challengeId, publicKey } = await beginDecision.run(deps, { id, decision });
  await completeDecision.run(deps, { id, challengeId, credential: PHONE.get(publicKey) });
}

const receiptOf = (reference: string) =>
  toBase64url(new TextEncoder().encode(JSON.stringify({ method: 'stripe', status: 'success', reference })));

async function world(rules: object = {}, { phone = false }: { readonly phone?: boolean } = {}) {
  const node = await memoryNode();
  if (Object.keys(rules).length > 0) {
    await node.run('createPolicy', {
      name: 'Tested',
      rules: { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, ...rules },
    });
  }
  const { did: agentDid } = await node.agent();
  if (phone) {
    const { publicKey } = await node.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
    await node.run('completePasskeyRegistration', { agentDid, credential: PHONE.create(publicKey) });
  }
  const authorize = (id: string, more: object = {}, asked: object = {}): Promise<Loose> =>
    node.run('authorizeHttpPayment', {
      agentDid,
      url: URL_OF_REPORT,
      challenges: [mppChallenge({ id, ...asked })],
      ...more,
    });
  const settle = (report: object): Promise<Loose> => node.run('settleHttpPayment', report);
  const payment = (mandateId: string): Promise<Loose> => node.run('getPayment', { mandateId });
  return { node, agentDid, authorize, settle, payment };
}

describe('a challenge of MPP', () => {
  test('is paid by a token in the header that it names, in one purchase with all of its evidence', async () => {
    const { node, authorize, payment } = await world();
    const answer = await authorize('c1');
    assert.equal(answer.allowed, true, JSON.stringify(answer));
    assert.equal(answer.protocol, 'mpp');
    assert.equal(answer.send.header.name, 'Authorization');
    assert.match(answer.send.header.value, /^Payment [\w-]+$/);
    assert.match(answer.credential.payload.spt, /^spt_/);
    const paid = await payment(answer.mandateId);
    assert.deepEqual(
      [paid.status, paid.rail, paid.merchant, paid.amount, paid.description],
      ['AUTHORIZED', 'SPT_RAIL', 'reports.example', 5, 'GET https://reports.example/report'],
    );
    assert.deepEqual((await node.events()).slice(-4), [
      'INTENT_ISSUED',
      'CART_VALIDATED',
      'PM_ISSUED',
      'PAYMENT_AUTHORIZED',
    ]);
  });

  test('is paid by one token, however often and at once it is asked for', async () => {
    const { node, authorize } = await world();
    const answers = await Promise.all(Array.from({ length: 12 }, () => authorize('c1')));
    const tokens = new Set(answers.map(({ credential }) => credential.payload.spt));
    assert.equal(tokens.size, 1);
    assert.equal((await node.events()).filter((type) => type === 'PM_ISSUED').length, 1);
  });

  test('is not paid to another payee or for other money under the same id', async () => {
    const { authorize } = await world();
    await authorize('c1');
    await assert.rejects(authorize('c1', {}, { amount: '501' }), /authorized before for other money/);
  });

  test('is of one agent', async () => {
    const { node, authorize } = await world();
    await authorize('c1');
    const other = await node.agent();
    await assert.rejects(authorize('c1', { agentDid: other.did }), /another agent/);
  });

  test('over the cap makes no token', async () => {
    const { node, authorize } = await world();
    const answer = await authorize('c1', {}, { amount: '500000' });
    assert.deepEqual([answer.allowed, answer.reasonCodes], [false, ['AMOUNT_OVER_CAP']]);
    assert.ok(!(await node.events()).includes('PM_ISSUED'));
  });

  test('that nothing here can pay is refused with all that was offered', async () => {
    const { node, agentDid } = await world();
    const challenge =
      'Payment id="x", realm="r", method="tempo", intent="session", request="e30", expires="2099-01-01T00:00:00Z"';
    const answer = await node.run('authorizeHttpPayment', { agentDid, url: URL_OF_REPORT, challenges: [challenge] });
    assert.deepEqual(answer.reasonCodes, ['RAIL_UNAVAILABLE']);
    assert.match(answer.details.RAIL_UNAVAILABLE.message, /tempo\/session/);
  });
});

describe('the payee', () => {
  test('of another domain is refused whatever the policy says', async () => {
    const { node, authorize } = await world({ merchant: { allow_unbound_payees: true } });
    await node.run('bindMerchant', { domain: 'other.example', railProfileId: 'profile_reports' });
    const answer = await authorize('c1');
    assert.deepEqual(answer.reasonCodes, ['MERCHANT_MISMATCH']);
  });

  test('that is none of those of the domain is not verified', async () => {
    const { node, authorize } = await world({ merchant: { allow_unbound_payees: true } });
    await node.run('bindMerchant', { domain: 'reports.example', railProfileId: 'profile_other' });
    assert.deepEqual((await authorize('c1')).reasonCodes, ['MERCHANT_UNVERIFIED']);
  });

  test('that is bound to the domain is paid where unbound ones are not', async () => {
    const { node, authorize } = await world({ merchant: { allow_unbound_payees: false } });
    assert.deepEqual((await authorize('c1')).reasonCodes, ['MERCHANT_UNVERIFIED']);
    await node.run('bindMerchant', { domain: 'reports.example', railProfileId: 'profile_reports' });
    assert.equal((await authorize('c2')).allowed, true);
  });

  test('says who the merchant of a tool is that came by no address', async () => {
    const { node, authorize, payment } = await world();
    const asked = { url: undefined, toolName: 'report' };
    assert.deepEqual((await authorize('c1', asked)).reasonCodes, ['MERCHANT_UNVERIFIED']);
    await node.run('bindMerchant', { domain: 'reports.example', railProfileId: 'profile_reports' });
    const { mandateId } = await authorize('c2', asked);
    assert.equal((await payment(mandateId)).merchant, 'reports.example');
  });
});

describe('the touch', () => {
  const ASKS = { context: { presence: 'required' } };

  test('is asked for once for equal content, whatever challenge it comes by, and buys once', async () => {
    const { node, authorize, payment } = await world(ASKS, { phone: true });
    const first = await authorize('c1', { idempotencyKey: 'k' });
    assert.deepEqual(first.reasonCodes, ['HP_REQUIRED']);
    const again = await authorize('c2');
    assert.equal(again.approval.id, first.approval.id);
    const approvalId = first.approval.id;
    assert.deepEqual((await authorize('c3', { approvalId })).reasonCodes, ['HP_REQUIRED']);
    await decide(node, approvalId, 'approve');
    const bought = await authorize('c4', { approvalId, idempotencyKey: 'k2' });
    assert.equal(bought.allowed, true, JSON.stringify(bought));
    assert.equal((await payment(bought.mandateId)).status, 'AUTHORIZED');
    const another = await authorize('c5', { approvalId });
    assert.deepEqual(another.reasonCodes, ['HP_REQUIRED']);
    assert.notEqual(another.approval.id, approvalId);
  });

  test('of one purchase lets no other be paid', async () => {
    const { node, authorize } = await world(ASKS, { phone: true });
    const { approval } = await authorize('c1');
    await decide(node, approval.id, 'approve');
    const asked = { approvalId: approval.id };
    for (const other of [{ amount: '501' }, { networkId: 'profile_other' }]) {
      assert.deepEqual((await authorize('c2', asked, other)).reasonCodes, ['HP_INVALID']);
    }
    assert.deepEqual((await authorize('c3', { ...asked, url: 'https://reports.example/other' })).reasonCodes, [
      'HP_INVALID',
    ]);
    await assert.rejects(authorize('c4', { approvalId: 'apr_unknown' }), /no approval/);
  });

  test('that was refused is not asked for again', async () => {
    const { node, authorize } = await world(ASKS, { phone: true });
    const { approval } = await authorize('c1');
    await decide(node, approval.id, 'deny');
    const again = await authorize('c2');
    assert.deepEqual([again.reasonCodes, again.approval], [['HP_REQUIRED'], undefined]);
  });
});

describe('the first try that a call replaces', () => {
  test('is revoked before another token is made', async () => {
    const { authorize, payment } = await world({ risk: { duplicate: { window: '10m', action: 'deny' } } });
    const first = await authorize('c1');
    assert.deepEqual((await authorize('c2')).reasonCodes, ['DUPLICATE_SUSPECTED']);
    const second = await authorize('c2', { replaces: first.mandateId });
    assert.equal(second.allowed, true);
    assert.equal((await payment(first.mandateId)).status, 'CANCELED');
  });

  test('that was paid refuses the second', async () => {
    const { authorize, settle } = await world();
    const { mandateId } = await authorize('c1');
    await settle({ mandateId, receipt: receiptOf('pi_1') });
    const second = await authorize('c2', { replaces: mandateId });
    assert.deepEqual([second.reasonCodes, second.duplicateOf.mandateId], [['DUPLICATE_SUSPECTED'], mandateId]);
  });

  test('is the agent’s own', async () => {
    const { node, authorize } = await world();
    const { mandateId } = await authorize('c1');
    const other = await node.agent();
    await assert.rejects(authorize('c2', { replaces: mandateId, agentDid: other.did }), /of another agent/);
    const paid = await node.pay(other.did);
    await assert.rejects(authorize('c2', { replaces: paid, agentDid: other.did }), /asked for by HTTP/);
  });
});

describe('a report', () => {
  test('with a receipt counts the money as spent, by the merchant’s word', async () => {
    const { node, authorize, settle } = await world();
    const { mandateId } = await authorize('c1');
    const settled = await settle({ challengeId: 'c1', receipt: receiptOf('pi_1'), status: 200 });
    assert.deepEqual([settled.mandateId, settled.status, settled.captured], [mandateId, 'CAPTURED', 5]);
    const { data } = await node.run('searchEvidence', { limit: 1 });
    assert.equal(data[0].data.attested, 'merchant');
    assert.equal(data[0].data.reference, 'pi_1');
  });

  test('of a 402 takes the token back, and frees the money', async () => {
    const { authorize, settle } = await world();
    const { mandateId } = await authorize('c1');
    const settled = await settle({ mandateId, status: 402 });
    assert.equal(settled.status, 'CANCELED');
  });

  test('without a receipt below 400 changes nothing', async () => {
    const { node, authorize, settle } = await world();
    const { mandateId } = await authorize('c1');
    assert.equal((await settle({ mandateId, status: 204 })).status, 'AUTHORIZED');
    assert.equal((await node.events()).at(-1), 'PAYMENT_NOTED');
    await settle({ mandateId, status: 204 });
    assert.equal((await node.events()).filter((type) => type === 'PAYMENT_NOTED').length, 1);
  });

  test('of a stranger is of no payment', async () => {
    const { node, authorize } = await world();
    await authorize('c1');
    const other = await node.agent();
    const caller = { ...other.caller, agents: new Set([other.did]) };
    await assert.rejects(node.run('settleHttpPayment', { challengeId: 'c1', status: 402 }, caller), /no such payment/);
  });

  test('with the receipt of another purchase is refused', async () => {
    const { authorize, settle } = await world();
    const { mandateId } = await authorize('c1', {}, { externalId: 'order_1' });
    await assert.rejects(settle({ mandateId, receipt: receiptOf('pi_1') }), /externalId/);
  });

  test('with a receipt that names nothing, and has paid for another purchase, is refused with that one', async () => {
    const { authorize, settle, payment } = await world();
    const [first, second] = [await authorize('c1'), await authorize('c2')];
    await settle({ mandateId: first.mandateId, receipt: receiptOf('pi_1') });
    const again = settle({ mandateId: second.mandateId, receipt: receiptOf('pi_1') });
    await assert.rejects(again, new RegExp(`is of ${first.mandateId}`));
    assert.equal((await payment(second.mandateId)).status, 'AUTHORIZED');
    assert.equal((await settle({ mandateId: first.mandateId, receipt: receiptOf('pi_1') })).status, 'CAPTURED');
  });
});

describe('the owner', () => {
  test('says how a payment ended that nothing tells of, and the note stands in the evidence', async () => {
    const { node, authorize } = await world();
    const { mandateId } = await authorize('c1');
    const settled = await node.run('settlePayment', { mandateId, status: 'CANCELED', note: 'The shop says so.' });
    assert.equal(settled.status, 'CANCELED');
    const { data } = (await node.run('searchEvidence', { limit: 1 })).data[0];
    assert.deepEqual([data.attested, data.note, data.by.kind], ['owner', 'The shop says so.', 'key']);
    await assert.rejects(node.run('settlePayment', { mandateId, status: 'CAPTURED', note: 'No.' }), /is CANCELED/);
  });

  test('settles no payment of a cart so', async () => {
    const { node, agentDid } = await world();
    const mandateId = await node.pay(agentDid);
    await assert.rejects(
      node.run('settlePayment', { mandateId, status: 'CANCELED', note: 'No.' }),
      /asked for by HTTP/,
    );
  });

  test('is told of a receipt for a payment that has ended', async () => {
    const { authorize, settle, payment } = await world();
    const { mandateId } = await authorize('c1');
    await settle({ mandateId, status: 402 });
    await settle({ mandateId, receipt: receiptOf('pi_1') });
    const { status, attention } = await payment(mandateId);
    assert.equal(status, 'CANCELED');
    assert.match(attention.reason, /says that it was paid/);
  });
});

test('a malformed offer of one protocol does not keep the other from being paid', async () => {
  const { authorize } = await world();
  assert.equal((await authorize('c1', { paymentRequired: 'no base64' })).allowed, true);
  await assert.rejects(authorize('c2', { paymentRequired: 'no base64' }, { amount: 'x' }), /whole number/);
});

test('what a server or an agent writes of any characters is answered without a fault of the node', async () => {
  const { node, agentDid, authorize } = await world();
  const texts = ['\u0000', '\ud800', '\u202e', '"\\', 'x'.repeat(200), '\u{1f9ff}'.repeat(50)];
  for (const [at, text] of texts.entries()) {
    const request = {
      amount: '500',
      currency: 'usd',
      externalId: `o${text}`,
      methodDetails: { networkId: 'profile_x', paymentMethodTypes: ['card'], metadata: { [text]: text } },
    };
    const challenge = {
      id: `i${at}${text}`,
      realm: text,
      method: 'stripe',
      intent: 'charge',
      request,
      description: text,
      expires: '2099-01-01T00:00:00Z',
    };
    const asked = { agentDid, url: `https://reports.example/${at}`, toolName: `t${text}`, challenges: [challenge] };
    const answer = await node.run('authorizeHttpPayment', asked).catch((error: unknown) => error);
    if (answer instanceof Error) assert.equal(answer.name, 'Fault', `${JSON.stringify(text)}: ${answer.stack}`);
    else
      await node.run('settleHttpPayment', {
        mandateId: answer.mandateId,
        status: 500,
        problem: { type: text, title: text },
      });
  }
  assert.equal((await authorize('last')).allowed, true);
});

test('a person is shown who asked, and for what, and that no shop has signed it', async () => {
  const { node, authorize } = await world({ context: { presence: 'required' } });
  const { approval } = await authorize('c1', {}, { externalId: 'order_1' });
  const shown: Loose = await node.deps.store.read((now) => viewOpen(node.deps, approval.id, now));
  assert.equal(shown.unlisted, true);
  assert.deepEqual(shown.items, [{ name: 'GET https://reports.example/report', quantity: 1, amount: '5.00 USD' }]);
  const details = Object.fromEntries(shown.details.map(({ name, value }: Loose) => [name, value]));
  assert.deepEqual(details, {
    'Asked for by': 'mpp',
    Payee: 'profile_reports',
    'The server calls itself': 'reports.example',
    'The server’s order': 'order_1',
  });
});

test('the bundle of a payment by HTTP verifies, and holds no token', async () => {
  const { node, authorize } = await world();
  const { transactionId, mandateId, credential } = await authorize('c1');
  const text = await node.runCall('evidenceBundle', { transactionId, format: 'portable' });
  const verified = verifyBundle(nativeSuite(), text, node.deps.issuer.did);
  assert.equal(verified.ok, true, JSON.stringify(verified));
  assert.match(text, new RegExp(mandateId));
  assert.ok(!text.includes(credential.payload.spt));
});

test('a payment by HTTP is captured and refunded by its merchant alone, and canceled by whom it was made for', async () => {
  const { node, authorize } = await world();
  const { mandateId } = await authorize('c1');
  await assert.rejects(node.run('capturePayment', { mandateId }), /the merchant does that/);
  assert.equal((await node.run('cancelPayment', { mandateId })).status, 'CANCELED');
});

test('no cart of a merchant is paid by the rail of a gate', async () => {
  const { node, agentDid } = await world({ rails: { allow: ['SPT_RAIL'] } });
  assert.equal(await node.approve(agentDid), undefined);
  const { data } = await node.run('searchEvidence', { limit: 1 });
  assert.deepEqual(data[0].data.reasonCodes, ['RAIL_UNAVAILABLE']);
});

/** Sessions of ACP, paid by a node at a shop made from the official schemas. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { beginDecision, completeDecision } from '../../../src/operations/approvals/decideApproval.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';
import { faultsOf } from './acpSchemas.ts';
import { AcpShop, HANDLER, sessionOf } from './acpShop.ts';

const SHOP = 'tea.example';
const PHONE = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));

async function world(rules: object = {}) {
  const node = await memoryNode();
  if (Object.keys(rules).length > 0) {
    const spend = { amount_cap: 1000, currency: 'USD' };
    await node.run('createPolicy', { name: 'Tested', rules: { version: '2.0', spend, ...rules } });
  }
  const { did: agentDid } = await node.agent();
  const validate = (session: Loose, more: object = {}): Promise<Loose> =>
    node.run('validateAcpSession', { agentDid, merchantDomain: SHOP, session, ...more });
  const settle = (report: object): Promise<Loose> => node.run('settleHttpPayment', report);
  const status = async (mandateId: string) => (await node.run('getPayment', { mandateId }))['status'];
  return { node, agentDid, shop: new AcpShop(), validate, settle, status };
}

describe('a session of ACP', () => {
  test('is paid by a token in the body of /complete, which the official schema takes, and its order settles it', async () => {
    const { node, shop, validate, settle } = await world();
    const session = shop.create();
    const granted = await validate(session);
    assert.equal(granted.allowed, true, JSON.stringify(granted));
    assert.deepEqual(faultsOf('PaymentData', granted.paymentData), []);
    assert.deepEqual(granted.send, { body: { payment_data: granted.paymentData } });
    assert.deepEqual(faultsOf('CheckoutSessionCompleteRequest', granted.send.body), []);
    const { handler_id: handler, instrument } = granted.paymentData;
    assert.deepEqual([handler, instrument.type, instrument.credential.type], [HANDLER.id, 'card', 'spt']);
    const { body } = shop.complete(session['id'], granted.send.body, 'k1');
    const paid = await settle({ mandateId: granted.mandateId, session: body, status: 200 });
    assert.deepEqual(
      [paid['status'], paid['amount'], paid['rail'], paid['merchant']],
      ['CAPTURED', 29, 'SPT_RAIL', SHOP],
    );
    assert.deepEqual(shop.taken, [instrument.credential.token]);
    const types = (await node.events()).slice(-5);
    assert.deepEqual(types, ['INTENT_ISSUED', 'CART_VALIDATED', 'PM_ISSUED', 'PAYMENT_AUTHORIZED', 'PAYMENT_CAPTURED']);
    const text = await node.runCall('evidenceBundle', { transactionId: granted.transactionId, format: 'portable' });
    assert.equal(verifyBundle(nativeSuite(), text, node.deps.issuer.did).ok, true);
    assert.ok(!text.includes(instrument.credential.token));
  });

  test('is a cart of the node in which people read its lines, with shipping and tax', async () => {
    const { node, validate } = await world();
    const { transactionId, mandateId } = await validate(sessionOf('cs_1'));
    const { events } = await node.run('evidenceBundle', { transactionId });
    const cart = events.find(({ eventType }: Loose) => eventType === 'CART_VALIDATED').data;
    assert.deepEqual(
      [cart.source, cart.payee, cart.sessionId, cart.psp, cart.note],
      ['acp', 'acct_tea', 'cs_1', 'stripe', undefined],
    );
    assert.match((await node.run('getPayment', { mandateId }))['description'], /^2 × Green tea and 2 others$/);
  });

  test('is paid by one token, however often and at once it is sent', async () => {
    const { node, validate } = await world();
    const answers = await Promise.all(Array.from({ length: 12 }, () => validate(sessionOf('cs_1'))));
    const tokens = new Set(answers.map(({ paymentData }) => paymentData.instrument.credential.token));
    assert.equal(tokens.size, 1);
    assert.equal((await node.events()).filter((type) => type === 'PM_ISSUED').length, 1);
    const dearer = sessionOf('cs_1', { totals: [{ type: 'total', display_text: 'Total', amount: 2901 }] });
    await assert.rejects(validate(dearer), /authorized before for other money/);
  });

  test('counts by its total, and a breakdown that does not add up is the shop’s words', async () => {
    const { node, validate } = await world();
    const totals = [
      { type: 'subtotal', display_text: 'Subtotal', amount: 1 },
      { type: 'total', display_text: 'Total', amount: 500 },
    ];
    const { mandateId, transactionId } = await validate(sessionOf('cs_1', { totals, currency: 'UsD', unknown: [1] }));
    const payment = await node.run('getPayment', { mandateId });
    assert.deepEqual([payment['amount'], payment['currency'], payment['description']], [5, 'USD', '2 × Green tea']);
    const { events } = await node.run('evidenceBundle', { transactionId });
    const cart = events.find(({ eventType }: Loose) => eventType === 'CART_VALIDATED').data;
    assert.match(cart.note, /do not add up/);
    assert.deepEqual(cart.totals[0], { label: 'Subtotal', amount: 0.01 });
  });

  test('without one total above 0 is malformed', async () => {
    const { validate } = await world();
    const none = (amount: unknown) =>
      validate(sessionOf('cs_1', { totals: [{ type: 'total', display_text: '', amount }] }));
    await assert.rejects(validate(sessionOf('cs_1', { totals: [] })), /exactly one entry of the type total/);
    for (const amount of [0, -1, 1.5, '5', 1e15]) await assert.rejects(none(amount), String(amount));
  });

  test('of a version with a provider in place of handlers is refused by name', async () => {
    const { validate } = await world();
    const { capabilities: _none, ...session } = sessionOf('cs_1');
    const former = { ...session, payment_provider: { provider: 'stripe', supported_payment_methods: ['card'] } };
    await assert.rejects(
      validate(former),
      /is of an earlier version of ACP, .* ask the shop with API-Version 2026-04-17/,
    );
  });

  test('over the cap makes no token', async () => {
    const { node, validate } = await world();
    const totals = [{ type: 'total', display_text: 'Total', amount: 500_000 }];
    assert.deepEqual((await validate(sessionOf('cs_1', { totals })))['reasonCodes'], ['AMOUNT_OVER_CAP']);
    assert.ok(!(await node.events()).includes('PM_ISSUED'));
  });
});

describe('the shop', () => {
  test('is paid through its own account at the provider, and no other one', async () => {
    const { node, validate } = await world({ merchant: { allow_unbound_payees: false } });
    assert.deepEqual((await validate(sessionOf('cs_1')))['reasonCodes'], ['MERCHANT_UNVERIFIED']);
    await node.run('bindMerchant', { domain: 'other.example', railProfileId: 'acct_tea' });
    const mismatch = ['MERCHANT_MISMATCH', 'MERCHANT_UNVERIFIED'];
    assert.deepEqual((await validate(sessionOf('cs_2')))['reasonCodes'], mismatch);
    await node.run('bindMerchant', { domain: 'herbs.example', railProfileId: 'acct_herbs' });
    const herbs = { ...HANDLER, config: { merchant_id: 'acct_herbs' } };
    const session = sessionOf('cs_3', { capabilities: { payment: { handlers: [herbs] } } });
    assert.equal((await validate(session, { merchantDomain: 'herbs.example' }))['allowed'], true);
  });

  test('that takes what the node has not is named', async () => {
    const { validate } = await world();
    const refusedFor = async (handlers: object[]) => {
      const { reasonCodes, details } = await validate(sessionOf('cs_1', { capabilities: { payment: { handlers } } }));
      assert.deepEqual(reasonCodes, ['RAIL_UNAVAILABLE']);
      return details['RAIL_UNAVAILABLE'].message;
    };
    assert.match(await refusedFor([{ ...HANDLER, psp: 'adyen' }]), /dev\.acp\.tokenized\.card \(by adyen\)/);
    assert.match(await refusedFor([{ ...HANDLER, requires_pci_compliance: true }]), /takes card numbers/);
    assert.match(await refusedFor([{ ...HANDLER, name: 'dev.acp.seller_backed.points' }]), /the shop’s own/);
    assert.match(await refusedFor([{ ...HANDLER, config: {} }]), /names no merchant_id/);
    assert.match(await refusedFor([]), /no payment handler/);
  });

  test('is asked by one of several handlers that can be paid', async () => {
    const { validate } = await world();
    const handlers = [{ ...HANDLER, id: 'other', psp: 'adyen' }, HANDLER];
    const granted = await validate(sessionOf('cs_1', { capabilities: { payment: { handlers } } }));
    assert.equal(granted['paymentData'].handler_id, HANDLER.id);
  });
});

const STATUSES = [
  ['incomplete', 'RAIL_UNAVAILABLE', /only one that is ready_for_payment/],
  ['not_ready_for_payment', 'RAIL_UNAVAILABLE', /only one that is ready_for_payment/],
  ['requires_escalation', 'RAIL_UNAVAILABLE', /a person goes on at https:\/\/tea\.example\/go/],
  ['authentication_required', 'RAIL_UNAVAILABLE', /a person goes on at/],
  ['pending_approval', 'RAIL_UNAVAILABLE', /a person goes on at/],
  ['complete_in_progress', 'RAIL_UNAVAILABLE', /same Idempotency-Key/],
  ['in_progress', 'RAIL_UNAVAILABLE', /same Idempotency-Key/],
  ['completed', 'CART_USED', /has an order/],
  ['canceled', 'CART_EXPIRED', /canceled/],
  ['expired', 'CART_EXPIRED', /expired/],
  ['of_another_version', 'RAIL_UNAVAILABLE', /of_another_version/],
] as const;

describe('the status', () => {
  for (const [name, code, message] of STATUSES) {
    test(`${name} buys nothing`, async () => {
      const { node, validate } = await world();
      const before = (await node.events()).length;
      const refused = await validate(sessionOf('cs_1', { status: name, continue_url: 'https://tea.example/go' }));
      assert.deepEqual(refused['reasonCodes'], [code]);
      assert.match(refused['details'][code].message, message);
      assert.equal(refused['continueUrl'], String(message).includes('goes on') ? 'https://tea.example/go' : undefined);
      assert.equal((await node.events()).length, before);
    });
  }

  test('after the token that asks for the customer is shown to people, with a page of the shop alone, until it is paid', async () => {
    for (const [url, where] of [
      ['https://pay.tea.example/3ds', 'at https://pay.tea.example/3ds'],
      ['https://tea.example.evil.example/3ds', 'at the shop'],
    ] as const) {
      const { node, validate, settle } = await world();
      const granted = await validate(sessionOf('cs_1'));
      const asking = sessionOf('cs_1', { status: 'authentication_required', continue_url: url });
      const report = { mandateId: granted['mandateId'], status: 200, session: asking };
      const flagged = await settle(report);
      assert.equal(flagged['status'], 'AUTHORIZED');
      assert.deepEqual((await settle(report))['attention'], flagged['attention']);
      const reason = `The shop asks for its customer (authentication_required): a person goes on ${where}.`;
      assert.equal(flagged['attention'].reason, reason);
      const shown = JSON.stringify(await node.run('showAttention', {}));
      assert.ok(shown.includes(granted['mandateId']), 'it stands in what needs a person');
      const order = { id: 'ord_1', checkout_session_id: 'cs_1', permalink_url: 'https://tea.example/orders/1' };
      const paid = await settle({ ...report, session: { ...asking, status: 'completed', order } });
      assert.deepEqual([paid['status'], paid['attention']], ['CAPTURED', undefined]);
    }
  });

  test('ready_for_payment with an intervention goes to the person, and by no address that is not https', async () => {
    const { validate } = await world();
    const message = { type: 'error', code: 'intervention_required', content_type: 'plain', content: 'Sign in.' };
    const refused = await validate(sessionOf('cs_1', { messages: [message], continue_url: 'javascript:alert(1)' }));
    assert.match(refused['details'].RAIL_UNAVAILABLE.message, /goes on at the shop\. It says: Sign in\./);
    assert.equal(refused['continueUrl'], undefined);
  });

  test('of one that has ended is CART_EXPIRED, and the same session later is judged anew', async () => {
    const { node, validate } = await world();
    const at = (milliseconds: number) => new Date(node.clock.now + milliseconds).toISOString();
    const ended = await validate(sessionOf('cs_1', { quote_expires_at: at(-1) }), { idempotencyKey: 'k' });
    assert.deepEqual(ended['reasonCodes'], ['CART_EXPIRED']);
    const granted = await validate(sessionOf('cs_1', { expires_at: at(60_000) }), { idempotencyKey: 'k2' });
    assert.equal(granted['expiresAt'], at(60_000));
  });
});

describe('what the shop answers to /complete', () => {
  test('declined: the token is taken back, and a further try names the first', async () => {
    const { shop, validate, settle, status } = await world();
    const session = shop.create();
    const first = await validate(session);
    shop.issuer = 'declines';
    const declined = shop.complete(session['id'], first['send'].body, 'k1');
    const ended = await settle({ mandateId: first['mandateId'], session: declined.body });
    assert.equal(ended['status'], 'CANCELED');
    await assert.rejects(validate(session), /is CANCELED/);
    shop.issuer = 'accepts';
    const second = await validate(session, { replaces: first['mandateId'] });
    assert.equal(second['allowed'], true, JSON.stringify(second));
    const again = await validate(session, { replaces: first['mandateId'] });
    assert.equal(again['mandateId'], second['mandateId']);
    const { body } = shop.complete(session['id'], second['send'].body, 'k2');
    assert.equal((await settle({ mandateId: second['mandateId'], order: body['order'] }))['status'], 'CAPTURED');
    assert.equal(shop.taken.length, 1);
    assert.equal(await status(first['mandateId']), 'CANCELED');
    const third = await validate(session, { replaces: second['mandateId'] });
    assert.deepEqual([third['allowed'], third['reasonCodes']], [false, ['DUPLICATE_SUSPECTED']]);
  });

  test('a try of another session is not replaced, and stays as it is', async () => {
    const { validate, status } = await world();
    const { mandateId } = await validate(sessionOf('cs_1'));
    await assert.rejects(validate(sessionOf('cs_2'), { replaces: mandateId }), /payment of another session/);
    assert.equal(await status(mandateId), 'AUTHORIZED');
  });

  test('escalated: nothing is freed, and the session goes to the person', async () => {
    const { shop, validate, settle } = await world();
    const session = shop.create();
    const granted = await validate(session);
    shop.issuer = 'asks';
    const { body } = shop.complete(session['id'], granted['send'].body, 'k1');
    assert.equal((await settle({ mandateId: granted['mandateId'], session: body }))['status'], 'AUTHORIZED');
    assert.equal((await validate(body))['continueUrl'], 'https://tea.example/authenticate');
  });

  test('in flight: it waits, and the same key gives the one order; another body under it is a conflict', async () => {
    const { shop, validate, settle } = await world();
    const session = shop.create();
    const granted = await validate(session);
    const { mandateId } = granted;
    shop.isBusy = true;
    const busy = shop.complete(session['id'], granted['send'].body, 'k1');
    assert.equal(busy.status, 409);
    assert.equal((await settle({ mandateId, problem: busy.body, status: 409 }))['status'], 'AUTHORIZED');
    shop.isBusy = false;
    const { body } = shop.complete(session['id'], granted['send'].body, 'k1');
    const conflict = shop.complete(session['id'], { ...granted['send'].body, order_notes: 'x' }, 'k1');
    assert.equal(conflict.status, 422);
    assert.equal((await settle({ mandateId, problem: conflict.body, status: 422 }))['status'], 'AUTHORIZED');
    shop.complete(session['id'], granted['send'].body, 'k1');
    assert.equal(shop.taken.length, 1);
    assert.equal((await settle({ mandateId, session: body }))['status'], 'CAPTURED');
  });

  test('an order of another session settles nothing', async () => {
    const { validate, settle, status } = await world();
    const { mandateId } = await validate(sessionOf('cs_1'));
    const order = { id: 'o', checkout_session_id: 'cs_2', permalink_url: 'https://tea.example/o' };
    await assert.rejects(settle({ mandateId, order }), /is of another session/);
    await assert.rejects(settle({ mandateId, session: sessionOf('cs_2') }), /is another session/);
    await assert.rejects(settle({ mandateId, order: {} }), /no Order of ACP/);
    assert.equal(await status(mandateId), 'AUTHORIZED');
  });

  test('canceled or expired frees the amount, once the token is taken back', async () => {
    const { validate, settle } = await world();
    for (const end of ['canceled', 'expired']) {
      const session = sessionOf(`cs_${end}`);
      const { mandateId } = await validate(session);
      assert.equal((await settle({ mandateId, session: { ...session, status: end } }))['status'], 'CANCELED');
    }
  });
});

describe('an intent', () => {
  const issue = (node: Loose, agentDid: string, vendorHints?: object) =>
    node['run']('issueIntent', {
      agentDid,
      principalDid: agentDid,
      request: { maxAmount: 50, currency: 'USD', ...(vendorHints === undefined ? {} : { vendorHints }) },
    });
  const idOf = ({ intentVc }: Loose) => intentVc.credentialSubject.mandateId;

  test('that names the shop buys a session, once', async () => {
    const { node, agentDid, validate } = await world();
    const intentId = idOf(await issue(node, agentDid, { domain: SHOP }));
    const granted = await validate(sessionOf('cs_1'), { intentId });
    assert.deepEqual([granted['allowed'], granted['intentId']], [true, intentId]);
    assert.deepEqual((await validate(sessionOf('cs_2'), { intentId }))['reasonCodes'], ['INTENT_USED']);
    await assert.rejects(validate(sessionOf('cs_3'), { intentId, principalDid: agentDid }), /says whose money it is/);
    assert.equal((await node.events()).filter((type) => type === 'INTENT_ISSUED').length, 1);
  });

  test('of another merchant, of none, or of another agent buys nothing, and stays', async () => {
    const { node, agentDid, validate } = await world();
    const other = idOf(await issue(node, agentDid, { domain: 'other.example' }));
    assert.deepEqual((await validate(sessionOf('cs_1'), { intentId: other }))['reasonCodes'], ['MERCHANT_MISMATCH']);
    assert.equal((await node.run('getIntent', { mandateId: other }))['status'], 'ACTIVE');
    const open = idOf(await issue(node, agentDid));
    await assert.rejects(validate(sessionOf('cs_1'), { intentId: open }), /without a merchant/);
    const stranger = await node.agent();
    const foreign = idOf(await issue(node, stranger.did, { domain: SHOP }));
    await assert.rejects(validate(sessionOf('cs_1'), { intentId: foreign }), /no intent/);
  });

  test('bounds what is paid', async () => {
    const { node, agentDid, validate } = await world();
    const intentId = idOf(await issue(node, agentDid, { domain: SHOP }));
    const totals = [{ type: 'total', display_text: 'Total', amount: 5001 }];
    const refused = await validate(sessionOf('cs_1', { totals }), { intentId });
    assert.deepEqual(refused['reasonCodes'], ['CART_EXCEEDS_INTENT']);
  });
});

test('a person who approves a session is asked once, and the same session is paid then', async () => {
  const { node, agentDid, validate } = await world({ context: { presence: 'required' } });
  const { publicKey } = await node.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
  await node.run('completePasskeyRegistration', { agentDid, credential: PHONE.create(publicKey) });
  const asked = await validate(sessionOf('cs_1'), { idempotencyKey: 'k' });
  assert.deepEqual(asked['reasonCodes'], ['HP_REQUIRED']);
  const { id } = asked['approval'];
  const begun = await beginDecision.run(node.deps, { id, decision: 'approve' });
  const credential = PHONE.get(begun.publicKey);
  await completeDecision.run(node.deps, { id, challengeId: begun.challengeId, credential });
  const granted = await validate(sessionOf('cs_1'), { idempotencyKey: 'k', approvalId: id });
  assert.equal(granted['allowed'], true, JSON.stringify(granted));
});

test('an agent pays for itself alone', async () => {
  const { node, agentDid } = await world();
  const { caller, did } = await node.agent();
  const input = { agentDid, merchantDomain: SHOP, session: sessionOf('cs_1') };
  const stranger = { ...caller, agents: new Set([did]) };
  await assert.rejects(node.run('validateAcpSession', input, stranger), /cannot act for/);
});

/** A chain of mandates becomes an approval token: once, within its constraints, and where the policy allows the purchase. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { beforeEach, describe, test } from 'node:test';
import { verifyPaymentReceipt } from '../../../client/receipts.ts';
import { expireIntents } from '../../../src/workers/expireIntents.ts';
import { budget, checkoutJwt, MandateParties, PAYEE, referenceOf } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const DAY = 24 * 3600 * 1000;

describe('payment credentials', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  let issuerId: string;
  const trust = async (kind = 'agent-provider', more: object = {}) =>
    (await node.run('addMandateIssuer', { name: 'Issuer', kind, jwk: parties.provider.jwk, ...more })).id;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    issuerId = await trust();
  });

  const present = (body: Loose, more: object = {}): Promise<Loose> =>
    node.run('issuePaymentCredential', { agentDid, ...body, ...more });
  const pay = (approvalToken: string) => node.run('mandatePayment', { approvalToken });
  const refused = async (body: Loose, codes: readonly string[], more: object = {}) => {
    const answer = await present(body, more);
    assert.deepEqual(answer.reasonCodes, codes, JSON.stringify(answer));
    return answer;
  };
  const setRules = (rules: object) =>
    node.run('createPolicy', { name: 'P', rules: { version: '2.0', ...rules }, activate: true });
  const spend = { spend: { amount_cap: 1000, currency: 'USD' } };

  test('pay, and the receipt refers to the mandate', async () => {
    const body = parties.close(parties.open());
    const { approvalToken, reference, intentId, allowed } = await present(body);
    assert.equal(allowed, true);
    assert.equal(reference, referenceOf(body.paymentMandate));
    const { pmVc, railResponse, paymentReceipt } = await pay(approvalToken);
    assert.equal(railResponse.status, 'requires_capture');
    assert.equal(pmVc.credentialSubject.intentId, intentId);
    assert.deepEqual([pmVc.credentialSubject.amount, pmVc.credentialSubject.merchant], [20, 'shop.example']);
    const keys = [node.deps.keys.receiptSigner.jwk];
    const claims = verifyPaymentReceipt(paymentReceipt, { keys, iss: 'http://localhost', reference });
    assert.deepEqual(
      [claims.status, claims.payment_id, claims.psp_confirmation_id],
      ['Success', pmVc.credentialSubject.mandateId, railResponse.paymentIntentId],
    );
    const events = await node.events();
    for (const type of ['INTENT_ISSUED', 'CART_VALIDATED', 'MANDATE_ACCEPTED', 'PM_ISSUED', 'RECEIPT_ISSUED'])
      assert.ok(events.includes(type), type);
  });

  test('leave the answers to other payments as they were', async () => {
    const request = { maxAmount: 10, currency: 'USD' };
    const { intentVc } = await node.run('issueIntent', { agentDid, principalDid: agentDid, request });
    const { cartVc } = await node.run('demoCart', {
      payerDid: agentDid,
      domain: 'shop.example',
      amount: 10,
      currency: 'USD',
    });
    const { approvalToken } = await node.run('validateCart', { intentVc, cartVc });
    assert.deepEqual(Object.keys(await pay(approvalToken)), ['pmVc', 'railResponse']);
  });

  test('a decline gets a receipt of the error, and the budget back', async () => {
    const open = parties.open(budget(30, 'USD'));
    const first = await present(parties.close(open));
    node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No funds.' }));
    const { railResponse, paymentReceipt } = await pay(first.approvalToken);
    node.railAnswers(undefined);
    assert.equal(railResponse.status, 'failed');
    const claims = verifyPaymentReceipt(paymentReceipt, {
      keys: [node.deps.keys.receiptSigner.jwk],
      iss: 'http://localhost',
    });
    assert.deepEqual([claims.status, claims.error_description], ['Error', 'No funds.']);
    assert.equal((await present(parties.close(open))).allowed, true);
  });

  test('what is not paid before its intent ends gives the budget back', async () => {
    const open = parties.open(budget(30, 'USD'), 3 * 3600);
    await present(parties.close(open));
    await refused(parties.close(open), ['SPENDING_LIMIT_EXCEEDED']);
    node.clock.now += 3_600_000;
    await expireIntents(node.deps);
    assert.equal((await present(parties.close(open))).allowed, true);
  });

  test('that is given back is withdrawn, not denied', async () => {
    const { approvalToken, intentId } = await present(parties.close(parties.open()));
    await node.run('revokePaymentCredential', { approvalToken });
    assert.equal((await node.run('getIntent', { mandateId: intentId })).reason, 'withdrawn');
    await assert.rejects(pay(approvalToken), /it was given back/);
  });

  describe('are given once', () => {
    test('for the same mandate, also under another nonce', async () => {
      const [open, checkout] = [parties.open(budget(900, 'USD')), checkoutJwt()];
      const body = parties.close(open, { checkout });
      assert.equal((await present(body)).allowed, true);
      await refused(body, ['MANDATE_USED']);
      await refused(parties.close(open, { checkout }), ['MANDATE_USED']);
      await refused(parties.close(open, { checkout, amount: 1000 }), ['MANDATE_USED']);
      assert.equal((await present(parties.close(open))).allowed, true, 'another checkout is another payment');
    });

    test('for a checkout, which has one name: its SHA-256', async () => {
      const name = createHash('sha512').update(checkoutJwt()).digest('base64url');
      const body = parties.close(parties.open(budget(900, 'USD')), { more: { transaction_id: name } });
      const { details } = await refused({ ...body, checkoutJwtHash: name }, ['MANDATE_INVALID']);
      assert.match(details.MANDATE_INVALID.message, /must be the SHA-256/);
    });

    test('for an open mandate that names no recurrence', async () => {
      const open = parties.open();
      assert.equal((await present(parties.close(open))).allowed, true);
      await refused(parties.close(open), ['MANDATE_USED']);
    });

    test('for a checkout that the same key signs directly twice', async () => {
      const checkout = checkoutJwt();
      assert.equal((await present(parties.direct({ checkout }))).allowed, true);
      await refused(parties.direct({ checkout }), ['MANDATE_USED']);
    });

    test('of twelve presentations at once, each with its own signature', async () => {
      const [open, checkout] = [parties.open(), checkoutJwt()];
      const bodies = Array.from({ length: 12 }, () => parties.close(open, { checkout }));
      const answers = await Promise.all(bodies.map((body) => present(body)));
      assert.equal(answers.filter(({ allowed }) => allowed).length, 1);
      for (const { reasonCodes } of answers.filter(({ allowed }) => !allowed)) {
        assert.deepEqual(reasonCodes, ['MANDATE_USED']);
      }
    });
  });

  describe('a nonce of the node', () => {
    const challenge = () => node.run('createMandateChallenge', { agentDid });

    test('serves one payment', async () => {
      const { nonce, aud } = await challenge();
      const open = parties.open(budget(900, 'USD'));
      assert.equal((await present(parties.close(open, { nonce, aud }))).allowed, true);
      const { details } = await refused(parties.close(open, { nonce, aud }), ['MANDATE_INVALID']);
      assert.match(details.MANDATE_INVALID.message, /used before/);
    });

    test('ends after five minutes, and serves the agent that asked for it', async () => {
      const { nonce } = await challenge();
      const other = (await node.agent()).did;
      const body = parties.close(parties.open(), { nonce });
      await refused(body, ['MANDATE_INVALID'], { agentDid: other });
      node.clock.now += 300_000;
      const { details } = await refused(body, ['MANDATE_INVALID']);
      assert.match(details.MANDATE_INVALID.message, /expired/);
    });

    test('that is not known is no nonce of the caller’s own', async () => {
      await refused(parties.close(parties.open(), { nonce: 'mnc_made-up' }), ['MANDATE_INVALID']);
    });
  });

  describe('are refused', () => {
    test('where no trusted key began the chain, and none after its issuer was removed', async () => {
      const stranger = new MandateParties(() => node.clock.now);
      const { receipt, details } = await refused(stranger.close(stranger.open()), ['MANDATE_INVALID']);
      assert.match(details.MANDATE_INVALID.message, /No trusted/);
      const claims = verifyPaymentReceipt(receipt, {
        keys: [node.deps.keys.receiptSigner.jwk],
        iss: 'http://localhost',
      });
      assert.deepEqual([claims.status, claims.error], ['Error', 'invalid_credential']);
      await node.run('removeMandateIssuer', { id: issuerId });
      await refused(parties.close(parties.open()), ['MANDATE_INVALID']);
    });

    test('for another checkout, audience or nonce than the one that was signed', async () => {
      const body = parties.close(parties.open());
      await refused(body, ['CHECKOUT_MISMATCH'], { checkoutJwtHash: parties.close(parties.open()).checkoutJwtHash });
      await refused(parties.close(parties.open(), { aud: 'https://other.example' }), ['MANDATE_INVALID']);
      await refused(body, ['MANDATE_INVALID'], { nonce: 'other' });
    });

    test('beyond a constraint, with an unknown one, and where the payee has no domain', async () => {
      const range = { type: 'payment.amount_range', currency: 'USD', max: 1000 };
      const over = await refused(parties.close(parties.open([range])), ['AMOUNT_OVER_CAP']);
      assert.equal(
        JSON.parse(Buffer.from(over.receipt.split('.')[1], 'base64url').toString()).error,
        'invalid_mandate',
      );
      const odd = await refused(parties.close(parties.open([{ type: 'payment.weather' }])), ['CONSTRAINT_UNRESOLVED']);
      assert.match(Buffer.from(odd.receipt.split('.')[1], 'base64url').toString(), /unresolved_constraint/);
      for (const payee of [
        { id: 'merchant 1', name: 'x' },
        { name: 'x', website: 'javascript:alert(1)' },
      ]) {
        await refused(parties.close(parties.open(), { payee }), ['MERCHANT_UNVERIFIED']);
      }
    });

    test('by the policy, which judges them like every purchase', async () => {
      await refused(parties.close(parties.open(), { amount: 200_000 }), ['AMOUNT_OVER_CAP']);
      await setRules({ ...spend, merchant: { deny_list: ['shop.example'] } });
      await refused(parties.close(parties.open()), ['MERCHANT_DENIED']);
    });

    test('for nothing, and as a fault for what is no chain of payments', async () => {
      await refused(parties.close(parties.open(), { amount: 0 }), ['MANDATE_INVALID']);
      await assert.rejects(present({ paymentMandate: 'hello', nonce: 'n', checkoutJwtHash: 'h' }), /SD-JWT ends/);
      const { checkoutJwtHash: _, ...without } = parties.close(parties.open());
      await assert.rejects(present(without), /checkoutJwt/);
    });
  });

  test('are not given for an allowed id at a domain of the agent’s own', async () => {
    const allowing = (...allowed: object[]) => parties.open([{ type: 'payment.allowed_payees', allowed }]);
    const elsewhere = { payee: { ...PAYEE, website: 'https://other.example' } };
    for (const allowed of [PAYEE, { id: PAYEE.id, name: PAYEE.name }]) {
      await refused(parties.close(allowing(allowed), elsewhere), ['MERCHANT_NOT_ALLOWED']);
    }
    const renamed = { payee: { ...PAYEE, name: 'New name', website: `${PAYEE.website}/store` } };
    assert.equal((await present(parties.close(allowing(PAYEE), renamed))).allowed, true);
  });

  test('are paid now, also where the agent states another date', async () => {
    const ended = parties.open([{ type: 'payment.execution_date', not_after: '2020-01-01' }]);
    const stated = { more: { execution_date: '2019-12-31' } };
    await refused(parties.close(ended, stated), ['TIME_WINDOW_VIOLATED']);
  });

  test('in another currency than the budget are refused for the currency alone', async () => {
    await refused(parties.close(parties.open(budget(10, 'EUR'))), ['CURRENCY_NOT_ALLOWED']);
  });

  test('a merchant is named by its website, its domain as id, or its binding here', async () => {
    const merchant = await node.run('bindMerchant', { domain: 'bound.example', did: agentDid });
    for (const [payee, domain] of [
      [{ ...PAYEE, website: 'https://WWW.Shop.example/path?x=1' }, 'www.shop.example'],
      [{ ...PAYEE, website: 'plain.example' }, 'plain.example'],
      [{ id: 'named.example', name: 'Named' }, 'named.example'],
      [{ id: merchant.id, name: 'Bound' }, 'bound.example'],
    ] as const) {
      const { intentId } = await present(parties.close(parties.open(), { payee }));
      assert.equal((await node.run('getIntent', { mandateId: intentId })).merchantDomain, domain);
    }
  });

  describe('a person', () => {
    beforeEach(() => setRules({ ...spend, context: { presence: 'required' } }));

    test('who signed the closed mandate themselves was present', async () => {
      await node.run('removeMandateIssuer', { id: issuerId });
      await trust('user-credential');
      const { approvalToken, allowed } = await present(parties.direct());
      assert.equal(allowed, true);
      assert.equal((await pay(approvalToken)).railResponse.status, 'requires_capture');
    });

    test('is asked where an agent’s provider signed it, and where the person’s mandate was open', async () => {
      const { approval } = await refused(parties.direct(), ['HP_REQUIRED']);
      assert.match(approval.url, /\/approve\//);
      await node.run('removeMandateIssuer', { id: issuerId });
      await trust('user-credential');
      await refused(parties.close(parties.open()), ['HP_REQUIRED']);
    });

    test('of a governed principal is known by their own credential alone', async () => {
      const principalDid = (await node.agent()).did;
      await node.run('registerPrincipal', { did: principalDid, name: 'Ada', agents: [agentDid] });
      await node.run('removeMandateIssuer', { id: issuerId });
      const wallet = await trust('user-credential');
      await refused(parties.direct(), ['HP_REQUIRED'], { principalDid });
      await node.run('removeMandateIssuer', { id: wallet });
      await trust('user-credential', { principalDid });
      assert.equal((await present(parties.direct())).allowed, true);
      await refused(parties.direct(), ['MANDATE_INVALID'], { principalDid: agentDid });
    });

    test('is asked for the same purchase once, however often its mandate is signed', async () => {
      const [open, checkout] = [parties.open(), checkoutJwt()];
      const first = await refused(parties.close(open, { checkout }), ['HP_REQUIRED']);
      const second = await refused(parties.close(open, { checkout }), ['HP_REQUIRED']);
      assert.equal(second.approval.id, first.approval.id);
      const { data } = await node.run('listIntents', { limit: 10 });
      assert.equal(data.length, 1);
    });
  });

  describe('an open mandate', () => {
    test('is spent up to its budget in major units of the currency, and not a unit further', async () => {
      await setRules({ spend: { amount_cap: 1_000_000 } });
      for (const [currency, max, fits, over] of [
        ['USD', 30.5, 3050, 1],
        ['JPY', 3000, 3000, 1],
        ['KWD', 3.25, 3250, 1],
      ] as const) {
        const open = parties.open(budget(max, currency));
        assert.equal((await present(parties.close(open, { currency, amount: fits - 1 }))).allowed, true, currency);
        await refused(parties.close(open, { currency, amount: 1 + over }), ['SPENDING_LIMIT_EXCEEDED']);
        assert.equal((await present(parties.close(open, { currency, amount: 1 }))).allowed, true, currency);
        const { details } = await refused(parties.close(open, { currency, amount: 1 }), ['SPENDING_LIMIT_EXCEEDED']);
        assert.equal(details.SPENDING_LIMIT_EXCEEDED.left, 0);
      }
    });

    test('recurs once a calendar period of UTC, and so often at most', async () => {
      node.clock.now = Date.UTC(2026, 5, 1, 23, 59);
      const open = parties.open(budget(900, 'USD', 'DAILY', { max_occurrences: 2 }), 10 * 24 * 3600);
      assert.equal((await present(parties.close(open))).allowed, true);
      await refused(parties.close(open), ['VELOCITY_EXCEEDED']);
      node.clock.now = Date.UTC(2026, 5, 2, 0, 0);
      assert.equal((await present(parties.close(open))).allowed, true, 'a minute later is another day');
      node.clock.now += DAY;
      const { details } = await refused(parties.close(open), ['VELOCITY_EXCEEDED']);
      assert.equal(details.VELOCITY_EXCEEDED.limit, 2);
    });
  });
});

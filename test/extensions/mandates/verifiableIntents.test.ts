/** Layers of Verifiable Intent become an approval token: once for a checkout, within what the person allowed, counted by pair. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { verifyPaymentReceipt } from '../../../client/receipts.ts';
import { viewOpen } from '../../../src/domain/approvals/viewApproval.ts';
import { all } from '../../../src/store/store.ts';
import { type Delegation, IntentParties, intentBudget } from '../../support/intents.ts';
import { checkoutJwt, MandateParties, referenceOf } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const DAY = 24 * 3600 * 1000;

describe('Verifiable Intent', () => {
  let node: MemoryNode;
  let parties: IntentParties;
  let agentDid: string;
  let issuerId: string;
  const trust = async (more: object = {}) => (await node.run('addMandateIssuer', { ...parties.issuerKey, ...more })).id;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new IntentParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    issuerId = await trust();
  });

  const present = (body: Loose, more: object = {}): Promise<Loose> =>
    node.run('issuePaymentCredential', { agentDid, ...body, ...more });
  const pay = (approvalToken: string) => node.run('mandatePayment', { approvalToken });
  const allowed = async (body: Loose, more: object = {}) => {
    const answer = await present(body, more);
    assert.equal(answer.allowed, true, JSON.stringify(answer));
    return answer;
  };
  const refused = async (body: Loose, codes: readonly string[], sentence = /./, more: object = {}) => {
    const answer = await present(body, more);
    assert.deepEqual(answer.reasonCodes, codes, JSON.stringify(answer));
    assert.match(answer.details[String(codes[0])].message, sentence);
    return answer;
  };
  const setRules = (rules: object) =>
    node.run('createPolicy', { name: 'P', rules: { version: '2.0', ...rules }, activate: true });
  const spend = { spend: { amount_cap: 1000, currency: 'USD' } };

  test('pays, and the receipt refers to the layer that was closed: 3a, or the person’s own layer 2', async () => {
    for (const body of [parties.close(parties.delegate()), parties.immediate()]) {
      const { approvalToken, reference, intentId } = await allowed(body);
      const { l2, l3Payment = l2 } = body.verifiableIntent;
      assert.equal(reference, referenceOf(l3Payment));
      const { pmVc, paymentReceipt } = await pay(approvalToken);
      assert.equal(pmVc.credentialSubject.intentId, intentId);
      assert.deepEqual([pmVc.credentialSubject.amount, pmVc.credentialSubject.merchant], [20, 'shop.example']);
      const keys = [node.deps.keys.receiptSigner.jwk];
      assert.equal(
        verifyPaymentReceipt(paymentReceipt, { keys, iss: 'http://localhost', reference }).status,
        'Success',
      );
    }
    const { data } = await node.run('searchEvidence', { eventType: 'MANDATE_ACCEPTED', limit: 10 });
    assert.deepEqual(
      data.map(({ data: { kind, paymentMandate, verifiableIntent } }: Loose) => [
        kind,
        paymentMandate,
        Object.keys(verifiableIntent),
      ]),
      [
        ['card-issuer', undefined, ['l1', 'l2']],
        ['card-issuer', undefined, ['l1', 'l2', 'l3Payment']],
      ],
    );
  });

  describe('is used once', () => {
    test('where the same layer 3 comes again, another one for the same checkout, or one for a second checkout', async () => {
      const [delegation, checkout] = [parties.delegate(), checkoutJwt()];
      const body = parties.close(delegation, { checkout });
      await allowed(body);
      await refused(body, ['MANDATE_USED']);
      await refused(parties.close(delegation, { checkout }), ['MANDATE_USED']);
      await refused(parties.close(delegation), ['MANDATE_USED'], /allows one payment/);
    });

    test('where a person closes another layer 2 for the same checkout, with the same card or another one', async () => {
      const checkout = checkoutJwt();
      await allowed(parties.immediate({ checkout }));
      await refused(parties.immediate({ checkout }), ['MANDATE_USED']);
      const l1 = parties.credential({ sub: 'another-card' });
      await refused(parties.immediate({ checkout }, l1), ['MANDATE_USED']);
    });

    test('by one person: another one with a card of the same issuer still pays that checkout', async () => {
      const checkout = checkoutJwt();
      await allowed(parties.immediate({ checkout }));
      const other = new IntentParties(() => node.clock.now);
      await allowed(other.immediate({ checkout }, other.credential({}, parties.issuer)));
    });

    test('of twelve presentations at once, each with its own signature', async () => {
      for (const make of [
        (delegation: Delegation, checkout: string) => parties.close(delegation, { checkout }),
        (_: Delegation, checkout: string) => parties.immediate({ checkout }),
      ]) {
        const [delegation, checkout] = [parties.delegate([intentBudget(90_000)]), checkoutJwt()];
        const bodies = Array.from({ length: 12 }, () => make(delegation, checkout));
        const answers = await Promise.all(bodies.map((body) => present(body)));
        assert.equal(answers.filter((answer) => answer.allowed).length, 1);
        for (const { reasonCodes } of answers.filter((answer) => !answer.allowed)) {
          assert.deepEqual(reasonCodes, ['MANDATE_USED']);
        }
      }
    });

    test('and a use is forgotten once layer 2 has ended, not for ever kept', async () => {
      await allowed(parties.close(parties.delegate([intentBudget(90_000)], { exp: seconds() + 20 * 24 * 3600 })));
      const sql = 'SELECT kept_until FROM mandate_uses UNION ALL SELECT kept_until FROM mandate_limits';
      const rows = await node.deps.store.read(() => all<{ kept_until: number }>(sql));
      assert.deepEqual(
        rows.map((row) => row.kept_until),
        [1, 2].map(() => (seconds() + 20 * 24 * 3600 + 300) * 1000),
      );
    });
  });

  const seconds = () => Math.floor(node.clock.now / 1000);

  describe('an open layer 2', () => {
    test('with a budget pays within it, and not a unit further', async () => {
      await setRules({ spend: { amount_cap: 1_000_000 } });
      for (const [currency, max] of [
        ['USD', 3050],
        ['JPY', 3000],
        ['KWD', 3250],
      ] as const) {
        const delegation = parties.delegate([intentBudget(max, currency)]);
        await allowed(parties.close(delegation, { currency, amount: max - 10 }));
        await allowed(parties.close(delegation, { currency, amount: 9 }));
        const { details } = await refused(parties.close(delegation, { currency, amount: 2 }), [
          'SPENDING_LIMIT_EXCEEDED',
        ]);
        assert.equal(details.SPENDING_LIMIT_EXCEEDED.currency, currency);
        await allowed(parties.close(delegation, { currency, amount: 1 }));
      }
    });

    test('that is given back or declined has its budget again', async () => {
      const delegation = parties.delegate([intentBudget(2000)]);
      const { approvalToken } = await allowed(parties.close(delegation));
      await refused(parties.close(delegation), ['SPENDING_LIMIT_EXCEEDED']);
      await node.run('revokePaymentCredential', { approvalToken });
      const again = await allowed(parties.close(delegation));
      node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No funds.' }));
      await pay(again.approvalToken);
      node.railAnswers(undefined);
      await allowed(parties.close(delegation));
    });

    test('counts each of its pairs apart', async () => {
      const delegation = parties.delegate([intentBudget(3000), intentBudget(2000), []]);
      await allowed(parties.close(delegation, { pair: 0, amount: 3000 }));
      await allowed(parties.close(delegation, { pair: 1, amount: 2000 }));
      for (const pair of [0, 1]) {
        await refused(parties.close(delegation, { pair, amount: 1 }), ['SPENDING_LIMIT_EXCEEDED']);
      }
      await allowed(parties.close(delegation, { pair: 2 }));
      await refused(parties.close(delegation, { pair: 2 }), ['MANDATE_USED']);
    });

    test('pays one checkout once, also by another pair', async () => {
      const [delegation, checkout] = [parties.delegate([[], []]), checkoutJwt()];
      await allowed(parties.close(delegation, { pair: 0, checkout }));
      await refused(parties.close(delegation, { pair: 1, checkout }), ['MANDATE_USED']);
    });

    test('recurs within its dates, once a period, and so often at most', async () => {
      node.clock.now = Date.UTC(2026, 5, 1, 12);
      const dates = { start_date: '2026-06-02', end_date: '2026-06-05' };
      const daily = intentBudget(90_000, 'USD', { frequency: 'DAIL', max_occurrences: 2, ...dates });
      const delegation = parties.delegate([daily]);
      await refused(parties.close(delegation), ['TIME_WINDOW_VIOLATED']);
      node.clock.now += DAY;
      await allowed(parties.close(delegation));
      await refused(parties.close(delegation), ['VELOCITY_EXCEEDED'], /one payment a calendar day/);
      node.clock.now += DAY;
      await allowed(parties.close(delegation));
      node.clock.now += DAY;
      const { details } = await refused(parties.close(delegation), ['VELOCITY_EXCEEDED']);
      assert.equal(details.VELOCITY_EXCEEDED.limit, 2);
      node.clock.now += 2 * DAY;
      await refused(parties.close(delegation), ['VELOCITY_EXCEEDED', 'TIME_WINDOW_VIOLATED']);
    });

    test('with a least amount of its budget refuses less', async () => {
      const [range, budget, recurrence] = intentBudget(90_000);
      const delegation = parties.delegate([[range, { ...budget, min: 500 }, recurrence]]);
      await refused(parties.close(delegation, { amount: 499 }), ['CONSTRAINT_VIOLATED']);
      await allowed(parties.close(delegation, { amount: 500 }));
    });

    test('with a subscription is set up as often as its number says, which cart and evidence show', async () => {
      const charged = { type: 'mandate.payment.recurrence', frequency: 'MONTHLY', number: 2, start_date: '2020-01-01' };
      const range = { type: 'mandate.payment.amount_range', currency: 'USD', max: 5000 };
      const delegation = parties.delegate([
        [range, charged],
        [range, { ...charged, number: 1 }],
        [range, { ...charged, number: undefined }],
      ]);
      const { intentId } = await allowed(parties.close(delegation));
      await allowed(parties.close(delegation));
      const { details } = await refused(parties.close(delegation), ['VELOCITY_EXCEEDED'], /for 2 payments/);
      assert.deepEqual([details.VELOCITY_EXCEEDED.limit, details.VELOCITY_EXCEEDED.requested], [2, 3]);
      await allowed(parties.close(delegation, { pair: 1 }));
      await refused(parties.close(delegation, { pair: 1 }), ['VELOCITY_EXCEEDED']);
      await allowed(parties.close(delegation, { pair: 2 }));
      await refused(parties.close(delegation, { pair: 2 }), ['MANDATE_USED']);
      const { data } = await node.run('searchEvidence', { eventType: 'MANDATE_ACCEPTED', limit: 10 });
      const accepted = data.find((event: Loose) => event.data.intentId === intentId);
      assert.deepEqual(accepted.data.subscription, { frequency: 'MONTHLY', number: 2 });
    });
  });

  describe('is refused', () => {
    test('where no card issuer that is trusted signed layer 1: a stranger, an agent’s provider, one that was removed', async () => {
      const stranger = new IntentParties(() => node.clock.now);
      for (const body of [stranger.close(stranger.delegate()), stranger.immediate()]) {
        await refused(body, ['MANDATE_INVALID'], /No trusted/);
      }
      for (const kind of ['agent-provider', 'user-credential']) {
        const { id } = await node.run('addMandateIssuer', { ...stranger.issuerKey, kind });
        await refused(stranger.close(stranger.delegate()), ['MANDATE_INVALID'], /No trusted/);
        await node.run('removeMandateIssuer', { id });
      }
      await node.run('removeMandateIssuer', { id: issuerId });
      await refused(parties.close(parties.delegate()), ['MANDATE_INVALID'], /No trusted/);
    });

    test('as a chain of AP2 that a card issuer signed is, too', async () => {
      const ap2 = new MandateParties(() => node.clock.now);
      await node.run('addMandateIssuer', { name: 'B', kind: 'card-issuer', jwk: ap2.provider.jwk });
      await refused(ap2.close(ap2.open()), ['MANDATE_INVALID'], /No trusted/);
    });

    test('for another checkout, audience or nonce than those of the layer that was closed', async () => {
      for (const body of [parties.close(parties.delegate()), parties.immediate()]) {
        const { checkoutJwtHash } = parties.immediate();
        await refused(body, ['CHECKOUT_MISMATCH'], /./, { checkoutJwtHash });
        await refused(body, ['MANDATE_INVALID'], /nonce/, { nonce: 'other' });
      }
      await refused(parties.immediate({ aud: 'https://other.example' }), ['MANDATE_INVALID'], /not for this verifier/);
    });

    test('with the layer 3 of another layer 2, a layer 2 of another person, or another card', async () => {
      const [one, other] = [parties.close(parties.delegate()), parties.close(parties.delegate())];
      const swapped = { ...one, verifiableIntent: { ...one.verifiableIntent, l2: other.verifiableIntent.l2 } };
      await refused(swapped, ['MANDATE_INVALID'], /sd_hash/);
      const eve = new IntentParties(() => node.clock.now);
      const { l1 } = one.verifiableIntent;
      await refused(eve.close(eve.delegate([[]], {}, l1)), ['MANDATE_INVALID'], /signature is not by the key/);
      await refused(parties.immediate({}, l1, eve.person), ['MANDATE_INVALID'], /signature is not by the key/);
      const card = parties.credential({ card_id: 'another-card' });
      await refused(parties.immediate({}, card), ['MANDATE_INVALID'], /another instrument than the card/);
      await refused(parties.close(parties.delegate([[]], {}, card)), ['MANDATE_INVALID'], /another instrument/);
    });

    test('with a mandate without its pair, and two pairs in one view', async () => {
      const { l1, l2 } = parties.delegate([[], []]);
      await refused(parties.close({ l1, l2, views: [l2] }), ['MANDATE_INVALID'], /more than one pair/);
      const orphan = { type: 'mandate.payment.reference', conditional_transaction_id: 'of-nothing' };
      await refused(parties.close(parties.delegate([[orphan]])), ['MANDATE_INVALID'], /without its pair/);
    });

    test('once layer 1, 2 or 3 has expired', async () => {
      const body = parties.close(parties.delegate());
      const direct = parties.immediate();
      node.clock.now += 900_000 + 300_000 + 1000;
      await refused(body, ['MANDATE_INVALID'], /3: It expired/);
      await refused(direct, ['MANDATE_INVALID'], /2: It expired/);
      const ended = { exp: seconds() - 301 };
      await refused(parties.close(parties.delegate([[]], ended)), ['MANDATE_INVALID'], /2: It expired/);
      await refused(parties.immediate({}, parties.credential(ended)), ['MANDATE_INVALID'], /1: It expired/);
    });

    test('by the policy, which judges it like every purchase', async () => {
      await refused(parties.immediate({ amount: 200_000 }), ['AMOUNT_OVER_CAP']);
      await setRules({ ...spend, merchant: { deny_list: ['shop.example'] } });
      await refused(parties.close(parties.delegate()), ['MERCHANT_DENIED']);
    });
  });

  describe('is a fault of the caller’s', () => {
    const fault = (body: Loose, message: RegExp) =>
      assert.rejects(present(body), (error: Loose) => {
        assert.equal(error.code, 'BAD_REQUEST', String(error.stack));
        assert.match(JSON.stringify([error.message, error.issues ?? error.details]), message);
        return true;
      });

    test('beside a chain of AP2, or with neither', async () => {
      const { verifiableIntent, ...without } = parties.immediate();
      const ap2 = new MandateParties(() => node.clock.now);
      const chain = ap2.close(ap2.open());
      await fault({ ...chain, verifiableIntent }, /both are/);
      await fault(without, /neither is/);
      await fault({ ...without, verifiableIntent, checkoutMandate: chain.paymentMandate }, /no member beside/);
      await fault({ ...without, verifiableIntent: { ...verifiableIntent, l4: 'x' } }, /l4/);
    });

    test('in the member of the other one', async () => {
      const body = parties.close(parties.delegate());
      const { l1, l2, l3Payment } = body.verifiableIntent;
      const { verifiableIntent: _, ...about } = body;
      const joined = [l1, l2, l3Payment].map((text: string) => text.slice(0, -1)).join('~~');
      for (const paymentMandate of [`${joined}~`, l1, l2]) {
        await fault({ ...about, paymentMandate }, /layer of Verifiable Intent; send/);
      }
      const ap2 = new MandateParties(() => node.clock.now);
      const chain: string = ap2.close(ap2.open()).paymentMandate;
      const [open = '', closed = ''] = chain.split('~~');
      for (const layers of [
        { l1, l2: chain },
        { l1: chain, l2 },
        { l1: `${open}~`, l2: closed },
      ]) {
        await fault({ ...about, verifiableIntent: layers }, /paymentMandate/);
      }
    });

    test('where a layer is no SD-JWT, or all of them together are too long or have too many disclosures', async () => {
      const { verifiableIntent, ...about } = parties.close(parties.delegate());
      const fill = 'x'.repeat(30_000);
      for (const [layers, message] of [
        [{ l2: 'x' }, /of l2, an SD-JWT ends/],
        [{ l1: fill, l2: fill, l3Payment: fill }, /90000 characters/],
        [{ l2: `x${'~x'.repeat(600)}~`, l3Payment: `x${'~x'.repeat(600)}~` }, /disclosures; it may have/],
      ] as const) {
        await fault({ ...about, verifiableIntent: { ...verifiableIntent, ...layers } }, message);
      }
    });
  });

  describe('a person', () => {
    beforeEach(() => setRules({ ...spend, context: { presence: 'required' } }));

    test('who closed layer 2 is not known by the bank’s signature alone, and is asked', async () => {
      const { approval } = await refused(parties.immediate(), ['HP_REQUIRED']);
      assert.match(approval.url, /\/approve\//);
      await refused(parties.close(parties.delegate()), ['HP_REQUIRED']);
    });

    test('is shown the subscription that they would approve', async () => {
      const charged = { type: 'mandate.payment.recurrence', frequency: 'MONTHLY', number: 12 };
      const { approval } = await refused(parties.close(parties.delegate([[charged]])), ['HP_REQUIRED']);
      const { details } = await node.deps.store.read((now) => viewOpen(node.deps, approval.id, now));
      const shown = details.filter(({ name }) => name.includes('ubscription')).map(({ name, value }) => [name, value]);
      assert.deepEqual(shown, [
        ['Subscription, frequency', 'MONTHLY'],
        ['Subscription, number', '12'],
      ]);
    });

    test('was present where the tenant said that all cards of the issuer are theirs, and nowhere else', async () => {
      const [ada, bob] = [(await node.agent()).did, (await node.agent()).did];
      for (const did of [ada, bob]) await node.run('registerPrincipal', { did, name: 'P', agents: [agentDid] });
      await node.run('removeMandateIssuer', { id: issuerId });
      await trust({ principalDid: ada });
      await refused(parties.immediate(), ['MANDATE_INVALID'], /./, { principalDid: bob });
      await refused(parties.close(parties.delegate()), ['HP_REQUIRED'], /./, { principalDid: ada });
      const { approvalToken } = await allowed(parties.immediate(), { principalDid: ada });
      assert.equal((await pay(approvalToken)).railResponse.status, 'requires_capture');
    });
  });
});

/** An open mandate is registered for an agent, and its intents name it: the policy holds, and the mandate's own limits. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { selective } from '../../../protocol/sdjwt/mint.ts';
import { get, type Script } from '../../../src/store/store.ts';
import { expireIntents } from '../../../src/workers/expireIntents.ts';
import { budget, checkoutJwt, MandateParties, otherSignature, PAYEE } from '../../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../../support/memoryNode.ts';
import type { Loose } from '../../support/world.ts';

const DAY = 24 * 3600 * 1000;
const range = { type: 'payment.amount_range', currency: 'USD', max: 5000 };
const payees = (...allowed: unknown[]) => ({ type: 'payment.allowed_payees', allowed });

describe('delegations', () => {
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

  const register = (token: string, more: object = {}): Promise<Loose> =>
    node.run('registerDelegation', { token, agentDid, ...more });
  const open = (constraints: readonly object[] = [range], lasts: number | null = 7 * 24 * 3600, more: object = {}) =>
    parties.open(constraints, lasts, more);
  const show = (id: string) => node.run('getDelegation', { id });
  const ask = (delegationId: string, amount = 20, more: Loose = {}): Promise<Loose> =>
    node.run('issueIntent', {
      ...{ agentDid, principalDid: agentDid, delegationId },
      request: { maxAmount: amount, currency: more.currency ?? 'USD', vendorHints: more.vendorHints },
      ...more.input,
    });
  const validate = async ({ intentVc }: Loose, amount = 20, domain = 'shop.example', more: object = {}) => {
    const offer = { payerDid: agentDid, domain, amount, currency: intentVc.credentialSubject.currency };
    const { cartVc } = await node.run('demoCart', offer);
    return node.run('validateCart', { intentVc, cartVc, ...more });
  };
  const pay = (approvalToken: string, more: object = {}) => node.run('mandatePayment', { approvalToken, ...more });
  const present = (body: Loose): Promise<Loose> => node.run('issuePaymentCredential', { agentDid, ...body });
  const codesOf = (answer: Loose) => {
    assert.equal(answer.allowed, false, JSON.stringify(answer));
    return answer.reasonCodes;
  };

  describe('are registered', () => {
    test('with what all of their mandates allow together', async () => {
      const root = open([...budget(100, 'USD', 'WEEKLY', { max_occurrences: 9 }), payees(PAYEE, { name: 'No site' })]);
      const token = parties.delegate(root, budget(60, 'USD', 'MONTHLY'), 24 * 3600);
      const { id, openHash, createdAt, ...shown } = await register(token);
      assert.match(id, /^dlg_/);
      assert.match(openHash, /^[\w-]{43}$/);
      assert.deepEqual(shown, {
        agentDid,
        principalDid: agentDid,
        limits: {
          ...{ maxAmount: 1_000_000, currency: 'USD', merchants: ['shop.example'], budget: 60 },
          expiresAt: new Date(node.clock.now + DAY).toISOString(),
          recurrence: { frequency: 'MONTHLY', reading: 'calendar-utc', maxOccurrences: 9 },
        },
        status: 'ACTIVE',
        used: { uses: 0, spent: 0 },
        delegated: true,
      });
      assert.deepEqual((await node.run('listDelegations', {})).data, [await show(id)]);
      assert.ok((await node.events()).includes('DELEGATION_REGISTERED'));
      assert.ok(createdAt);
    });

    test('after a preview that says the same limits, or the same refusal, and keeps nothing', async () => {
      const token = open([...budget(100, 'USD', 'WEEKLY'), payees(PAYEE)]);
      const preview = await node.run('previewDelegation', { token, agentDid });
      assert.deepEqual((await node.run('listDelegations', {})).data, []);
      const { limits, openHash, principalDid } = await register(token);
      assert.deepEqual(preview, { agentDid, principalDid, limits, openHash, delegated: true });
      assert.deepEqual(await node.run('previewDelegation', { token, agentDid }), preview);
      const strange = { token: new MandateParties(() => node.clock.now).open([range]), agentDid };
      assert.deepEqual(await node.run('previewDelegation', strange), await register(strange.token));
    });

    test('once: the same mandate again is the same delegation, in either form of its signature', async () => {
      const token = open();
      const first = await register(token);
      assert.deepEqual(await register(token), first);
      assert.deepEqual(await register(otherSignature(token)), first);
      const { did } = await node.agent();
      await assert.rejects(register(token, { agentDid: did }), /another agent/);
      await assert.rejects(register(token, { principalDid: did }), /the money of another person or company/);
      assert.equal((await node.events()).filter((type) => type === 'DELEGATION_REGISTERED').length, 1);
    });

    test('and say whether their agent may spend the money, in a preview, in a list and alone', async () => {
      const { did: principalDid } = await node.agent();
      const own = await register(open());
      const token = open([...budget(100, 'USD', 'WEEKLY')]);
      const said = async () => {
        const preview = await node.run('previewDelegation', { token, agentDid, principalDid });
        const { id, delegated } = await register(token, { principalDid });
        const { data } = await node.run('listDelegations', {});
        const listed = new Map(data.map((each: Loose) => [each.id, each.delegated]));
        assert.equal(listed.get(own.id), true, 'its own money is no registered one’s');
        return [preview.delegated, delegated, listed.get(id), (await show(id)).delegated];
      };
      assert.deepEqual(await said(), [true, true, true, true]);
      await node.run('registerPrincipal', { did: principalDid, name: 'Household' });
      assert.deepEqual(await said(), [false, false, false, false]);
      const { id } = await register(token, { principalDid });
      const input = { principalDid };
      assert.deepEqual(codesOf(await ask(id, 20, { input })), ['AGENT_NOT_DELEGATED']);
      await node.run('changePrincipal', { did: principalDid, agents: [agentDid] });
      assert.deepEqual(await said(), [true, true, true, true]);
      assert.equal((await ask(id, 20, { input })).allowed, true);
    });

    test('by a key that acts for the agent, and not by who proves a DID', async () => {
      const { caller, did } = await node.agent();
      const input = { token: open(), agentDid: did };
      await assert.rejects(node.run('registerDelegation', input, caller), /API key of the tenant registers it/);
      const bound = { ...node.owner, agents: new Set([agentDid]) };
      await assert.rejects(node.run('registerDelegation', input, bound), /cannot act for/);
    });

    test('where a trusted issuer of mandates signed the first one', async () => {
      const stranger = new MandateParties(() => node.clock.now);
      const refused = await register(stranger.open([range]));
      assert.deepEqual(codesOf(refused), ['MANDATE_INVALID']);
      assert.match(refused.details.MANDATE_INVALID.message, /No trusted/);
      await node.run('removeMandateIssuer', { id: issuerId });
      assert.deepEqual(codesOf(await register(open())), ['MANDATE_INVALID']);
      await trust('card-issuer');
      assert.deepEqual(codesOf(await register(open())), ['MANDATE_INVALID']);
    });

    test('until their mandate ends', async () => {
      const token = open([range], 60);
      node.clock.now += 60_000;
      const refused = await register(token);
      assert.match(refused.details.MANDATE_INVALID.message, /expired/);
    });

    test('for the person whose credential signed them alone', async () => {
      await node.run('removeMandateIssuer', { id: issuerId });
      const { did } = await node.agent();
      await trust('user-credential', { principalDid: did });
      assert.deepEqual(codesOf(await register(open(), { principalDid: agentDid })), ['MANDATE_INVALID']);
      assert.equal((await register(open())).principalDid, did);
    });

    for (const [what, constraints, more, named] of [
      ['an unknown constraint', [{ type: 'payment.weather' }], {}, /payment\.weather/],
      [
        'a reference to an open checkout',
        [{ type: 'payment.reference', conditional_transaction_id: 'x' }],
        {},
        /payment\.reference/,
      ],
      ['allowed PISPs', [{ type: 'payment.allowed_pisps', allowed: [] }], {}, /payment\.allowed_pisps/],
      ['a member that no cart has', [range], { pisp: { legal_name: 'x' } }, /sets pisp/],
      ['a withheld constraint', [{ '...': 'hidden' }], {}, /was withheld, so it counts as broken\.$/],
      ['a withheld payee', [range], { _sd: ['hidden'] }, /member of the open mandate was withheld/],
    ] as const) {
      test(`not with ${what}, which the sentence names`, async () => {
        const refused = await register(open(constraints, 3600, more));
        assert.deepEqual(codesOf(refused), ['CONSTRAINT_UNRESOLVED']);
        assert.match(refused.details.CONSTRAINT_UNRESOLVED.message, named);
      });
    }

    test('not with a malformed constraint, nor with a recurrence that lacks its budget', async () => {
      const fraction = { type: 'payment.amount_range', currency: 'USD', max: 100.5 };
      assert.deepEqual(codesOf(await register(open([fraction]))), ['MANDATE_INVALID']);
      const least = { ...range, min: 'none' };
      assert.deepEqual(codesOf(await register(open([least]))), ['MANDATE_INVALID']);
      const recurrence = { type: 'payment.agent_recurrence', frequency: 'DAILY' };
      assert.deepEqual(codesOf(await register(open([range, recurrence]))), ['CONSTRAINT_VIOLATED']);
    });

    test('and another text is a fault that says what would be right', async () => {
      const chain = parties.close(open()).paymentMandate;
      await assert.rejects(register(chain), /POST \/ap2\/payment-credentials takes it/);
      await assert.rejects(register('hello'), /SD-JWT/);
      const checkout = open([], 3600, { vct: 'mandate.checkout.open.1' });
      await assert.rejects(register(checkout), /open payment mandate/);
    });
  });

  describe('an intent that names one', () => {
    test('buys by it, and the evidence says by which mandate', async () => {
      const { id } = await register(open());
      const intent = await ask(id);
      const { approvalToken } = await validate(intent);
      const { railResponse, paymentReceipt } = await pay(approvalToken);
      assert.deepEqual([railResponse.status, paymentReceipt], ['requires_capture', undefined]);
      const { mandateId } = intent.intentVc.credentialSubject;
      assert.equal((await node.run('getIntent', { mandateId })).delegationId, id);
      assert.deepEqual([(await show(id)).status, (await show(id)).used], ['USED', { uses: 1, spent: 20 }]);
    });

    test('is not answered where it is unknown, of another agent or of another tenant', async () => {
      const { id } = await register(open());
      await assert.rejects(ask(`dlg_${'0'.repeat(26)}`), /There is no delegation/);
      const { did } = await node.agent();
      const input = { agentDid: did, principalDid: did };
      await assert.rejects(ask(id, 20, { input }), /There is no delegation/);
      const foreign = { ...node.owner, agents: new Set([did]) };
      await assert.rejects(node.run('getDelegation', { id }, foreign), /There is no delegation/);
      await assert.rejects(node.run('revokeDelegation', { id }, foreign), /There is no delegation/);
      assert.deepEqual((await node.run('listDelegations', {}, foreign)).data, []);
    });

    test('is refused for another principal', async () => {
      const { id } = await register(open());
      const { did } = await node.agent();
      const refused = await ask(id, 20, { input: { principalDid: did } });
      assert.deepEqual(codesOf(refused), ['MANDATE_INVALID']);
      assert.match(refused.details.MANDATE_INVALID.message, new RegExp(agentDid));
    });

    test('is refused beyond its amount, currency, payees and dates', async () => {
      const dated = { type: 'payment.execution_date', not_before: '2030-01-01' };
      const { id } = await register(open([range, payees(PAYEE), dated]));
      const other = await ask(id, 60, { vendorHints: { domain: 'other.example' } });
      assert.deepEqual(codesOf(other), ['AMOUNT_OVER_CAP', 'MERCHANT_NOT_ALLOWED', 'TIME_WINDOW_VIOLATED']);
      await node.run('createPolicy', { name: 'P', rules: { version: '2.0' }, activate: true });
      assert.ok(codesOf(await ask(id, 10, { currency: 'EUR' })).includes('CURRENCY_NOT_ALLOWED'));
    });

    test('is refused by the policy, too, and with the reasons of both', async () => {
      const { id } = await register(open([{ ...range, currency: 'EUR' }]));
      assert.deepEqual(codesOf(await ask(id, 2000)), ['AMOUNT_OVER_CAP', 'CURRENCY_NOT_ALLOWED']);
    });

    test('ends with its mandate at the latest', async () => {
      const { id } = await register(open([range], 600));
      const { intentVc } = await ask(id);
      assert.equal(Date.parse(intentVc.expirationDate), node.clock.now + 600_000);
      node.clock.now += 600_000;
      await expireIntents(node.deps);
      const refused = await ask(id);
      assert.match(refused.details.MANDATE_INVALID.message, /expired/);
      assert.equal((await show(id)).status, 'EXPIRED');
    });

    test('is refused once its issuer was removed, and so are its cart and its payment', async () => {
      const { id } = await register(open(budget(100, 'USD')));
      const [intent, other] = [await ask(id), await ask(id)];
      const { approvalToken } = await validate(other);
      await node.run('removeMandateIssuer', { id: issuerId });
      await trust();
      for (const refused of [await ask(id), await validate(intent), await pay(approvalToken)]) {
        assert.deepEqual(codesOf(refused), ['MANDATE_INVALID']);
      }
    });
  });

  describe('a cart', () => {
    test('is held to the payees again, to the least amount, and to what the mandate sets', async () => {
      const { id } = await register(open([{ ...range, min: 1000 }, payees(PAYEE)]));
      const intent = await ask(id);
      assert.deepEqual(codesOf(await validate(intent, 20, 'other.example')), ['MERCHANT_NOT_ALLOWED']);
      assert.deepEqual(codesOf(await validate(intent, 5)), ['CONSTRAINT_VIOLATED']);
      assert.equal((await validate(intent, 10)).allowed, true);
      const set = { payment_amount: { amount: 2000, currency: 'USD' }, payee: PAYEE };
      const preset = await register(open([range], 3600, set));
      assert.deepEqual(codesOf(await ask(preset.id, 30)), ['CONSTRAINT_VIOLATED']);
      const exact = await ask(preset.id, 20);
      assert.deepEqual(codesOf(await validate(exact, 10)), ['CONSTRAINT_VIOLATED']);
      assert.equal((await validate(exact, 20)).allowed, true);
    });

    test('counts a payee that was not disclosed as none', async () => {
      const shops = [PAYEE, { name: 'Other', website: 'https://other.example' }];
      const token = withholding(open([payees(...shops.map((shop) => selective(shop)))]), PAYEE.name);
      const { id, limits } = await register(token);
      assert.deepEqual(limits.merchants, ['other.example']);
      assert.deepEqual(codesOf(await ask(id, 20, { vendorHints: { domain: 'shop.example' } })), [
        'MERCHANT_NOT_ALLOWED',
      ]);
    });

    test('is paid with an allowed instrument alone', async () => {
      const only = { type: 'payment.allowed_payment_instruments', allowed: [{ id: 'pm_card_visa', type: 'card' }] };
      const { id } = await register(open([range, only]));
      const intent = await ask(id);
      const refused = await validate(intent);
      assert.match(refused.details.CONSTRAINT_VIOLATED.message, /name one of them/);
      const { approvalToken } = await validate(intent, 20, 'shop.example', { instrument: 'pm_card_visa' });
      assert.deepEqual(codesOf(await pay(approvalToken, { instrument: 'pm_card_mastercard' })), [
        'CONSTRAINT_VIOLATED',
      ]);
      assert.equal((await pay(approvalToken, { instrument: 'pm_card_visa' })).railResponse.status, 'requires_capture');
    });

    test('that comes to less frees the rest of the budget at once, and may not grow beyond it again', async () => {
      const { id } = await register(open(budget(50, 'USD')));
      const intent = await ask(id, 40);
      await validate(intent, 10);
      assert.equal((await show(id)).used.spent, 10);
      assert.equal((await ask(id, 40)).allowed, true);
      assert.equal((await show(id)).status, 'EXHAUSTED');
      assert.deepEqual(codesOf(await validate(intent, 11)), ['SPENDING_LIMIT_EXCEEDED']);
      assert.equal((await validate(intent, 9)).allowed, true);
    });
  });

  describe('uses', () => {
    test('are one without a recurrence, and that is free again where nothing is paid', async () => {
      const { id } = await register(open());
      await ask(id);
      assert.deepEqual(codesOf(await ask(id)), ['MANDATE_USED']);
      node.clock.now += 3_600_000;
      await expireIntents(node.deps);
      assert.equal((await show(id)).status, 'ACTIVE');
      const { approvalToken } = await validate(await ask(id));
      node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No funds.' }));
      assert.equal((await pay(approvalToken)).railResponse.status, 'failed');
      node.railAnswers(undefined);
      assert.equal((await ask(id)).allowed, true);
    });

    test('are one in a calendar month, up to the number that is allowed', async () => {
      const { id } = await register(open(budget(900, 'USD', 'MONTHLY', { max_occurrences: 2 }), null));
      const buy = async () => pay((await validate(await ask(id))).approvalToken);
      await buy();
      const refused = await ask(id);
      assert.deepEqual(codesOf(refused), ['VELOCITY_EXCEEDED']);
      assert.match(refused.details.VELOCITY_EXCEEDED.message, /calendar month/);
      node.clock.now += 31 * DAY;
      await buy();
      node.clock.now += 31 * DAY;
      assert.deepEqual(codesOf(await ask(id)), ['VELOCITY_EXCEEDED']);
      assert.deepEqual([(await show(id)).status, (await show(id)).used], ['EXHAUSTED', { uses: 2, spent: 40 }]);
    });

    test('share the ledger with chains that close the same mandate, in either form of its signature', async () => {
      const token = open(budget(50, 'USD'));
      const { id } = await register(token);
      assert.equal((await present(parties.close(token))).allowed, true);
      assert.equal((await show(id)).used.spent, 20);
      assert.equal((await ask(id, 30)).allowed, true);
      for (const again of [token, otherSignature(token)]) {
        assert.deepEqual(codesOf(await present(parties.close(again))), ['SPENDING_LIMIT_EXCEEDED']);
      }
    });

    test('of a further mandate count for the one that it was delegated from', async () => {
      const root = open(budget(50, 'USD'));
      const [one, two] = [await register(root), await register(parties.delegate(root, budget(40, 'USD')))];
      assert.equal((await ask(one.id, 30)).allowed, true);
      assert.deepEqual(codesOf(await ask(two.id, 30)), ['SPENDING_LIMIT_EXCEEDED']);
      assert.equal((await ask(two.id, 20)).allowed, true);
      assert.equal((await show(one.id)).status, 'EXHAUSTED');
    });
  });

  describe('revoking', () => {
    test('ends intents and tokens, frees what they held, and takes no chain with the mandate', async () => {
      const token = open(budget(100, 'USD'));
      const { id } = await register(token);
      const [intent, approved, paid] = [await ask(id), await ask(id), await ask(id)];
      const { approvalToken } = await validate(approved);
      const chain = await present(parties.close(token));
      const { pmVc } = await pay((await validate(paid)).approvalToken);
      const revoked = await node.run('revokeDelegation', { id });
      assert.deepEqual([revoked.status, revoked.used], ['REVOKED', { uses: 2, spent: 40 }]);
      assert.deepEqual(await node.run('revokeDelegation', { id }), revoked);
      const refused = await ask(id);
      assert.deepEqual(codesOf(refused), ['MANDATE_REVOKED']);
      assert.deepEqual(codesOf(await pay(approvalToken)), ['MANDATE_REVOKED']);
      assert.deepEqual(codesOf(await pay(chain.approvalToken)), ['MANDATE_REVOKED']);
      assert.deepEqual(codesOf(await validate(intent)), ['INTENT_EXPIRED', 'MANDATE_REVOKED']);
      for (const again of [token, otherSignature(token), parties.delegate(token, budget(1, 'USD'))]) {
        assert.ok(codesOf(await present(parties.close(again))).includes('MANDATE_REVOKED'));
      }
      const { mandateId } = pmVc.credentialSubject;
      assert.equal((await node.run('getPayment', { mandateId })).status, 'AUTHORIZED');
      assert.equal(
        (await node.run('getIntent', { mandateId: intent.intentVc.credentialSubject.mandateId })).reason,
        'revoked',
      );
      assert.equal((await node.events()).filter((type) => type === 'DELEGATION_REVOKED').length, 1);
      assert.equal((await register(token)).status, 'REVOKED');
      assert.deepEqual(codesOf(await register(parties.delegate(token, budget(1, 'USD')))), ['MANDATE_REVOKED']);
    });

    test('holds for what was delegated further, and not for the mandate above', async () => {
      const root = open(budget(900, 'USD'));
      const middle = parties.delegate(root, budget(800, 'USD'));
      const ids = [];
      for (const token of [root, middle, parties.delegate(middle, budget(700, 'USD'))])
        ids.push((await register(token)).id);
      const [top, own, below] = ids as [string, string, string];
      const intent = await ask(below);
      await node.run('revokeDelegation', { id: own });
      assert.equal((await show(below)).status, 'REVOKED');
      assert.ok(codesOf(await validate(intent)).includes('MANDATE_REVOKED'));
      assert.equal((await ask(top)).allowed, true);
    });

    test('holds for the mandate with other disclosures too, also where it was presented so before', async () => {
      const shops = [PAYEE, { name: 'Other', website: 'https://other.example' }];
      const recurring = budget(900, 'USD');
      const token = open([...recurring, payees(...shops.map((shop) => selective(shop)))]);
      const { id } = await register(token);
      const narrow = withholding(token, '"Other"');
      assert.equal((await present(parties.close(narrow))).allowed, true);
      assert.equal((await show(id)).used.uses, 1);
      await node.run('revokeDelegation', { id });
      for (const again of [token, narrow]) {
        assert.deepEqual(codesOf(await present(parties.close(again))), ['MANDATE_REVOKED']);
      }
      assert.equal((await register(narrow)).status, 'REVOKED');
    });

    test('withdraws what a person is asked', async () => {
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
      await node.run('createPolicy', { name: 'P', rules, activate: true });
      const { id } = await register(open());
      const { approval } = await validate(await ask(id));
      await node.run('revokeDelegation', { id });
      assert.equal((await node.run('getApproval', { id: approval.id })).status, 'expired');
      const { data } = await node.run('searchEvidence', { eventType: 'APPROVAL_EXPIRED' });
      assert.equal(data[0].data.reason, 'revoked');
    });

    test('withdraws what a person is asked for a chain with the mandate', async () => {
      const rules = { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, context: { presence: 'required' } };
      await node.run('createPolicy', { name: 'P', rules, activate: true });
      const [mandate, other] = [open(), open()];
      const { id } = await register(mandate);
      const [asked, left] = [await present(parties.close(mandate)), await present(parties.close(other))];
      await node.run('revokeDelegation', { id });
      const statusOf = async ({ approval }: Loose) => (await node.run('getApproval', { id: approval.id })).status;
      assert.deepEqual([await statusOf(asked), await statusOf(left)], ['expired', 'pending']);
    });

    test('ends more intents than one commit does, and sets the bits of all', async () => {
      const { id } = await register(open(budget(900, 'USD')));
      const intents: Loose[] = [];
      for (let at = 0; at < 104; at++) intents.push(await ask(id, 1, { input: { credentialFormats: ['status'] } }));
      intents.push(await ask(id, 1));
      await node.run('revokeDelegation', { id });
      assert.equal(await node.deps.store.read(countUnset), 0);
      const last = intents.at(-1)?.intentVc.credentialSubject.mandateId;
      await node.run('showCredential', { id: last, as: 'vc' });
      assert.equal(await node.deps.store.read(countUnset), 0, 'one that is handed out later has ended, too');
      assert.equal((await show(id)).used.uses, 5);
      await expireIntents(node.deps);
      assert.equal((await show(id)).used.uses, 0);
      assert.equal((await node.run('getIntent', { mandateId: last })).reason, 'revoked');
    });
  });

  test('a closed mandate of one checkout is paid once, in either form of the first signature', async () => {
    const [token, checkout] = [open(budget(900, 'USD')), checkoutJwt()];
    assert.equal((await present(parties.close(token, { checkout }))).allowed, true);
    assert.deepEqual(codesOf(await present(parties.close(otherSignature(token), { checkout }))), ['MANDATE_USED']);
  });
});

/** A token without the disclosures that have a text. */
function withholding(token: string, text: string): string {
  const parts = token.split('~').filter((part, at) => at === 0 || !isListEntry(part, text));
  return parts.join('~');
}

/** Of a disclosed element the array has two entries, its salt and itself. */
function isListEntry(part: string, text: string): boolean {
  const json = Buffer.from(part, 'base64url').toString();
  return json.includes(text) && !json.includes('"vct"');
}

/** How many places of mandates in status lists say that they hold. */
function* countUnset(): Script<number | undefined> {
  const sql = 'SELECT COUNT(*) AS count FROM credential_status WHERE credential_set_at IS NULL';
  return (yield* get<{ count: number }>(sql))?.count;
}

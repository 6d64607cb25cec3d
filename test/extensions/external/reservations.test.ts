/** Payments that are made elsewhere: the amount is reserved before, the agent tells what came of it, and only whom the policy lets frees it. */
import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canonical } from '../../../protocol/credential/canonical.ts';
import { verifyBundle } from '../../../protocol/evidence/verifyBundle.ts';
import type { Caller } from '../../../src/access/caller.ts';
import { softAuthenticator } from '../../../src/cli/demo/softAuthenticator.ts';
import { nativeSuite } from '../../../src/crypto/nativeSuite.ts';
import { beginDecision, completeDecision } from '../../../src/operations/approvals/decideApproval.ts';
import { insertStatementLine } from '../../../src/store/statements/purchases/externalPayments.ts';
import { expireHolds, warnOfHolds } from '../../../src/workers/expireHolds.ts';
import { memoryNode } from '../../support/memoryNode.ts';
import { mppChallenge } from '../../support/mppChallenge.ts';
import type { Loose } from '../../support/world.ts';

const PHONE = softAuthenticator(() => ({ origin: 'http://localhost', rpId: 'localhost' }));
const RAILS = { rails: { allow: ['CARD_RAIL', 'SPT_RAIL', 'X402_RAIL', 'EXTERNAL_RAIL'] } };
const HASH = 'a'.repeat(64);
const DAY_MS = 24 * 3600 * 1000;

async function world(rules: object = {}, { phone = false }: { readonly phone?: boolean } = {}) {
  const node = await memoryNode();
  const spend = { amount_cap: 1000, currency: 'USD' };
  await node.run('createPolicy', { name: 'Tested', rules: { version: '2.0', spend, ...RAILS, ...rules } });
  const { did: agentDid, caller: proven } = await node.agent();
  const agent: Caller = { ...proven, permissions: new Set(['read', 'write']), agents: new Set([agentDid]) };
  if (phone) {
    const { publicKey } = await node.run('beginPasskeyRegistration', { agentDid, deviceName: 'phone' });
    await node.run('completePasskeyRegistration', { agentDid, credential: PHONE.create(publicKey) });
  }
  let purchases = 0;
  const reserve = (more: object = {}, caller = agent): Promise<Loose> => {
    purchases += 1;
    const asked = { agentDid, merchant: 'tea.example', amount: 24.5, currency: 'USD', channel: 'card' };
    return node.run('reserveExternally', { ...asked, idempotencyKey: `tea-${purchases}`, ...more }, caller);
  };
  const commit = (mandateId: string, more: object = {}, caller = agent): Promise<Loose> =>
    node.run('commitReservation', { mandateId, evidence: { kind: 'none' }, ...more }, caller);
  const release = (mandateId: string, caller = agent): Promise<Loose> =>
    node.run('releaseReservation', { mandateId, reason: 'not_paid' }, caller);
  const payment = (mandateId: string): Promise<Loose> => node.run('getPayment', { mandateId });
  const expire = async (ms = 900_001) => {
    node.clock.now += ms;
    await warnOfHolds(node.deps);
    await expireHolds(node.deps);
  };
  return { node, agentDid, agent, reserve, commit, release, payment, expire };
}

const limitOf = (amount: number) => ({ risk: { velocity_limit: { max_amount: amount, time_window: '24h' } } });

describe('a reservation', () => {
  test('is one purchase with all of its evidence in one commit, held until it is told what came of it', async () => {
    const { node, agentDid, reserve, payment } = await world();
    const answer = await reserve();
    assert.equal(answer.allowed, true, JSON.stringify(answer));
    assert.equal(answer.reserved, 24.5);
    assert.equal(Date.parse(answer.expiresAt) - node.clock.now, 900_000);
    assert.equal(Date.parse(answer.commitUntil) - node.clock.now, 7 * DAY_MS);
    assert.deepEqual((await node.events()).slice(-4), [
      'INTENT_ISSUED',
      'CART_VALIDATED',
      'PM_ISSUED',
      'PAYMENT_AUTHORIZED',
    ]);
    const held = await payment(answer.mandateId);
    assert.deepEqual(
      [held.status, held.rail, held.merchant, held.amount, held.agentDid, held.description],
      ['AUTHORIZED', 'EXTERNAL_RAIL', 'tea.example', 24.5, agentDid, 'Payment to tea.example'],
    );
  });

  test('is repeated by its key, and refused for another purchase under the same key', async () => {
    const { node, agentDid, agent } = await world();
    const idempotency = {
      tenantId: agent.tenantId,
      scope: agentDid,
      key: 'tea',
      reused: { code: 'CONFLICT' as const, message: 'The key is used.' },
      secret: false,
    };
    const asked = {
      agentDid,
      merchant: 'tea.example',
      amount: 5,
      currency: 'USD',
      channel: 'card',
      idempotencyKey: 'tea',
    };
    const run = (hash: string) => node.runCall('reserveExternally', asked, { idempotency: { ...idempotency, hash } });
    assert.equal(await run('one'), await run('one'));
    await assert.rejects(run('other'), /The key is used/);
  });

  test('shows what is bought where its items add up to the amount, and is refused where they do not', async () => {
    const { reserve, payment } = await world();
    const items = [{ name: 'Green tea', price: 9.75, quantity: 2 }];
    await assert.rejects(
      reserve({ items }),
      /come to 19\.50 USD, and the amount is 24\.50 USD; tax and shipping are items/,
    );
    const { mandateId } = await reserve({ items: [...items, { name: 'Shipping', price: 5, quantity: 1 }] });
    assert.equal((await payment(mandateId)).description, '2 × Green tea and 1 other');
  });

  test('with a price that its currency does not have says at which item', async () => {
    const { reserve } = await world();
    for (const price of [-5, 4.999]) {
      await assert.rejects(
        reserve({
          items: [
            { name: 'Tea', price: 24.5, quantity: 1 },
            { name: 'Shipping', price, quantity: 1 },
          ],
        }),
        ({ code, details }: Loose) => code === 'BAD_REQUEST' && details[0].path === 'items.1.price',
      );
    }
  });

  test('that holds a number of a card is refused in each text, and nothing of it is recorded', async () => {
    const { node, reserve } = await world();
    const before = await node.events();
    const number = '4242 4242 4242 4242';
    for (const more of [
      { reference: number },
      { payee: number },
      { url: `https://tea.example/?card=${number}` },
      { items: [{ name: number, price: 24.5, quantity: 1 }] },
    ]) {
      await assert.rejects(reserve(more), /looks like a card number/);
    }
    assert.deepEqual(await node.events(), before);
  });

  test('needs a policy that names its rail', async () => {
    const { reserve } = await world({ rails: {} });
    const { allowed, reasonCodes } = await reserve();
    assert.deepEqual([allowed, reasonCodes], [false, ['RAIL_UNAVAILABLE']]);
  });

  test('is for a payee that is bound to the merchant, where unbound ones are not paid', async () => {
    const { node, reserve } = await world({ merchant: { allow_unbound_payees: false } });
    assert.deepEqual((await reserve()).reasonCodes, ['MERCHANT_UNVERIFIED']);
    await node.run('bindMerchant', { domain: 'tea.example', railProfileId: 'profile_tea' });
    assert.deepEqual((await reserve({ payee: 'profile_other' })).reasonCodes, ['MERCHANT_UNVERIFIED']);
    assert.equal((await reserve({ payee: 'profile_tea' })).allowed, true);
    assert.deepEqual((await reserve({ payee: 'profile_tea', merchant: 'other.example' })).reasonCodes, [
      'MERCHANT_MISMATCH',
      'MERCHANT_UNVERIFIED',
    ]);
  });

  test('never exceeds the limit, however many are asked for at once', async () => {
    const { reserve } = await world(limitOf(50));
    const answers = await Promise.all(Array.from({ length: 20 }, () => reserve({ amount: 10 })));
    assert.equal(answers.filter(({ allowed }) => allowed).length, 5);
  });

  test('of the same content as one that is open is suspected, under another key too', async () => {
    const { reserve } = await world({ risk: { duplicate: { window: '10m', action: 'deny' } } });
    const { mandateId } = await reserve({ reference: 'order-1' });
    const again = await reserve({ reference: 'order-1' });
    assert.deepEqual([again.reasonCodes, again.duplicateOf.mandateId], [['DUPLICATE_SUSPECTED'], mandateId]);
    assert.equal((await reserve({ reference: 'order-2' })).allowed, true);
  });

  test('that needs a person is made by the same call after the touch, and denied for ever where the person says no', async () => {
    const { node, reserve } = await world({ context: { presence: 'required' } }, { phone: true });
    const asked = await reserve();
    assert.deepEqual(asked.reasonCodes, ['HP_REQUIRED']);
    const { id } = asked.approval;
    const { challengeId, publicKey } = await beginDecision.run(node.deps, { id, decision: 'approve' });
    await completeDecision.run(node.deps, { id, challengeId, credential: PHONE.get(publicKey) });
    assert.deepEqual((await reserve({ approvalId: id, amount: 25 })).reasonCodes, ['HP_INVALID']);
    assert.equal((await reserve({ approvalId: id })).allowed, true);
    // Of the same purchase once more another touch is asked, and the former one says that it was used.
    assert.notEqual((await reserve({ approvalId: id })).approval.id, id);
    assert.match((await reserve({ approvalId: id })).details.HP_INVALID.message, /it was paid before\.$/);
    const second = await reserve({ merchant: 'shop.example' });
    const denied = await beginDecision.run(node.deps, { id: second.approval.id, decision: 'deny' });
    await completeDecision.run(node.deps, {
      id: second.approval.id,
      challengeId: denied.challengeId,
      credential: PHONE.get(denied.publicKey),
    });
    assert.equal((await reserve({ merchant: 'shop.example' })).approval, undefined);
  });

  test('is not paid with an instrument that is registered for the node’s own rails', async () => {
    const { node, agentDid, reserve } = await world();
    await node.run('addInstrument', { agentDid, paymentMethod: 'pm_card_visa_chargeDeclined' });
    assert.equal((await reserve()).allowed, true);
  });
});

describe('a commit', () => {
  test('says what was paid, and the rest of what was reserved is free again', async () => {
    const limit = { name: 'day', max_amount: 30, window: '24h' };
    const { reserve, commit } = await world({ risk: { limits: [limit] } });
    const { mandateId } = await reserve();
    const paid = await commit(mandateId, { amount: 20, evidence: { kind: 'order', reference: 'order-1' } });
    assert.deepEqual([paid.status, paid.captured], ['CAPTURED', 20]);
    assert.equal((await reserve({ amount: 10 })).allowed, true);
    assert.equal((await reserve({ amount: 0.01 })).allowed, false);
  });

  test('is recorded with its channel, whose word it is, and the hash of the document, and its bundle verifies', async () => {
    const { node, reserve, commit } = await world();
    const { mandateId, transactionId } = await reserve();
    await commit(mandateId, { evidence: { kind: 'receipt', sha256: HASH } });
    const text = await node.runCall('evidenceBundle', { transactionId, format: 'portable' });
    const { data } = JSON.parse(text).events.find(({ eventType }: Loose) => eventType === 'PAYMENT_CAPTURED');
    assert.deepEqual(
      [data.channel, data.attested, data.evidence],
      ['card', 'agent', { kind: 'receipt', sha256: `sha256:${HASH}` }],
    );
    const verified = verifyBundle(nativeSuite(), text, node.deps.issuer.did);
    assert.equal(verified.ok, true, JSON.stringify(verified));
  });

  test('that comes again changes nothing, and with other words is refused', async () => {
    const { node, reserve, commit } = await world();
    const { mandateId } = await reserve();
    const evidence = { kind: 'order', reference: 'order-1' };
    const first = await commit(mandateId, { evidence });
    const recorded = (await node.events()).length;
    assert.deepEqual(await commit(mandateId, { evidence }), first);
    assert.equal((await node.events()).length, recorded);
    await assert.rejects(commit(mandateId, { amount: 1, evidence }), /it was told before/);
  });

  test('with a receipt or a reference that has paid for another reservation is refused with the first one', async () => {
    const { reserve, commit } = await world();
    const [first, second, third] = [await reserve(), await reserve(), await reserve({ merchant: 'shop.example' })];
    await commit(first.mandateId, { evidence: { kind: 'receipt', sha256: HASH, reference: 'order-1' } });
    const refused = new RegExp(`paid for ${first.mandateId}`);
    await assert.rejects(
      commit(second.mandateId, { evidence: { kind: 'receipt', sha256: `sha256:${HASH}` } }),
      refused,
    );
    await assert.rejects(commit(second.mandateId, { evidence: { kind: 'order', reference: 'order-1' } }), refused);
    const other = await commit(third.mandateId, { evidence: { kind: 'order', reference: 'order-1' } });
    assert.equal(other.status, 'CAPTURED', 'another merchant may have the same number');
  });

  test('with less evidence than the policy asks for is refused', async () => {
    const { reserve, commit } = await world({ external: { evidence: 'hash' } });
    const { mandateId } = await reserve();
    await assert.rejects(commit(mandateId, { evidence: { kind: 'order', reference: 'o' } }), /must have sha256/);
    assert.equal((await commit(mandateId, { evidence: { kind: 'receipt', sha256: HASH } })).status, 'CAPTURED');
  });

  test('over what was reserved is kept as an overrun, holds on past the end, and is settled by an owner alone', async () => {
    const { node, reserve, commit, release, payment, expire } = await world(limitOf(30));
    const { mandateId } = await reserve();
    await assert.rejects(commit(mandateId, { amount: 30 }), /30\.00 USD was paid of the 24\.50 USD that were reserved/);
    await assert.rejects(commit(mandateId, { amount: 30 }), /tops pm_/);
    assert.equal((await node.events()).filter((type) => type === 'EXTERNAL_OVERRUN').length, 1);
    await expire();
    assert.equal((await release(mandateId)).status, 'AUTHORIZED');
    assert.match((await payment(mandateId)).attention.reason, /owner says|was paid of/);
    assert.equal((await reserve({ amount: 10 })).allowed, false);
    const settled = await node.run('settlePayment', { mandateId, status: 'CAPTURED', amount: 30, note: 'Seen.' });
    assert.deepEqual([settled.status, settled.captured], ['CAPTURED', 30]);
  });

  test('over what was reserved of a payment that is CAPTURED says what is left to do, and of one that ended too long ago that an owner sees it', async () => {
    const { node, reserve, commit, payment, expire } = await world({ external: { on_expiry: 'release' } });
    const { mandateId } = await reserve();
    await commit(mandateId, { amount: 20 });
    await assert.rejects(commit(mandateId, { amount: 30 }), {
      message:
        `30.00 USD was paid of the 24.50 USD that were reserved. The payment is CAPTURED: 20.00 USD was told of it before. ` +
        `So reserve the other 10.00 USD with tops ${mandateId}; an owner sees it.`,
    });
    const { status, captured, attention } = await payment(mandateId);
    assert.deepEqual([status, captured], ['CAPTURED', 20]);
    assert.match(attention.reason, /30\.00 USD was paid of the 24\.50 USD/);
    const rest = await reserve({ amount: 10, tops: mandateId });
    assert.equal((await commit(rest.mandateId)).status, 'CAPTURED');
    await assert.rejects(
      node.run('settlePayment', { mandateId, status: 'CAPTURED', amount: 30, note: 'Seen.' }),
      /settled as it is\. This one is CAPTURED, with 20\.00 USD paid; what was paid beyond that is reserved with tops pm_/,
    );
    await node.run('settlePayment', { mandateId, status: 'CAPTURED', note: 'The rest is reserved.' });
    assert.equal((await payment(mandateId)).attention, undefined);
    const late = await reserve();
    await expire(8 * DAY_MS);
    await assert.rejects(
      commit(late.mandateId, { amount: 30 }),
      /were reserved\. The payment could be told of until .*; an owner sees it\.$/,
    );
  });

  test('of less than was reserved is refused once more was told, and what was reserved then waits for an owner', async () => {
    for (const rules of [{}, { on_expiry: 'hold', release: 'agent' }]) {
      const { node, reserve, commit, release, payment, expire } = await world({ external: rules });
      const { mandateId } = await reserve();
      if ('on_expiry' in rules) await expire();
      await assert.rejects(commit(mandateId, { amount: 30 }), /30\.00 USD was paid of the 24\.50 USD/);
      await assert.rejects(commit(mandateId, { amount: 0.01 }), {
        message:
          `30.00 USD was paid of the 24.50 USD that were reserved. ` +
          `Commit the 24.50 USD, and reserve the rest with tops ${mandateId}; or an owner settles it.`,
      });
      await release(mandateId);
      const { status, attention } = await payment(mandateId);
      assert.equal(status, 'on_expiry' in rules ? 'UNKNOWN' : 'AUTHORIZED', 'a release frees nothing');
      assert.match(
        attention.reason,
        /^30\.00 USD was paid of .* The agent says that it did not pay \(not_paid\); an owner/,
      );
      await release(mandateId);
      assert.deepEqual((await payment(mandateId)).attention, attention);
      assert.equal((await commit(mandateId)).status, 'CAPTURED');
      assert.deepEqual((await payment(mandateId)).attention, attention);
      const seen = { mandateId, status: 'CAPTURED', note: 'The rest came by invoice.' };
      assert.equal((await node.run('settlePayment', seen)).attention, undefined);
      assert.equal((await node.events()).at(-1), 'PAYMENT_NOTED');
      await assert.rejects(node.run('settlePayment', seen), /open or left to a person.* This one is CAPTURED/);
    }
  });

  test('of a payment that was released is an owner’s to tell after its time too, and counts once more', async () => {
    const { node, reserve, commit, payment, expire } = await world({
      ...limitOf(30),
      external: { on_expiry: 'release' },
    });
    const { mandateId } = await reserve();
    await expire();
    assert.equal((await payment(mandateId)).status, 'CANCELED');
    node.clock.now += 7 * DAY_MS;
    await assert.rejects(commit(mandateId), /an owner settles it/);
    const paid = await node.run('settlePayment', { mandateId, status: 'CAPTURED', note: 'The bank shows it.' });
    assert.deepEqual([paid.status, paid.captured, paid.attention], ['CAPTURED', 24.5, undefined]);
  });

  test('of what happens more than a day after now is refused, and one of tomorrow in another zone is taken', async () => {
    const { node, agent, reserve, commit, payment } = await world();
    const { mandateId } = await reserve();
    const at = (ms: number) => ({ kind: 'none', occurredAt: new Date(node.clock.now + ms).toISOString() });
    const refused = /^Fault: evidence\.occurredAt must be when it happened, a day after now \(.*\) at most, and is /;
    const ahead = at(DAY_MS + 1);
    await assert.rejects(commit(mandateId, { evidence: ahead }), refused);
    await assert.rejects(
      node.run('releaseReservation', { mandateId, reason: 'not_paid', evidence: ahead }, agent),
      refused,
    );
    assert.equal((await payment(mandateId)).status, 'AUTHORIZED');
    assert.equal((await commit(mandateId, { evidence: at(DAY_MS) })).status, 'CAPTURED');
    await assert.rejects(node.run('refundPayment', { mandateId, evidence: ahead }, agent), refused);
  });

  test('of the rest of an overrun is a reservation that names the first one', async () => {
    const { reserve, commit } = await world();
    const { mandateId } = await reserve();
    const rest = await reserve({ amount: 5.5, tops: mandateId });
    assert.equal((await commit(rest.mandateId)).status, 'CAPTURED');
    await assert.rejects(reserve({ tops: 'pm_01m7yh6hz4d8g3m0q5v9x2b6e1' }), /no payment/);
  });

  test('and a release are of the agent that reserved', async () => {
    const { node, reserve, commit, release } = await world();
    const { mandateId } = await reserve();
    const { did, caller } = await node.agent();
    const other = { ...caller, agents: new Set([did]) };
    await assert.rejects(commit(mandateId, {}, other), /There is no payment/);
    await assert.rejects(release(mandateId, other), /There is no payment/);
  });
});

describe('a release', () => {
  test('by the agent frees the amount where the policy lets it, and says no word where money was taken', async () => {
    const { reserve, commit, release } = await world({ ...limitOf(30), external: { release: 'agent' } });
    const first = await reserve();
    assert.equal((await release(first.mandateId)).status, 'CANCELED');
    assert.equal((await release(first.mandateId)).status, 'CANCELED');
    const second = await reserve();
    assert.equal(second.allowed, true);
    await commit(second.mandateId);
    await assert.rejects(release(second.mandateId), /is CAPTURED/);
  });

  test('by the agent frees nothing where an owner alone may, who sees it', async () => {
    const { node, reserve, release, payment } = await world({ ...limitOf(30), external: { release: 'owner' } });
    const { mandateId } = await reserve();
    assert.equal((await release(mandateId)).status, 'AUTHORIZED');
    await release(mandateId);
    assert.equal((await node.events()).filter((type) => type === 'PAYMENT_NOTED').length, 1);
    assert.match((await payment(mandateId)).attention.reason, /The agent says that it did not pay/);
    assert.equal((await reserve()).allowed, false);
    assert.equal((await release(mandateId, node.owner)).status, 'CANCELED');
    assert.equal((await reserve()).allowed, true);
  });

  test('is no way around what the API says of captures and cancellations', async () => {
    const { node, reserve } = await world({ external: { release: 'owner' } });
    const { mandateId } = await reserve();
    await assert.rejects(
      node.run('cancelPayment', { mandateId }),
      /a release of its reservation tells what became of it/,
    );
    await assert.rejects(node.run('capturePayment', { mandateId }), /a commit of its reservation/);
  });
});

describe('the end of a reservation', () => {
  test('holds what nothing was told of, as UNKNOWN, until an owner says what came of it', async () => {
    const { node, reserve, payment, expire } = await world({ ...limitOf(30), external: { on_expiry: 'hold' } });
    const [first] = [await reserve()];
    await expire();
    const held = await payment(first.mandateId);
    assert.equal(held.status, 'UNKNOWN');
    assert.match(held.attention.reason, /nothing told what came of that/);
    assert.equal((await reserve()).allowed, false);
    const settled = await node.run('settlePayment', { mandateId: first.mandateId, status: 'CANCELED', note: 'Asked.' });
    assert.equal(settled.status, 'CANCELED');
    assert.equal((await reserve()).allowed, true);
  });

  test('is no end for a commit: what was UNKNOWN is paid', async () => {
    const { reserve, commit, expire } = await world({ external: { on_expiry: 'hold' } });
    const { mandateId } = await reserve();
    await expire();
    assert.equal((await commit(mandateId)).status, 'CAPTURED');
  });

  test('frees it under a policy that releases, and a late commit counts once more, over the limit too', async () => {
    const { node, reserve, commit, payment, expire } = await world({
      ...limitOf(30),
      external: { on_expiry: 'release' },
    });
    const { mandateId } = await reserve();
    await expire();
    assert.equal((await payment(mandateId)).status, 'CANCELED');
    assert.equal((await reserve()).allowed, true);
    const late = await commit(mandateId);
    assert.equal(late.status, 'CAPTURED');
    assert.match(late.attention.reason, /counts once more/);
    assert.ok((await node.events()).includes('PAYMENT_LATE_SUCCESS'));
    assert.equal((await reserve({ amount: 0.01 })).allowed, false);
  });

  test('is followed by the end of late commits', async () => {
    const { reserve, commit, expire } = await world({ external: { on_expiry: 'release' } });
    const { mandateId } = await reserve();
    await expire(8 * DAY_MS);
    await assert.rejects(commit(mandateId), /could be told of until/);
  });
});

describe('a refund', () => {
  test('is recorded, and frees nothing of the limit', async () => {
    const { node, agent, reserve, commit } = await world(limitOf(30));
    const { mandateId } = await reserve();
    await commit(mandateId);
    const refunded = await node.run('refundPayment', { mandateId, amount: 4.5 }, agent);
    assert.deepEqual([refunded.status, refunded.refunded], ['PARTIALLY_REFUNDED', 4.5]);
    assert.equal((await reserve({ amount: 10 })).allowed, false);
  });

  test('is recorded with what shows it, which a rail that moves money tells itself', async () => {
    const { node, agent, agentDid, reserve, commit } = await world({});
    const { mandateId, transactionId } = await reserve();
    await commit(mandateId);
    const evidence = { kind: 'statement', reference: 'credit 77', sha256: 'a'.repeat(64) };
    await node.run('refundPayment', { mandateId, amount: 4.5, evidence }, agent);
    const { events } = await node.run('evidenceBundle', { transactionId });
    const { data } = events.find(({ eventType }: Loose) => eventType === 'PAYMENT_REFUNDED');
    assert.deepEqual([data.refund, data.evidence], [4.5, { ...evidence, sha256: `sha256:${evidence.sha256}` }]);
    const card = { kind: 'receipt', reference: '4111 1111 1111 1111' };
    await assert.rejects(node.run('refundPayment', { mandateId, evidence: card }, agent), /card number/);
    const byCard = await node.pay(agentDid, 20);
    await node.run('capturePayment', { mandateId: byCard });
    const asked = { mandateId: byCard, evidence };
    await assert.rejects(node.run('refundPayment', asked, agent), /evidence must be absent/);
  });
});

describe('one budget', () => {
  test('holds for a card, a token, and a payment elsewhere: what is over it is refused on each of them', async () => {
    const { node, agentDid, reserve } = await world(limitOf(60));
    await node.pay(agentDid, 20);
    const url = 'https://reports.example/report';
    const byMpp = (id: string) =>
      node.run('authorizeHttpPayment', { agentDid, url, challenges: [mppChallenge({ id, amount: '2000' })] });
    assert.equal((await byMpp('c1')).allowed, true);
    assert.equal((await reserve({ amount: 20 })).allowed, true);
    assert.equal((await byMpp('c2')).allowed, false);
    assert.equal((await reserve({ amount: 20 })).allowed, false);
    await assert.rejects(node.pay(agentDid, 20));
  });
});

describe('a statement', () => {
  const line = (more: object = {}) => ({
    occurredAt: '2026-06-02T12:00:00Z',
    amount: 24.5,
    currency: 'USD',
    descriptor: 'TEA EXAMPLE 4711',
    ...more,
  });

  test('settles what it shows by merchant and amount, and tells what nothing was reserved for', async () => {
    const { node, reserve, payment } = await world();
    const { mandateId } = await reserve();
    const lines = [line(), line({ descriptor: 'CASINO' })];
    const read = await node.run('readStatement', { lines });
    assert.deepEqual(read.lines, [{ outcome: 'settled', mandateId }, { outcome: 'unmatched' }]);
    assert.equal((await payment(mandateId)).status, 'CAPTURED');
    assert.deepEqual(await node.run('readStatement', { lines }), read);
    assert.equal((await node.events()).filter((type) => type === 'EXTERNAL_UNMATCHED').length, 1);
  });

  test('that writes its times in another form is the same statement', async () => {
    const { node, reserve, payment } = await world();
    const [first, second] = [await reserve(), await reserve({ merchant: 'other.example' })];
    const read = await node.run('readStatement', { lines: [line()] });
    assert.deepEqual(read.lines, [{ outcome: 'settled', mandateId: first.mandateId }]);
    const third = await reserve();
    for (const occurredAt of ['2026-06-02T12:00:00.000Z', '2026-06-02T14:00:00+02:00'])
      assert.deepEqual(await node.run('readStatement', { lines: [line({ occurredAt })] }), read);
    for (const { mandateId } of [second, third]) assert.equal((await payment(mandateId)).status, 'AUTHORIZED');
  });

  test('that a node of before has read is known by the form that it had', async () => {
    const { node, agent, reserve } = await world();
    const { mandateId } = await reserve();
    const text = canonical(line());
    const hash = nativeSuite().sha256Hex(`statement-line-v1\n0\n${text}`);
    const row = { line_hash: hash, outcome: 'known' as const, mandate_id: mandateId, created_at: node.clock.now };
    await node.deps.store.write(agent.tenantId, () => insertStatementLine({ tenant_id: agent.tenantId, ...row }));
    const read = await node.run('readStatement', { lines: [line()] });
    assert.deepEqual(read.lines, [{ outcome: 'known', mandateId }]);
  });

  test('with a number of a card in it is read without that number', async () => {
    const { node } = await world();
    const lines = [line({ descriptor: 'SHOP 4242 4242 4242 4242 AT NOON' })];
    assert.deepEqual((await node.run('readStatement', { lines })).lines, [{ outcome: 'unmatched' }]);
    const { data } = (await node.run('searchEvidence', { limit: 1 })).data[0];
    assert.equal(data.descriptor, 'SHOP …4242 AT NOON');
  });

  test('with a line of more than a day after now is refused as a whole, and nothing of it is recorded', async () => {
    const { node, reserve, payment } = await world();
    const { mandateId } = await reserve();
    const before = (await node.events()).length;
    const occurredAt = new Date(node.clock.now + DAY_MS + 1).toISOString();
    await assert.rejects(
      node.run('readStatement', { lines: [line(), line({ descriptor: 'CASINO', occurredAt })] }),
      /^Fault: lines\.1\.occurredAt must be when it happened, a day after now/,
    );
    assert.equal((await payment(mandateId)).status, 'AUTHORIZED');
    assert.equal((await node.events()).length, before);
  });

  test('takes two equal lines for two payments, and leaves to a person what two could be meant by', async () => {
    const { node, reserve, commit } = await world();
    const [first, second] = [await reserve(), await reserve()];
    const ambiguous = await node.run('readStatement', { lines: [line(), line()] });
    assert.deepEqual(ambiguous.lines, [{ outcome: 'ambiguous' }, { outcome: 'ambiguous' }]);
    await commit(first.mandateId);
    const read = await node.run('readStatement', { lines: [line(), line()] });
    assert.deepEqual(read.lines, [
      { outcome: 'settled', mandateId: second.mandateId },
      { outcome: 'known', mandateId: first.mandateId },
    ]);
  });

  test('counts what it says of a named payment, and shows a person what was told as another amount', async () => {
    const { node, agent, reserve, commit, payment } = await world();
    const [open, told] = [await reserve({ reference: 'order-1' }), await reserve({ reference: 'order-2' })];
    await commit(told.mandateId, { amount: 20, evidence: { kind: 'order', reference: 'order-2' } });
    const lines = [line({ amount: 24, reference: 'order-1' }), line({ amount: 23, reference: 'order-2' })];
    assert.deepEqual((await node.run('readStatement', { lines })).lines, [
      { outcome: 'settled', mandateId: open.mandateId },
      { outcome: 'differs', mandateId: told.mandateId },
    ]);
    assert.equal((await payment(open.mandateId)).captured, 24);
    const { attention } = await payment(told.mandateId);
    assert.equal(attention.reason, 'A statement has 23.00 USD for it, and 20.00 USD was told.');
    const back = await node.run('refundPayment', { mandateId: told.mandateId, amount: 0.01 }, agent);
    assert.deepEqual(back.attention, attention, 'a refund is the agent’s word');
  });

  test('finds a payment by its reference, and what was released counts again', async () => {
    const { node, reserve, release, commit } = await world({ external: { release: 'agent' } });
    const [first, second] = [await reserve({ reference: 'order-1' }), await reserve({ reference: 'order-2' })];
    await commit(first.mandateId, { evidence: { kind: 'order', reference: 'order-1' } });
    await release(second.mandateId);
    const lines = [line({ reference: 'order-1' }), line({ reference: 'order-2' })];
    assert.deepEqual((await node.run('readStatement', { lines })).lines, [
      { outcome: 'known', mandateId: first.mandateId },
      { outcome: 'settled', mandateId: second.mandateId },
    ]);
  });

  test('finds a reservation by its reference, whatever blanks and hidden characters either of them has', async () => {
    const { node, reserve } = await world();
    const { mandateId } = await reserve({ reference: 'INV\u200b  47\u0000A' });
    const lines = [line({ amount: 24, reference: 'INV\u0000 47  A' })];
    assert.deepEqual((await node.run('readStatement', { lines })).lines, [{ outcome: 'settled', mandateId }]);
    const { data } = (await node.run('searchEvidence', { limit: 1 })).data[0];
    assert.equal(data.evidence.reference, 'INV 47 A');
  });

  test('meets a payment by the amount that its owner settled, and no more by what was reserved', async () => {
    const { node, reserve } = await world();
    const { mandateId } = await reserve({ amount: 15 });
    await node.run('settlePayment', { mandateId, status: 'CAPTURED', amount: 12, note: 'As the bank shows.' });
    const lines = [line({ amount: 15 }), line({ amount: 12 })];
    assert.deepEqual((await node.run('readStatement', { lines })).lines, [
      { outcome: 'unmatched' },
      { outcome: 'known', mandateId },
    ]);
  });
});

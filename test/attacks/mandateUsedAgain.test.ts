/** Chains of mandates that their holder tries to spend twice, elsewhere, or as another agent. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { joinChain } from '../../protocol/sdjwt/mint.ts';
import { budget, checkoutJwt, MandateParties } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { certify, makeP256 } from '../support/p256.ts';
import type { Loose } from '../support/world.ts';

describe('a chain of mandates that is brought again', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    await node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk: parties.provider.jwk });
  });
  const present = (body: Loose, more: object = {}): Promise<Loose> =>
    node.run('issuePaymentCredential', { agentDid, ...body, ...more });
  const codesOf = async (body: Loose, more: object = {}) => (await present(body, more)).reasonCodes;

  test('by another agent of the tenant pays nothing', async () => {
    const body = parties.close(parties.open());
    const thief = (await node.agent()).did;
    assert.equal((await present(body)).allowed, true);
    assert.deepEqual(await codesOf(body, { agentDid: thief }), ['MANDATE_INVALID', 'MANDATE_USED']);
  });

  test('with a tilde more, a disclosure left out or a disclosure twice is another text, and no other mandate', async () => {
    const open = parties.open();
    const body = parties.close(open);
    assert.equal((await present(body)).allowed, true);
    const [, leaf = ''] = body.paymentMandate.split('~~');
    const [jwt, disclosure] = leaf.split('~');
    for (const other of [`${jwt}~`, `${jwt}~${disclosure}~${disclosure}~`, `${jwt}~${disclosure}`]) {
      const answer = await present({ ...body, paymentMandate: joinChain([open, other]) }).catch(() => undefined);
      assert.notEqual(answer?.allowed, true, other.slice(-40));
    }
  });

  test('after the clock was set back a day is still used, and so is the day that it recurs on', async () => {
    node.clock.now = Date.UTC(2026, 5, 10, 12);
    const open = parties.open(budget(900, 'USD', 'DAILY'), 30 * 24 * 3600);
    const checkout = checkoutJwt();
    assert.equal((await present(parties.close(open, { checkout }))).allowed, true);
    node.clock.now -= 200_000;
    assert.deepEqual(await codesOf(parties.close(open, { checkout })), ['VELOCITY_EXCEEDED', 'MANDATE_USED']);
    assert.deepEqual(await codesOf(parties.close(open)), ['VELOCITY_EXCEEDED']);
  });

  test('a year later, where it never ends, is still used', async () => {
    const [open, checkout] = [parties.open(budget(900, 'USD'), null), checkoutJwt()];
    assert.equal((await present(parties.close(open, { checkout }))).allowed, true);
    node.clock.now += 365 * 24 * 3600 * 1000;
    const { RETENTION } = await import('../../src/store/statements/retention.ts');
    for (const each of RETENTION) {
      if (!('purges' in each) || !each.table.name.startsWith('mandate_')) continue;
      for (const purge of each.purges) {
        await node.deps.store.write(node.owner.tenantId, () => purge(1000, node.clock.now, node.owner.tenantId));
      }
    }
    assert.deepEqual(await codesOf(parties.close(open, { checkout })), ['MANDATE_USED']);
  });

  test('whose decline is followed by the same checkout does not pay it', async () => {
    const [open, checkout] = [parties.open(budget(900, 'USD')), checkoutJwt()];
    const { approvalToken } = await present(parties.close(open, { checkout }));
    node.railAnswers(async () => ({ kind: 'declined', code: 'card_declined', message: 'No.' }));
    await node.run('mandatePayment', { approvalToken });
    node.railAnswers(undefined);
    assert.deepEqual(await codesOf(parties.close(open, { checkout })), ['MANDATE_USED']);
  });

  test('whose card issuer, or whose certificate of another authority, signed it is not taken', async () => {
    const [root, leaf] = [makeP256(), makeP256()];
    const life = { from: node.clock.now - 1000, until: node.clock.now + 3_600_000 };
    const bank = { name: 'Bank', key: root };
    await node.run('addMandateIssuer', {
      name: 'B',
      kind: 'card-issuer',
      x5cRoot: certify(bank, bank, { ...life, ca: true }),
    });
    const impostor = new MandateParties(() => node.clock.now);
    Object.assign(impostor, { provider: leaf });
    assert.deepEqual(await codesOf(impostor.close(impostor.open())), ['MANDATE_INVALID']);
  });
});

/** An agent hands over a checkout with its chain of mandates, and wrote it itself: another list, another name, a mark of no width. */
import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { viewOpen } from '../../src/domain/approvals/viewApproval.ts';
import { budget, checkoutJwt, lineOf, MandateParties, PAYEE, signedCheckoutJwt } from '../support/mandates.ts';
import { type MemoryNode, memoryNode } from '../support/memoryNode.ts';
import { makeP256, type P256Key } from '../support/p256.ts';
import type { Loose } from '../support/world.ts';

describe('a checkout that an agent hands over', () => {
  let node: MemoryNode;
  let parties: MandateParties;
  let agentDid: string;
  let shop: P256Key;
  beforeEach(async () => {
    node = await memoryNode();
    parties = new MandateParties(() => node.clock.now);
    agentDid = (await node.agent()).did;
    shop = makeP256();
    await node.run('addMandateIssuer', { name: 'P', kind: 'agent-provider', jwk: parties.provider.jwk });
    await node.run('bindMerchant', { domain: 'shop.example', jwk: shop.jwk });
  });
  const setRules = (rules: object) =>
    node.run('createPolicy', {
      name: 'P',
      rules: { version: '2.0', spend: { amount_cap: 1000, currency: 'USD' }, ...rules },
      activate: true,
    });
  const askPerson = () => setRules({ context: { presence: 'required' } });
  const present = (checkout: string, open = parties.open(), payee: object = PAYEE): Promise<Loose> => {
    const { checkoutJwtHash: _, ...body } = parties.close(open, { checkout, payee });
    return node.run('issuePaymentCredential', { agentDid, ...body, checkoutJwt: checkout });
  };
  const shown = async (checkout: string, payee?: object) => {
    const { approval } = await present(checkout, parties.open(), payee);
    return node.deps.store.read((now) => viewOpen(node.deps, approval.id, now));
  };

  test('and its merchant signed is shown as that wrote it', async () => {
    await askPerson();
    const view = await shown(signedCheckoutJwt(shop, [lineOf('Tea', 500, 4)]));
    assert.deepEqual(view.items, [{ name: 'Tea', quantity: 4, amount: '20.00 USD' }]);
    assert.equal(view.merchantName, PAYEE.name);
    assert.equal(view.unlisted, undefined);
  });

  for (const [what, make] of Object.entries({
    'and no merchant signed': () => checkoutJwt([lineOf('Tea', 2000)]),
    'and another one signed': () => signedCheckoutJwt(makeP256(), [lineOf('Tea', 2000)]),
    'and was changed since it was signed': () => {
      const [head, , tail] = signedCheckoutJwt(shop, [lineOf('Tea', 2000)]).split('.');
      return [head, signedCheckoutJwt(shop, [lineOf('Coffee', 2000)]).split('.')[1], tail].join('.');
    },
    'in another currency than is paid': () => signedCheckoutJwt(shop, [lineOf('Tea', 2000)], { currency: 'JPY' }),
    'and comes to another amount': () => signedCheckoutJwt(shop, [lineOf('Tea', 1999)]),
  })) {
    test(`${what} is not shown as what is bought`, async () => {
      await askPerson();
      const view = await shown(make());
      assert.deepEqual(view.items, [{ name: 'Payment to shop.example', quantity: 1, amount: '20.00 USD' }]);
      assert.equal(view.unlisted, true);
    });
  }

  test('names no shop but the one whose domain it is, and what the agent says of it stands apart', async () => {
    await askPerson();
    const view = await shown(checkoutJwt(), { ...PAYEE, name: 'Your Own Bank' });
    assert.equal(view.merchantName, undefined);
    assert.doesNotMatch(JSON.stringify([view.items, view.details]), /Your Own Bank|pm_card_visa/);
    const said = view.asked.map(({ name, value }) => `${name}: ${value}`);
    assert.ok(said.includes('Payee, name: Your Own Bank'), String(said));
    assert.ok(said.includes('Paid with, id: pm_card_visa'), String(said));
  });

  describe('twice, where the policy refuses what is the same', () => {
    beforeEach(() => setRules({ risk: { duplicate: { window: '1d', action: 'deny' } } }));
    const codesOf = async (first: string, second: string) => {
      const open = parties.open(budget(900, 'USD'));
      const { approvalToken } = await present(first, open);
      await node.run('mandatePayment', { approvalToken });
      return (await present(second, open)).reasonCodes;
    };

    test('is the same with a dot more in a title that no merchant signed', async () => {
      const lists = ['Tea', 'Tea.'].map((title) => checkoutJwt([lineOf(title, 2000)]));
      assert.deepEqual(await codesOf(String(lists[0]), String(lists[1])), ['DUPLICATE_SUSPECTED']);
    });

    test('is the same with a mark of no width more', async () => {
      const lists = ['Tea', 'T\u200be\u2060a\u034f\u3164'].map((title) =>
        signedCheckoutJwt(shop, [lineOf(title, 2000)]),
      );
      assert.deepEqual(await codesOf(String(lists[0]), String(lists[1])), ['DUPLICATE_SUSPECTED']);
    });

    test('is another purchase where the merchant signed another list', async () => {
      const lists = ['Tea', 'Coffee'].map((title) => signedCheckoutJwt(shop, [lineOf(title, 2000)]));
      assert.equal(await codesOf(String(lists[0]), String(lists[1])), undefined);
    });
  });
});

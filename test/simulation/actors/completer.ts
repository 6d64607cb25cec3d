/**
 * An agent that pays checkouts of UCP: few of them, so that they come again, for other intents, at once and at terms that the business has
 * signed anew; it gives some holds back, and lets some approvals lapse.
 */
import { canonical } from '../../../protocol/credential/canonical.ts';
import { receiptKeyOf, receiptSigner } from '../../../src/crypto/receiptKey.ts';
import type { JsonObject } from '../../support/peer.ts';
import { chance } from '../machine/chance.ts';
import type { Desk } from './desk.ts';
import type { Market } from './market.ts';

const CHECKOUTS = 6;

export async function completeCheckouts(market: Market, owner: Desk): Promise<void> {
  const { desk, agent, principals, shops } = market;
  const dice = chance(`${desk.world.options.seed} checkouts of ${desk.owner.name}`);
  const domain = String(shops[0]?.domain);
  const key = receiptKeyOf(dice.bytes(32).toString('base64url'));
  const sign = receiptSigner(key);
  await owner.surely({
    call: 'bindMerchant',
    route: ['POST', '/ap2/admin/merchants'],
    input: { domain, jwk: { ...key.jwk } },
  });
  const checkoutOf = (number: number): JsonObject => {
    const price = 100 * (number + 1);
    const checkout = {
      id: `chk_${number}`,
      status: 'ready_for_complete',
      currency: 'USD',
      line_items: [{ id: 'li_1', item: { id: 'sku_1', title: 'Widget', price }, quantity: 1 }],
      totals: [
        { type: 'subtotal', amount: price },
        { type: 'total', amount: price },
      ],
      note: dice.below(3),
    };
    const head = encoded(JSON.stringify({ alg: 'ES256', kid: key.jwk.kid }));
    const signature = sign(Buffer.from(`${head}.${encoded(canonical(checkout))}`));
    return { ...checkout, ap2: { merchant_authorization: `${head}..${Buffer.from(signature).toString('base64url')}` } };
  };
  const approve = async (checkout: JsonObject): Promise<string | undefined> => {
    const request = { maxAmount: 10, currency: 'USD' };
    const asked = { agentDid: agent.did, principalDid: String(principals[0]?.did), request };
    const intent = await desk.rest({ call: 'issueIntent', route: ['POST', '/ap2/intents'], input: asked });
    const intentId = intent?.body.intentVc?.credentialSubject.mandateId;
    if (intentId === undefined) return undefined;
    const input = { intentId, merchantDomain: domain, checkout };
    const told = await desk.rest({ call: 'validateUcpCheckout', route: ['POST', '/ap2/carts/validate/ucp'], input });
    return told?.body.approvalToken;
  };
  while (market.isOpen()) {
    await desk.pause(dice.fraction() * market.pauseMs);
    if (!market.isOpen()) return;
    const number = dice.below(CHECKOUTS);
    const offers = Array.from({ length: dice.between(1, 3) }, () => checkoutOf(number));
    const tokens = await Promise.all(offers.map(approve));
    for (const approvalToken of tokens) {
      if (approvalToken === undefined || dice.permille(200)) continue;
      const input = { approvalToken };
      const paid = await desk.rest({ call: 'mandatePayment', route: ['POST', '/ap2/payments/mandate'], input });
      const id = paid?.body.pmVc?.credentialSubject.mandateId;
      if (id === undefined || !dice.permille(300)) continue;
      await desk.rest({
        call: 'cancelPayment',
        route: ['POST', `/ap2/payments/${id}/cancel`],
        input: {},
        named: { mandateId: id },
      });
    }
  }
}

function encoded(text: string): string {
  return Buffer.from(text).toString('base64url');
}

/**
 * An agent that buys by mandates: it closes few open mandates for few checkouts, so that they come again, also at once and signed anew,
 * and has the same mandates registered, so that its intents name them, too. It pays what it gets, and lets some of it lapse; its owner
 * revokes a mandate now and then, which it goes on to present.
 */
import { createHash } from 'node:crypto';
import { bindingTo, joinChain, mintSdJwt, selective } from '../../../protocol/sdjwt/mint.ts';
import { receiptKeyOf, receiptSigner } from '../../../src/crypto/receiptKey.ts';
import { otherSignature } from '../../support/mandates.ts';
import { type JsonObject, makeCart } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { Desk } from './desk.ts';
import type { Market } from './market.ts';

const CHECKOUTS = 5;
const AGENT_SECONDS = 100_000_000;

export async function buyByMandates(market: Market, owner: Desk): Promise<void> {
  const { desk } = market;
  const dice = chance(`${desk.world.options.seed} mandates of ${desk.owner.name}`);
  const [provider, agent] = [makeKey(dice), makeKey(dice)];
  await owner.surely({
    call: 'addMandateIssuer',
    route: ['POST', '/ap2/admin/mandate-issuers'],
    input: { name: 'Provider', kind: 'agent-provider', jwk: provider.jwk },
  });
  const mint = mintOf(market, dice, provider, agent);
  const begin = () => Promise.all([constraintsOf(dice), []].map((each) => register(market, owner, mint.open(each))));
  let opens = await begin();
  while (market.isOpen()) {
    await desk.pause(dice.fraction() * market.pauseMs);
    if (!market.isOpen()) return;
    if (dice.permille(60)) opens = await begin();
    const chosen = dice.of(opens);
    if (dice.permille(30)) await revoke(owner, chosen.id);
    if (dice.permille(450)) {
      await Promise.all(Array.from({ length: dice.between(1, 3) }, () => buyByDelegation(market, dice, chosen.id)));
      continue;
    }
    const open = dice.permille(200) ? otherSignature(chosen.open) : chosen.open;
    const checkout = `${opens.indexOf(chosen)} ${dice.below(CHECKOUTS)}`;
    const amount = 100 * dice.between(1, 20);
    const bodies = Array.from({ length: dice.between(1, 3) }, () => mint.close(open, checkout, amount));
    const answers = await Promise.all(bodies.map((body) => present(desk, body)));
    for (const told of answers) {
      const token = told?.body.approvalToken;
      if (token === undefined || dice.permille(300)) continue;
      const input = { approvalToken: token };
      await desk.rest({ call: 'mandatePayment', route: ['POST', '/ap2/payments/mandate'], input });
    }
  }
}

/** An open mandate, and the id of its delegation. */
interface Registered {
  readonly open: string;
  readonly id: string;
}

async function register({ agent, principals }: Market, owner: Desk, open: string): Promise<Registered> {
  const told = await owner.surely({
    call: 'registerDelegation',
    route: ['POST', '/ap2/delegations'],
    input: { token: open, agentDid: agent.did, principalDid: String(principals[0]?.did) },
  });
  return { open, id: String(told.body.id) };
}

function revoke(owner: Desk, id: string) {
  return owner.rest({
    call: 'revokeDelegation',
    route: ['POST', `/ap2/delegations/${id}/revoke`],
    input: {},
    named: { id },
  });
}

/** Asks for an amount, has a cart of less approved, and at times another one of all of it, and pays. */
async function buyByDelegation(market: Market, dice: Chance, delegationId: string): Promise<void> {
  const { desk, agent, principals } = market;
  const maxAmount = dice.between(2, 20);
  const request = { maxAmount, currency: 'USD' };
  const parties = { agentDid: agent.did, principalDid: String(principals[0]?.did) };
  const asked = { ...parties, delegationId, request };
  const told = await desk.rest({ call: 'issueIntent', route: ['POST', '/ap2/intents'], input: asked });
  const intentVc = told?.body.intentVc as Loose;
  if (intentVc === undefined) return;
  const carts = dice.permille(300) ? [maxAmount / 2, maxAmount] : [dice.of([maxAmount / 2, maxAmount])];
  let token: string | undefined;
  for (const total of carts) {
    await desk.pause(dice.fraction() * market.pauseMs);
    const cartVc = cartOf(market, total);
    const route = ['POST', '/ap2/carts/validate'] as const;
    token =
      (await desk.rest({ call: 'validateCart', route, input: { intentVc, cartVc } }))?.body.approvalToken ?? token;
  }
  if (token === undefined || dice.permille(300)) return;
  const input = { approvalToken: token };
  await desk.rest({ call: 'mandatePayment', route: ['POST', '/ap2/payments/mandate'], input });
}

function cartOf({ shops: [shop] }: Market, total: number): JsonObject {
  const items = [{ name: 'Thing', price: total, quantity: 1 }];
  return makeCart((shop as Market['shops'][number]).peer, {
    domain: String(shop?.domain),
    items,
    total,
    currency: 'USD',
  });
}

function present(desk: Desk, input: JsonObject) {
  return desk.rest({ call: 'issuePaymentCredential', route: ['POST', '/ap2/payment-credentials'], input });
}

function makeKey(dice: Chance) {
  const key = receiptKeyOf(dice.bytes(32).toString('base64url'));
  const { kid: _, ...jwk } = key.jwk;
  return { jwk, sign: receiptSigner(key) };
}

function constraintsOf(dice: Chance): JsonObject[] {
  return [
    { type: 'payment.amount_range', currency: 'USD', max: 1_000_000 },
    { type: 'payment.budget', currency: 'USD', max: dice.between(20, 60) },
    { type: 'payment.agent_recurrence', frequency: 'ON_DEMAND' },
  ];
}

type Key = ReturnType<typeof makeKey>;

function mintOf({ desk, agent: buyer, principals, shops }: Market, dice: Chance, provider: Key, agent: Key) {
  const salt = () => dice.bytes(16).toString('base64url');
  const seconds = () => Math.floor(desk.world.loop.now / 1000);
  const payee = { name: 'Shop', website: `https://${String(shops[0]?.domain)}` };
  return {
    open(constraints: readonly JsonObject[]): string {
      const iat = seconds() - 200;
      const cnf = { jwk: agent.jwk };
      const mandate = { vct: 'mandate.payment.open.1', constraints, cnf, iat, exp: iat + AGENT_SECONDS };
      return mintSdJwt({ typ: 'sd-jwt', payload: { delegate_payload: [selective(mandate)] }, signer: provider, salt });
    },
    close(open: string, checkout: string, amount: number): JsonObject {
      const checkoutJwtHash = createHash('sha256').update(checkout).digest('base64url');
      const mandate = {
        vct: 'mandate.payment.1',
        transaction_id: checkoutJwtHash,
        payee,
        payment_amount: { amount, currency: 'USD' },
        payment_instrument: { id: 'card-1', type: 'card' },
      };
      const nonce = salt();
      const claims = { iat: seconds() - 200, aud: 'credential-provider', nonce, ...bindingTo(open, 'sd_hash') };
      const payload = { delegate_payload: [selective(mandate)], ...claims };
      const leaf = mintSdJwt({ typ: 'kb+sd-jwt', payload, signer: agent, salt });
      const parties = { agentDid: buyer.did, principalDid: String(principals[0]?.did) };
      return { paymentMandate: joinChain([open, leaf]), nonce, checkoutJwtHash, ...parties };
    },
  };
}

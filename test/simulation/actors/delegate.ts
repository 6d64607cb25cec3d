/**
 * An agent that buys by chains of mandates and by layers of Verifiable Intent: it closes few open mandates for few checkouts, so that they
 * come again, also at once and signed anew, pays what it gets, and lets some of it lapse. The open mandates are
 * registered as well, and at times revoked, and intents name them.
 */
import { createHash } from 'node:crypto';
import { bindingTo, joinChain, mintSdJwt, selective } from '../../../protocol/sdjwt/mint.ts';
import { receiptKeyOf, receiptSigner } from '../../../src/crypto/receiptKey.ts';
import { otherSignature } from '../../support/mandates.ts';
import type { JsonObject } from '../../support/peer.ts';
import { type Chance, chance } from '../machine/chance.ts';
import { buyByDelegation, register, revoke } from './delegatedPurchase.ts';
import type { Desk } from './desk.ts';
import { intentMint } from './intentMint.ts';
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
  const nextIntent = await intentsOf(market, owner, agent);
  const mint = mintOf(market, dice, provider, agent);
  const begin = () => Promise.all([constraintsOf(dice), []].map((each) => register(market, owner, mint.open(each))));
  let opens = await begin();
  while (market.isOpen()) {
    await desk.pause(dice.fraction() * market.pauseMs);
    if (!market.isOpen()) return;
    const intents = nextIntent();
    if (intents !== undefined) {
      await presentAndPay(desk, dice, intents);
      continue;
    }
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
    await presentAndPay(desk, dice, bodies);
  }
}

async function presentAndPay(desk: Desk, dice: Chance, bodies: readonly JsonObject[]): Promise<void> {
  const answers = await Promise.all(bodies.map((body) => present(desk, body)));
  for (const told of answers) {
    const token = told?.body.approvalToken;
    if (token === undefined || dice.permille(300)) continue;
    const input = { approvalToken: token };
    await desk.rest({ call: 'mandatePayment', route: ['POST', '/ap2/payments/mandate'], input });
  }
}

/** Pairs of a layer 2: two budgets, and a subscription for two payments. */
function pairsOf(dice: Chance): readonly (readonly JsonObject[])[] {
  const range = { type: 'mandate.payment.amount_range', currency: 'USD', max: 1_000_000 };
  const often = { type: 'mandate.payment.agent_recurrence', frequency: 'ON_DEMAND' };
  const budget = () => ({ type: 'mandate.payment.budget', currency: 'USD', max: 100 * dice.between(15, 40) });
  const subscription = { type: 'mandate.payment.recurrence', frequency: 'MONTHLY', number: 2 };
  return [
    [range, budget(), often],
    [range, budget(), often],
    [range, subscription],
  ];
}

/** @returns what makes the next presentations by Verifiable Intent, or none where a chain of AP2 is next */
async function intentsOf(market: Market, owner: Desk, agent: Key): Promise<() => readonly JsonObject[] | undefined> {
  const { desk } = market;
  const dice = chance(`${desk.world.options.seed} intents of ${desk.owner.name}`);
  const named = (key: Key, kid: string) => ({ kid, sign: key.sign, jwk: { ...key.jwk, kid } });
  const issuer = named(makeKey(dice), 'bank');
  const people = ['one', 'other'].map((kid) => named(makeKey(dice), kid));
  await owner.surely({
    call: 'addMandateIssuer',
    route: ['POST', '/ap2/admin/mandate-issuers'],
    input: { name: 'Bank', kind: 'card-issuer', jwk: issuer.jwk },
  });
  const seconds = () => Math.floor(desk.world.loop.now / 1000);
  const mint = intentMint(dice, { issuer, people, agent: named(agent, 'agent'), payee: payeeOf(market), seconds });
  let views = mint.delegate(0, pairsOf(dice));
  let made = 0;
  return () => {
    if (!dice.permille(500)) return undefined;
    if (dice.permille(30)) {
      views = mint.delegate(dice.below(2), pairsOf(dice));
      made += 1;
    }
    const checkout = `intent ${made} ${dice.below(8 * CHECKOUTS)}`;
    const amount = 100 * dice.between(1, 20);
    const count = dice.between(1, 3);
    const parties = partiesOf(market);
    if (dice.permille(150)) {
      // Few, so that both people come with the same one.
      const [which, same] = [dice.below(2), `closed ${made} ${dice.below(2)}`];
      return Array.from({ length: count }, () => ({ ...mint.immediate(which, same, amount), ...parties }));
    }
    const view = dice.of(views);
    return Array.from({ length: count }, () => ({ ...mint.close(view, checkout, amount), ...parties }));
  };
}

function payeeOf({ shops }: Market): JsonObject {
  return { name: 'Shop', website: `https://${String(shops[0]?.domain)}` };
}

function partiesOf({ agent, principals }: Market) {
  return { agentDid: agent.did, principalDid: String(principals[0]?.did) };
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

function mintOf(market: Market, dice: Chance, provider: Key, agent: Key) {
  const { desk } = market;
  const salt = () => dice.bytes(16).toString('base64url');
  const seconds = () => Math.floor(desk.world.loop.now / 1000);
  const payee = payeeOf(market);
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
        payment_instrument: { id: 'pm_card_visa', type: 'card' },
      };
      const nonce = salt();
      const claims = { iat: seconds() - 200, aud: 'credential-provider', nonce, ...bindingTo(open, 'sd_hash') };
      const payload = { delegate_payload: [selective(mandate)], ...claims };
      const leaf = mintSdJwt({ typ: 'kb+sd-jwt', payload, signer: agent, salt });
      return { paymentMandate: joinChain([open, leaf]), nonce, checkoutJwtHash, ...partiesOf(market) };
    },
  };
}

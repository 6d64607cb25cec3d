/**
 * An agent that cheats and errs: it repeats requests, borrows other agents' intents, tokens, keys and proofs, brings carts that do not
 * add up, comes too late, and asks for a cent too much. Nothing of it may work; the oracle says whether it did.
 */
import { type JsonObject, makeCart, makePeer, type Peer } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import { type Answered, Desk, OWNER } from './desk.ts';
import { formsFor, type Market } from './market.ts';

export interface Trickery extends Market {
  /** Whose things it borrows. */
  readonly victim: Pick<Market, 'desk' | 'agent'>;
}

/** An agent with its desk. */
type Side = Trickery['victim'];
type Trick = (world: Trickery, dice: Chance) => Promise<void>;

/** How long the shortest intents of this world live, in milliseconds. */
const SHORT_MS = 4000;
/** A window that purchases leave soon. */
const WINDOW_MS = 4000;
/** After this time an approval token has expired. */
const TOKEN_MS = 21_000;

export async function trick(world: Trickery): Promise<void> {
  const { desk } = world;
  const dice = chance(`${desk.world.options.seed} tricks of ${world.agent.did}`);
  while (world.isOpen()) {
    await desk.pause(dice.fraction() * world.pauseMs);
    if (!world.isOpen()) return;
    // Who has reached a limit can try nothing else.
    if (dice.permille(150)) await limit(world, { maxTransactions: 200, maxAmount: 9000, timeWindow: '1m' });
    await dice.of(TRICKS)(world, dice);
  }
}

const TRICKS: readonly Trick[] = [
  async function repeatUnderOneKey(world, dice) {
    const ask = intentOf(world, dice);
    const key = keyOf(dice);
    const first = await rest(world.desk, 'issueIntent', ask, key);
    const again = await rest(world.desk, 'issueIntent', ask, key);
    const intentVc = partOf(again, 'intentVc') ?? partOf(first, 'intentVc');
    if (intentVc === undefined) return;
    const cart = { intentVc, cartVc: offer(world, dice, amountIn(intentVc)) };
    const cartKey = keyOf(dice);
    const token = partOf(await rest(world.desk, 'validateCart', cart, cartKey), 'approvalToken');
    await rest(world.desk, 'validateCart', cart, cartKey);
    if (token === undefined) return;
    const payKey = keyOf(dice);
    await rest(world.desk, 'mandatePayment', { approvalToken: token }, payKey);
    await rest(world.desk, 'mandatePayment', { approvalToken: token }, payKey);
    await rest(world.desk, 'mandatePayment', { approvalToken: token }, keyOf(dice));
  },
  async function borrowKeyAndToken(world, dice) {
    const { desk, victim } = world;
    const intentVc = await getIntent(world, victim, dice);
    if (intentVc === undefined) return;
    const cart = { intentVc, cartVc: offer(world, dice, amountIn(intentVc)) };
    await rest(desk, 'validateCart', cart, keyOf(dice));
    const token = partOf(await rest(victim.desk, 'validateCart', cart, keyOf(dice)), 'approvalToken');
    if (token === undefined) return;
    const key = keyOf(dice);
    await rest(desk, 'mandatePayment', { approvalToken: token }, keyOf(dice));
    await rest(victim.desk, 'mandatePayment', { approvalToken: token }, key);
    await rest(desk, 'mandatePayment', { approvalToken: token }, key);
  },
  async function borrowPresence(world, dice) {
    const { desk, agent, victim } = world;
    const intentVc = await getIntent(world, world, dice);
    const of = dice.permille(500) ? victim : { desk, agent };
    const shown = await rest(of.desk, 'demoPresenceProof', { agentDid: of.agent.did, freshnessSeconds: 600 });
    const hpProof = partOf(shown, 'hpProof');
    if (intentVc === undefined || hpProof === undefined) return;
    const carts = [offer(world, dice, amountIn(intentVc)), offer(world, dice, amountIn(intentVc))];
    let token: string | undefined;
    for (const cartVc of carts) {
      token = partOf(await rest(desk, 'validateCart', { intentVc, cartVc, hpProof }), 'approvalToken') ?? token;
    }
    if (token !== undefined) await rest(desk, 'mandatePayment', { approvalToken: token });
  },
  async function bringWrongCarts(world, dice) {
    const intentVc = await getIntent(world, world, dice);
    if (intentVc === undefined) return;
    const cents = Math.round(amountIn(intentVc) * 100);
    const wrong = [
      offer(world, dice, cents / 100, Math.max(1, cents - 100) / 100),
      offer(world, dice, (cents + 1) / 100),
    ];
    for (const cartVc of wrong) {
      const token = partOf(await rest(world.desk, 'validateCart', { intentVc, cartVc }), 'approvalToken');
      if (token !== undefined) await rest(world.desk, 'mandatePayment', { approvalToken: token });
    }
  },
  async function payOneCartTwice(world, dice) {
    const intents = [await getIntent(world, world, dice), await getIntent(world, world, dice)];
    const amount = Math.min(...intents.map((intentVc) => (intentVc === undefined ? 0 : amountIn(intentVc))));
    if (amount === 0) return;
    const cartVc = offer(world, dice, amount);
    for (const intentVc of intents) {
      const token = partOf(await rest(world.desk, 'validateCart', { intentVc, cartVc }), 'approvalToken');
      if (token !== undefined) await rest(world.desk, 'mandatePayment', { approvalToken: token });
    }
  },
  async function payFormerToken(world, dice) {
    const intentVc = await getIntent(world, world, dice);
    if (intentVc === undefined) return;
    const tokens: string[] = [];
    for (const share of [1, dice.permille(500) ? 1 : 0.5]) {
      const amount = Math.max(1, Math.round(amountIn(intentVc) * 100 * share)) / 100;
      const told = await rest(world.desk, 'validateCart', { intentVc, cartVc: offer(world, dice, amount) });
      tokens.push(...(partOf(told, 'approvalToken') === undefined ? [] : [partOf(told, 'approvalToken')]));
    }
    for (const approvalToken of tokens) await rest(world.desk, 'mandatePayment', { approvalToken });
  },
  async function comeLate(world, dice) {
    const { desk } = world;
    const expiresAt = new Date(desk.world.loop.now + SHORT_MS).toISOString();
    const intentVc = partOf(await rest(desk, 'issueIntent', { ...intentOf(world, dice), expiresAt }), 'intentVc');
    if (intentVc === undefined) return;
    const isCartLate = dice.permille(500);
    if (isCartLate) await desk.pause(SHORT_MS + dice.below(2 * SHORT_MS));
    const cart = { intentVc, cartVc: offer(world, dice, amountIn(intentVc)) };
    const token = partOf(await rest(desk, 'validateCart', cart), 'approvalToken');
    if (!isCartLate) await desk.pause(SHORT_MS + dice.below(2 * SHORT_MS));
    if (token !== undefined) await rest(desk, 'mandatePayment', { approvalToken: token });
  },
  async function keepToken(world, dice) {
    const { desk } = world;
    const token = await getToken(world, dice);
    if (token === undefined) return;
    // Others go on meanwhile, and so does this one.
    desk.world.act(`${desk.owner.name}, later`, async (owner) => {
      await desk.world.pause(owner, TOKEN_MS + dice.below(20_000));
      if (world.isOpen()) await rest(desk, 'mandatePayment', { approvalToken: token });
    });
  },
  async function askForCentsMore(world, dice) {
    const cap = dice.of([10, 20, 40, 50, 60, 80, 100]);
    const maxAmount = cap + dice.between(1, 99) / 100;
    const intentVc = partOf(await rest(world.desk, 'issueIntent', intentOf(world, dice, maxAmount)), 'intentVc');
    if (intentVc === undefined) return;
    const token = await tokenFor(world, dice, intentVc, maxAmount);
    if (token !== undefined) await rest(world.desk, 'mandatePayment', { approvalToken: token });
  },
  async function giveBackTooMuch(world, dice) {
    const { desk } = world;
    const token = await getToken(world, dice);
    if (token === undefined) return;
    const paid = partOf(await rest(desk, 'mandatePayment', { approvalToken: token }), 'pmVc')?.credentialSubject;
    if (paid === undefined) return;
    const cents = Math.round(paid.amount * 100);
    const captured = Math.max(1, Math.floor(cents / 2));
    await operate(desk, 'capturePayment', paid.mandateId, { amount: captured / 100 });
    await operate(desk, 'refundPayment', paid.mandateId, { amount: Math.min(cents, captured + 1) / 100 });
    await operate(desk, 'refundPayment', paid.mandateId, { amount: captured / 100 });
    await operate(desk, 'refundPayment', paid.mandateId, { amount: 0.01 });
  },
  async function payHoardedIntents(world, dice) {
    const { desk } = world;
    await limit(world, { maxTransactions: 3, maxAmount: 60, timeWindow: `${WINDOW_MS / 1000}s` });
    const hoard: Loose[] = [];
    for (let round = 1; round <= 2; round++) {
      for (let more = 1; more <= 3; more++) {
        const ask = intentOf(world, dice, dice.between(100, 1900) / 100);
        const intentVc = partOf(await rest(desk, 'issueIntent', ask), 'intentVc');
        if (intentVc !== undefined) hoard.push(intentVc);
      }
      await desk.pause(WINDOW_MS + 1000);
    }
    // Each of them was within the limit when it was asked for; paid together they are not.
    const tokens: string[] = [];
    for (const intentVc of hoard) {
      const token = await tokenFor(world, dice, intentVc, amountIn(intentVc));
      if (token !== undefined) tokens.push(token);
    }
    await Promise.all(tokens.map((approvalToken) => rest(desk, 'mandatePayment', { approvalToken })));
    await limit(world, { maxTransactions: 200, maxAmount: 9000, timeWindow: '1m' });
  },
  async function cancelForRoom(world, dice) {
    const { desk } = world;
    await limit(world, { maxAmount: 60, timeWindow: `${WINDOW_MS / 1000}s` });
    // What is cancelled or declined is room again: a purchase that is refused the second time was counted twice.
    for (let more = 1; more <= 4; more++) {
      const token = await getToken(world, dice);
      if (token === undefined) continue;
      const paid = partOf(await rest(desk, 'mandatePayment', { approvalToken: token }), 'pmVc')?.credentialSubject;
      if (paid !== undefined) await operate(desk, 'cancelPayment', paid.mandateId, {});
    }
    await limit(world, { maxTransactions: 200, maxAmount: 9000, timeWindow: '1m' });
  },
  async function payWhileSuspended(world, dice) {
    const token = await getToken(world, dice);
    if (token === undefined) return;
    await administer(world, world.agent, 'suspendAgent', { reason: 'a doubt' });
    await rest(world.desk, 'mandatePayment', { approvalToken: token });
    await administer(world, world.agent, 'reactivateAgent', {});
  },
  async function buyForTheRevoked(world, dice) {
    const { desk } = world;
    const owner = new Desk(desk.world, desk.owner, OWNER);
    const agent = makePeer(dice.bytes(32));
    const registered = { name: 'an agent for a while', publicKey: agent.publicKey };
    await owner.rest({ call: 'registerAgent', route: ['POST', '/ap2/agents'], input: registered });
    const intentVc = await getIntent(world, { desk: owner, agent }, dice);
    await administer(world, agent, 'revokeAgent', { reason: 'no more' });
    await getIntent(world, { desk: owner, agent }, dice);
    if (intentVc === undefined) return;
    const cartVc = offer(world, dice, amountIn(intentVc));
    const token = partOf(await rest(owner, 'validateCart', { intentVc, cartVc }), 'approvalToken');
    if (token !== undefined) await rest(owner, 'mandatePayment', { approvalToken: token });
  },
  async function buyByTheOwnersKey(world, dice) {
    // The holder of a key of the tenant acts for its agents: also for one that has just been revoked or suspended.
    const owner = new Desk(world.desk.world, world.desk.owner, OWNER);
    const agent = dice.permille(500) ? world.agent : world.victim.agent;
    const intentVc = await getIntent(world, { desk: owner, agent }, dice);
    if (intentVc === undefined) return;
    const cartVc = offer(world, dice, amountIn(intentVc));
    const token = partOf(await rest(owner, 'validateCart', { intentVc, cartVc }), 'approvalToken');
    await world.desk.pause(dice.below(3000));
    if (token !== undefined) await rest(owner, 'mandatePayment', { approvalToken: token });
  },
];

/** The owner changes what an agent may do. */
async function administer({ desk }: Trickery, { did }: Peer, call: string, input: JsonObject): Promise<void> {
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const path = `/ap2/admin/agents/${encodeURIComponent(did)}/${call.replace('Agent', '')}`;
  await owner.rest({ call, route: ['POST', path], input, named: { did } });
}

/** The owner limits the agent. */
async function limit({ desk, agent }: Trickery, input: JsonObject): Promise<void> {
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const path = `/ap2/admin/agents/${encodeURIComponent(agent.did)}/velocity`;
  await owner.rest({ call: 'setAgentVelocity', route: ['PUT', path], input, named: { did: agent.did } });
}

const PATHS: Readonly<Record<string, string>> = {
  issueIntent: '/ap2/intents',
  validateCart: '/ap2/carts/validate',
  mandatePayment: '/ap2/payments/mandate',
  demoPresenceProof: '/ap2/demo/hp-proof',
};

function rest(desk: Desk, call: string, input: JsonObject, key?: string): Promise<Answered | undefined> {
  return desk.rest({ call, route: ['POST', String(PATHS[call])], input, ...(key !== undefined && { key }) });
}

function operate(desk: Desk, call: string, mandateId: string, more: JsonObject): Promise<Answered | undefined> {
  const path = `/ap2/payments/${mandateId}/${call.replace('Payment', '')}`;
  return desk.rest({ call, route: ['POST', path], input: more, named: { mandateId } });
}

function intentOf({ agent, principals, shops }: Trickery, dice: Chance, maxAmount = dice.between(100, 4000) / 100) {
  const vendorHints = dice.permille(700) ? { vendorHints: { domain: dice.of(shops).domain } } : {};
  const request = { maxAmount, currency: 'USD', ...vendorHints };
  return { agentDid: agent.did, principalDid: dice.of(principals).did, request, ...formsFor(maxAmount) };
}

/** An intent of one side, as its credential. */
async function getIntent(world: Trickery, { desk, agent }: Side, dice: Chance): Promise<Loose> {
  const ask: JsonObject = { ...intentOf(world, dice), agentDid: agent.did };
  return partOf(await rest(desk, 'issueIntent', ask, keyOf(dice)), 'intentVc');
}

async function getToken(world: Trickery, dice: Chance): Promise<string | undefined> {
  const intentVc = await getIntent(world, world, dice);
  return intentVc === undefined ? undefined : tokenFor(world, dice, intentVc, amountIn(intentVc));
}

async function tokenFor(world: Trickery, dice: Chance, intentVc: Loose, amount: number): Promise<string | undefined> {
  const cartVc = offer(world, dice, amount, amount, intentVc.credentialSubject.merchantDomain);
  return partOf(await rest(world.desk, 'validateCart', { intentVc, cartVc }), 'approvalToken');
}

function offer({ shops }: Trickery, dice: Chance, price: number, total = price, at?: string): JsonObject {
  const { domain, peer } = shops.find((shop) => shop.domain === at) ?? dice.of(shops);
  return makeCart(peer, { domain, items: [{ name: 'Thing', price, quantity: 1 }], total, currency: 'USD' });
}

function amountIn(intentVc: Loose): number {
  return intentVc.credentialSubject.maxAmount;
}

function keyOf(dice: Chance): string {
  return `trick-${dice.bytes(6).toString('hex')}`;
}

function partOf(told: Answered | undefined, name: string): Loose {
  return typeof told?.body === 'object' && told.body !== null ? told.body[name] : undefined;
}

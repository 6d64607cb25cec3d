/**
 * An agent whose purchases may need a person: it passes the request on, waits, and comes back with the proof; or with a proof that is
 * another's, changed, used before or for another cart.
 */
import { type JsonObject, makeCartOfOne } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import type { Answered } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { Market, Shop } from './market.ts';
import type { Wanted } from './person.ts';

/** The first of the principals is governed: its person approves, and that of the agent for the other. */
export interface Patience extends Market {
  readonly letters: Wanted[];
  /** Proofs that agents have got, which others try too. */
  readonly proofs: JsonObject[];
}

/** A purchase on its way. */
interface Purchase {
  readonly intentVc: Loose;
  readonly cartVc: JsonObject;
  readonly shop: Shop;
  readonly price: number;
}

type Comeback = (agent: Patience, dice: Chance, purchase: Purchase, hpProof: JsonObject) => Promise<void>;

const TRIES = 4;
/** How often an agent asks what the person has said. */
const LOOKS = 5;

export async function buyWithPatience(agent: Patience): Promise<void> {
  const { desk } = agent;
  const dice = chance(`${desk.world.options.seed} patience of ${desk.owner.name}`);
  while (agent.isOpen()) {
    await desk.pause(dice.fraction() * agent.pauseMs);
    if (!agent.isOpen()) return;
    if (dice.permille(100)) await makeRoom(agent);
    await buyOnce(agent, dice);
  }
}

async function buyOnce(agent: Patience, dice: Chance): Promise<void> {
  const purchase = await begin(agent, dice);
  if (purchase === undefined) return;
  const told = await offer(agent, dice, purchase);
  const token = partOf(told, 'approvalToken');
  if (token !== undefined) return pay(agent, dice, token);
  const approval = partOf(told, 'approval');
  if (approval?.url === undefined) return;
  passOn(agent, dice, purchase, approval);
  const hpProof = dice.permille(60) ? await withdraw(agent, approval.id) : await wait(agent, dice, approval.id);
  if (hpProof === undefined) {
    if (dice.permille(400)) await insist(agent, dice, purchase);
    return;
  }
  agent.proofs.push(hpProof);
  await (dice.permille(500) ? comeHonestly : dice.of(COMEBACKS))(agent, dice, purchase, hpProof);
}

/** @param as what the purchase has to be like; anything unless given */
async function begin(
  agent: Patience,
  dice: Chance,
  as?: Pick<Purchase, 'shop' | 'price'> & { readonly principalDid: string },
): Promise<Purchase | undefined> {
  const { desk, principals, shops } = agent;
  const { shop, price, principalDid } = as ?? {
    shop: dice.of(shops),
    price: dice.between(200, 6000) / 100,
    principalDid: dice.of(principals).did,
  };
  const ends = dice.permille(250)
    ? new Date(desk.world.loop.time + dice.between(5, 40) * 1000).toISOString()
    : undefined;
  const input = {
    agentDid: agent.agent.did,
    principalDid,
    request: { maxAmount: price, currency: 'USD', vendorHints: { domain: shop.domain } },
    ...(ends !== undefined && { expiresAt: ends }),
  };
  const intentVc = partOf(await persist(agent, dice, 'issueIntent', '/ap2/intents', input), 'intentVc');
  return intentVc && { intentVc, cartVc: makeCartOfOne(shop.peer, shop.domain, price), shop, price };
}

/** Comes once more with a cart that was not approved, and with a new intent: a person is not asked again for what they denied. */
async function insist(agent: Patience, dice: Chance, purchase: Purchase): Promise<void> {
  const told = [await offer(agent, dice, purchase)];
  const { principalDid } = purchase.intentVc.credentialSubject;
  const again = await begin(agent, dice, { ...purchase, principalDid });
  if (again !== undefined) told.push(await offer(agent, dice, { ...purchase, intentVc: again.intentVc }));
  await payAll(agent, dice, told);
}

/** A cart as it was, or with a proof. */
function offer(agent: Patience, dice: Chance, { intentVc, cartVc }: Purchase, hpProof?: JsonObject) {
  const input = { intentVc, cartVc, ...(hpProof !== undefined && { hpProof }) };
  return persist(agent, dice, 'validateCart', '/ap2/carts/validate', input);
}

function passOn({ letters, principals }: Patience, dice: Chance, { intentVc }: Purchase, approval: Loose): void {
  const { agentDid, principalDid } = intentVc.credentialSubject;
  const holder = principalDid === principals[0]?.did ? { principalDid } : { agentDid };
  const letter = { id: approval.id, holder, expiresAt: Date.parse(approval.expiresAt) };
  letters.push(letter, ...(dice.permille(50) ? [letter] : []));
}

/** @returns the proof, once the person approved; undefined where they did not, or not in time */
async function wait({ desk }: Patience, dice: Chance, id: string): Promise<JsonObject | undefined> {
  for (let look = 1; look <= LOOKS; look++) {
    const path = `/ap2/approvals/${id}?wait=${dice.of([0, 2, 10])}`;
    const told = await desk.rest({ call: 'getApproval', route: ['GET', path], input: {}, named: { approvalId: id } });
    if (partOf(told, 'hpProof') !== undefined) return partOf(told, 'hpProof');
    if (told?.status === 200 && told.body.status !== 'pending') return undefined;
    await desk.pause(dice.below(3000));
  }
  return undefined;
}

/** The agent takes its own request back, perhaps while the person approves. */
async function withdraw({ desk }: Patience, id: string): Promise<undefined> {
  const route = ['POST', `/ap2/approvals/${id}/deny`] as const;
  await desk.rest({ call: 'denyApproval', route, input: {}, named: { approvalId: id } });
}

const comeHonestly: Comeback = async (agent, dice, purchase, hpProof) => {
  const token = partOf(await offer(agent, dice, purchase, hpProof), 'approvalToken');
  if (token !== undefined) await pay(agent, dice, token);
};

const COMEBACKS: readonly Comeback[] = [
  async function twiceAtOnce(agent, dice, purchase, hpProof) {
    const told = await Promise.all([1, 2].map(() => offer(agent, dice, purchase, hpProof)));
    await payAll(agent, dice, told);
  },
  async function forAnotherCart(agent, dice, purchase, hpProof) {
    const { shop, price } = purchase;
    const cheaper = makeCartOfOne(shop.peer, shop.domain, Math.max(1, Math.round(price * 100) - 1) / 100);
    await payAll(agent, dice, [
      await offer(agent, dice, { ...purchase, cartVc: cheaper }, hpProof),
      await offer(agent, dice, purchase, hpProof),
    ]);
  },
  async function forAnotherIntent(agent, dice, purchase, hpProof) {
    const other = await begin(agent, dice);
    if (other === undefined) return;
    await payAll(agent, dice, [await offer(agent, dice, { ...purchase, intentVc: other.intentVc }, hpProof)]);
  },
  async function withAnotherProof(agent, dice, purchase, hpProof) {
    await payAll(agent, dice, [
      await offer(agent, dice, purchase, dice.of(agent.proofs)),
      await offer(agent, dice, purchase, hpProof),
    ]);
  },
  async function withAChangedProof(agent, dice, purchase, hpProof) {
    const other = makeCartOfOne(purchase.shop.peer, purchase.shop.domain, purchase.price);
    const { cartHash: _, ...unbound } = hpProof;
    await payAll(agent, dice, [
      await offer(agent, dice, { ...purchase, cartVc: other }, unbound),
      await offer(agent, dice, purchase, { ...hpProof, expiresAt: new Date(Date.now() + 86_400_000).toISOString() }),
    ]);
  },
  async function afterThePayment(agent, dice, purchase, hpProof) {
    await comeHonestly(agent, dice, purchase, hpProof);
    const next = await begin(agent, dice);
    if (next !== undefined) await payAll(agent, dice, [await offer(agent, dice, next, hpProof)]);
  },
];

async function payAll(agent: Patience, dice: Chance, told: readonly (Answered | undefined)[]): Promise<void> {
  for (const each of told) {
    const token = partOf(each, 'approvalToken');
    if (token !== undefined) await pay(agent, dice, token);
  }
}

async function pay(agent: Patience, dice: Chance, approvalToken: string): Promise<void> {
  await persist(agent, dice, 'mandatePayment', '/ap2/payments/mandate', { approvalToken });
}

/** Under one key, until there is an answer. */
async function persist(
  { desk }: Patience,
  dice: Chance,
  call: string,
  path: string,
  input: JsonObject,
): Promise<Answered | undefined> {
  const key = `patience-${dice.bytes(6).toString('hex')}`;
  for (let tries = 1; ; tries++) {
    const told = await desk.rest({ call, route: ['POST', path], input, key });
    if ((told !== undefined && told.status !== 503) || tries === TRIES) return told;
    await desk.pause(dice.below(2000));
  }
}

function partOf(told: Answered | undefined, name: string): Loose {
  return typeof told?.body === 'object' && told.body !== null ? told.body[name] : undefined;
}

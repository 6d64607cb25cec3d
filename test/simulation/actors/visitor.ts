/**
 * An agent that visits sites which ask for money by HTTP (402): it authorizes, sends what pays, and reports what came of it or does
 * not; asks at once at several nodes, replaces what came to nothing, waits for a person, and tries what must not work: another payee,
 * other money, the receipt of another payment.
 */
import type { JsonObject } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import { mccOf } from './budgets.ts';
import { CHAIN_URL, NETWORK } from './chain.ts';
import type { Answered, Desk } from './desk.ts';
import { makeRoom } from './makeRoom.ts';
import type { Market } from './market.ts';
import { accountOf, type PaidSite, type SiteAnswer, type SiteOffer } from './paidSite.ts';
import type { Wanted } from './person.ts';

export interface Visiting extends Market {
  readonly letters: Wanted[];
  readonly sites: readonly PaidSite[];
}

/** What is bought: the same price at the same address, by however many challenges. */
interface Purchase {
  readonly site: PaidSite;
  readonly url: string;
  readonly priceMinor: number;
  readonly principalDid: string;
  /** How the site asks. */
  readonly by: 'mpp' | 'x402' | 'both';
  offer: SiteOffer;
}

/** A payment on its way. */
interface Sent {
  readonly mandateId: string;
  /** Of a transfer. */
  readonly nonce: string | undefined;
  readonly purchase: Purchase;
  readonly answer: SiteAnswer | undefined;
}

const TRIES = 4;
const LOOKS = 6;
const REFUSED_MS = 4000;
/** How often what came to nothing is tried once more. */
const MOST_REPLACED = 3;

/** The payee of the first site is bound to it; those of the others are bound to none. */
export async function bindPayee(owner: Desk, [bound]: readonly PaidSite[]): Promise<void> {
  if (bound === undefined) return;
  const payTo = [`${NETWORK}:${accountOf(bound.profile)}`];
  const input = { domain: bound.domain, railProfileId: bound.profile, payTo, mcc: mccOf(0) };
  await owner.surely({ call: 'bindMerchant', route: ['POST', '/ap2/admin/merchants'], input });
}

/** What pays on the chain, for one agent. */
export async function addWallet(owner: Desk, agentDid: string): Promise<void> {
  const key = chance(`${owner.world.options.seed} wallet of ${owner.owner.name}`).bytes(32).toString('hex');
  const input = { network: NETWORK, privateKey: `0x${key}`, rpcUrl: CHAIN_URL, agentDid };
  await owner.surely({ call: 'createWallet', route: ['POST', '/ap2/admin/wallets'], input });
}

export async function visitSites(visiting: Visiting): Promise<void> {
  const { desk } = visiting;
  const dice = chance(`${desk.world.options.seed} visits of ${desk.owner.name}`);
  const former: Sent[] = [];
  while (visiting.isOpen()) {
    await desk.pause(dice.fraction() * visiting.pauseMs);
    if (!visiting.isOpen()) return;
    if (dice.permille(100)) await makeRoom(visiting);
    await buyOnce(visiting, dice, former);
  }
}

async function buyOnce(visiting: Visiting, dice: Chance, former: Sent[]): Promise<void> {
  const site = dice.of(visiting.sites);
  const priceMinor = dice.permille(100) ? dice.between(1000, 5000) : dice.between(1, 900);
  const url = `https://${site.domain}/report/${dice.below(6)}?of=${dice.below(3)}`;
  const principalDid = dice.of(visiting.principals).did;
  const by = dice.of(['mpp', 'mpp', 'x402', 'x402', 'both'] as const);
  const purchase = { site, url, priceMinor, principalDid, by, offer: site.ask(priceMinor) };
  let replaces: string | undefined;
  for (let tries = 0; tries < MOST_REPLACED; tries++) {
    const allowed = await authorize(visiting, dice, purchase, replaces === undefined ? {} : { replaces });
    const mandateId = partOf(allowed, 'mandateId');
    if (mandateId === undefined) {
      // Who was refused is refused again, for a while.
      await visiting.desk.pause(dice.below(REFUSED_MS));
      return;
    }
    if (dice.permille(80)) return;
    const nonce: string | undefined = partOf(allowed, 'paymentPayload')?.payload.authorization.nonce;
    const answer = await site.visit(visiting.desk.owner, partOf(allowed, 'send').header);
    const sent = { mandateId, nonce, purchase: { ...purchase }, answer };
    await report(visiting, dice, sent, former);
    former.push(sent);
    if (answer?.status === 200 && dice.permille(900)) return;
    if (dice.permille(150)) await operate(visiting, dice, mandateId);
    if (dice.permille(300)) return;
    replaces = mandateId;
    purchase.offer = site.ask(priceMinor);
  }
}

/** @returns the grant, once a person has approved where one is needed */
async function authorize(
  visiting: Visiting,
  dice: Chance,
  purchase: Purchase,
  more: JsonObject,
): Promise<Answered | undefined> {
  const told = dice.permille(150)
    ? await atOnce(visiting, dice, purchase, more)
    : await ask(visiting, dice, purchase, more);
  const approval = partOf(told, 'approval');
  if (approval?.id === undefined) {
    if (partOf(told, 'mandateId') !== undefined && dice.permille(100)) await changed(visiting, dice, purchase, more);
    return told;
  }
  passOn(visiting, purchase.principalDid, approval);
  if (!(await waitForPerson(visiting, dice, approval.id))) return undefined;
  const approvalId: string = approval.id;
  if (dice.permille(200)) {
    const other = swapped(purchase, dice);
    const taken = await ask(visiting, dice, other, { ...more, approvalId });
    if (partOf(taken, 'mandateId') !== undefined) Object.assign(purchase, other);
    return taken;
  }
  if (dice.permille(700)) purchase.offer = purchase.site.ask(purchase.priceMinor);
  if (dice.permille(150)) return atOnce(visiting, dice, purchase, { ...more, approvalId });
  return ask(visiting, dice, purchase, { ...more, approvalId });
}

/** The same challenge twice or three times at once, at whichever nodes, under fresh keys. */
async function atOnce(
  visiting: Visiting,
  dice: Chance,
  purchase: Purchase,
  more: JsonObject,
): Promise<Answered | undefined> {
  const count = dice.between(2, 3);
  const told = await Promise.all(Array.from({ length: count }, () => ask(visiting, dice, purchase, more)));
  return told.find((each) => partOf(each, 'mandateId') !== undefined) ?? told[0];
}

/** The same challenge for other money, or for another payee. */
async function changed(visiting: Visiting, dice: Chance, purchase: Purchase, more: JsonObject): Promise<void> {
  const { offer } = purchase;
  const other = dice.permille(500)
    ? { ...offer, priceMinor: offer.priceMinor + 1 }
    : { ...offer, payee: `${offer.payee}_other` };
  await ask(visiting, dice, { ...purchase, offer: other }, more);
}

/** What a person has approved, for another payee or a cent more. */
function swapped(purchase: Purchase, dice: Chance): Purchase {
  const { site, priceMinor } = purchase;
  const offer = dice.permille(700) ? site.ask(priceMinor, `${site.profile}_other`) : site.ask(priceMinor + 1);
  return { ...purchase, offer };
}

async function ask(
  visiting: Visiting,
  dice: Chance,
  { site, url, principalDid, offer, by }: Purchase,
  more: JsonObject,
): Promise<Answered | undefined> {
  const offers = {
    ...(by !== 'x402' && { challenges: [site.challengeOf(offer)] }),
    ...(by !== 'mpp' && { paymentRequired: site.requirementOf(offer) }),
  };
  const input = { agentDid: visiting.agent.did, principalDid, url, ...offers, ...more };
  const told = await post(visiting, dice, 'authorizeHttpPayment', 'authorize', input);
  const transfer = partOf(told, 'paymentPayload')?.payload.authorization;
  // From here on the site may be sent it.
  if (transfer !== undefined) visiting.desk.world.chain.learn(partOf(told, 'mandateId'), transfer);
  return told;
}

/** What the site answered, or nothing; now and then twice, or with the receipt of another payment. */
async function report(visiting: Visiting, dice: Chance, sent: Sent, former: readonly Sent[]): Promise<void> {
  const { mandateId, nonce, purchase, answer } = sent;
  if (dice.permille(300)) return;
  // By a receipt without the site's own name of a purchase, another one without is not told apart.
  const { externalId } = purchase.offer;
  const others = former.flatMap(({ answer: other, purchase: { offer } }) =>
    offer.externalId === undefined && externalId === undefined ? [] : (other?.receipt ?? []),
  );
  if (nonce === undefined && answer?.receipt === undefined && others.length > 0 && dice.permille(200)) {
    await settle(visiting, dice, { mandateId, receipt: dice.of(others), status: 200 });
    return;
  }
  const name = nonce === undefined ? { challengeId: purchase.offer.id } : { nonce };
  const named = dice.permille(700) ? { mandateId } : name;
  const { receipt, paymentResponse, problem, status } = answer ?? {};
  const input = {
    ...named,
    ...(receipt !== undefined && { receipt }),
    ...(paymentResponse !== undefined && { paymentResponse }),
    ...(problem !== undefined && dice.permille(700) && { problem: { ...problem } }),
    ...(status !== undefined && { status }),
  };
  await settle(visiting, dice, input);
  if (dice.permille(100)) await settle(visiting, dice, input);
}

function settle(visiting: Visiting, dice: Chance, input: JsonObject): Promise<Answered | undefined> {
  return post(visiting, dice, 'settleHttpPayment', 'settlements', input);
}

/** By the payment's own operations: it can be given up, and the rest is the merchant's. */
async function operate({ desk }: Visiting, dice: Chance, mandateId: string): Promise<void> {
  const verb = dice.of(['cancel', 'cancel', 'capture', 'refund']);
  const route = ['POST', `/ap2/payments/${mandateId}/${verb}`] as const;
  await desk.rest({ call: `${verb}Payment`, route, input: {}, named: { mandateId } });
}

/** A person who may approve it is told of it. */
export function passOn(
  { letters, principals, agent }: Pick<Visiting, 'letters' | 'principals' | 'agent'>,
  principalDid: string,
  approval: Loose,
): void {
  const holder = principalDid === principals[0]?.did ? { principalDid } : { agentDid: agent.did };
  letters.push({ id: approval.id, holder, expiresAt: Date.parse(approval.expiresAt) });
}

/** @returns whether a person approved, in time */
export async function waitForPerson({ desk }: Pick<Visiting, 'desk'>, dice: Chance, id: string): Promise<boolean> {
  for (let look = 1; look <= LOOKS; look++) {
    const route = ['GET', `/ap2/approvals/${id}`] as const;
    const told = await desk.rest({ call: 'getApproval', route, input: {}, named: { approvalId: id } });
    if (partOf(told, 'hpProof') !== undefined) return true;
    if (told?.status === 200 && told.body.status !== 'pending') return false;
    await desk.pause(dice.below(4000));
  }
  return dice.permille(200);
}

/** Again with the same bytes where no answer came, mostly under a key. */
async function post(
  { desk }: Visiting,
  dice: Chance,
  call: string,
  path: string,
  input: JsonObject,
): Promise<Answered | undefined> {
  const isKeyed = call === 'authorizeHttpPayment' && dice.permille(700);
  const key = isKeyed ? { key: `key-${dice.bytes(8).toString('hex')}` } : {};
  for (let tries = 1; ; tries++) {
    const told = await desk.rest({ call, route: ['POST', `/ap2/http-payments/${path}`], input, ...key });
    if (told !== undefined && told.status !== 503) return told;
    if (tries === TRIES) return told;
    await desk.pause(dice.below(2000));
  }
}

function partOf(told: Answered | undefined, name: string): Loose {
  return typeof told?.body === 'object' && told.body !== null ? told.body[name] : undefined;
}

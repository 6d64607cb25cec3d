/** One purchase of the playground, from the agent's request to its end, told a line a step. */
import type { CartResult, HpProof, IntentResult, PaymentResult, Refusal } from '../../../client/index.ts';
import type { Dice } from '../seed/dice.ts';
import type { StoryName } from './deck.ts';
import type { Playground, Shopper } from './shoppers.ts';

export type Tone = 'plain' | 'good' | 'bad' | 'asks';

export interface Stage extends Playground {
  readonly dice: Dice;
  tell(tone: Tone, sentence: string): void;
  /** Lets the reader read. */
  pause(): Promise<void>;
  /** What was captured and neither given back nor disputed, the newest last. */
  readonly captured: Purchase[];
}

interface Purchase {
  readonly mandateId: string;
  readonly who: string;
  readonly where: string;
  readonly price: string;
}

interface Wish {
  readonly shopper: Shopper;
  readonly domain: string;
  readonly what: string;
  readonly amount: number;
  readonly instrument?: string;
}

const CURRENCY = 'USD';
/** What an agent may spend alone by the sandbox's first policy, in cents, and what a person may approve. */
const ALONE_CENTS = 10_000;
const WITH_PERSON_CENTS = 20_000;
const MOST_ABOVE_CENTS = 299;
const BLOCKED = 'scam-store.example';

const priceOf = (amount: number) => `${amount.toFixed(2)} ${CURRENCY}`;

/** How a purchase ended; undefined for what is about an earlier one. */
export type PlayedEnd = 'paid' | 'refused' | 'declined' | 'denied' | undefined;

export async function playStory(stage: Stage, story: StoryName): Promise<PlayedEnd> {
  if (story === 'refund') return refund(stage);
  if (story === 'dispute') return dispute(stage);
  const wanted = choose(stage, story);
  const { shopper, domain, what, amount, instrument } = wanted;
  const { did } = shopper.agent;
  stage.tell('plain', `${shopper.name} wants ${what} at ${domain}, for ${priceOf(amount)}.`);
  await stage.pause();
  const request = { maxAmount: amount, currency: CURRENCY, vendorHints: { domain } };
  const intent: IntentResult = await shopper.node.issueIntent({ agentDid: did, principalDid: did, request });
  if (!intent.allowed) return refused(stage, intent);
  const items = [{ name: what, price: amount, quantity: 1 }];
  const { cartVc } = await stage.owner.demoCart({ payerDid: did, domain, amount, currency: CURRENCY, items });
  const { intentVc } = intent;
  let cart: CartResult = await shopper.node.validateCart({ intentVc, cartVc });
  if (!cart.allowed && cart.approval !== undefined) {
    const hpProof = await askPerson(stage, cart, story === 'denied');
    if (hpProof === undefined) return 'denied';
    cart = await shopper.node.validateCart({ intentVc, cartVc, hpProof });
  }
  if (!cart.allowed) return refused(stage, cart);
  const { approvalToken } = cart;
  const paying = { approvalToken, ...(instrument === undefined ? {} : { instrument }) };
  return paid(stage, wanted, await shopper.node.mandatePayment(paying));
}

function choose({ shoppers, dice }: Stage, story: StoryName): Wish {
  const shopper = dice.pick(shoppers);
  const shop = dice.pick(shopper.shops);
  const from = (items: readonly (readonly [string, number])[], domain = shop.domain): Wish => {
    const [what, cents] = dice.pick(items);
    // Prices move, so that what is bought again is not taken for the same purchase twice.
    return { shopper, domain, what, amount: (cents + dice.between(0, MOST_ABOVE_CENTS)) / 100 };
  };
  const small = () => from(shop.items.filter(([, cents]) => cents + MOST_ABOVE_CENTS <= ALONE_CENTS));
  switch (story) {
    case 'approved':
    case 'denied': {
      const asked = (shop.large ?? []).filter(([, cents]) => cents + MOST_ABOVE_CENTS <= WITH_PERSON_CENTS);
      return from(asked.length > 0 ? asked : [['a gift card', 12_500]]);
    }
    case 'large':
      return from([['everything in the window', 149_900]]);
    case 'blocked':
      return from([['a watch, “like new”', 8990]], BLOCKED);
    case 'declined':
      return { ...small(), instrument: 'pm_card_visa_chargeDeclined' };
    case 'authentication':
      return { ...small(), instrument: 'pm_card_authenticationRequired' };
    default:
      return small();
  }
}

/** The owner decides with a passkey, where no user of the console has meanwhile. */
async function askPerson(stage: Stage, cart: Refusal & { approval?: { id: string; url?: string } }, denies: boolean) {
  const { id = '', url = '' } = cart.approval ?? {};
  stage.tell('asks', `A person must decide: ${sentencesOf(cart)} ${url}`);
  await stage.pause();
  if ((await stage.owner.getApproval({ id })).status === 'pending') {
    if (denies) await stage.owner.denyApproval({ id });
    else await stage.person.approve(url);
  }
  const { status, hpProof }: { status: string; hpProof?: HpProof } = await stage.owner.getApproval({ id });
  stage.tell(hpProof === undefined ? 'bad' : 'good', `The person has ${status} it.`);
  await stage.pause();
  return hpProof;
}

async function paid(stage: Stage, { shopper, domain, amount }: Wish, payment: PaymentResult): Promise<PlayedEnd> {
  if (!('pmVc' in payment)) return refused(stage, payment);
  const { error } = payment.railResponse;
  if (error !== undefined) {
    stage.tell('bad', `The rail does not pay: ${error.message}`);
    return 'declined';
  }
  stage.tell('good', `${priceOf(amount)} are held; ${domain} packs it.`);
  await stage.pause();
  const mandateId = String(payment.pmVc.credentialSubject.mandateId);
  await stage.owner.capturePayment({ mandateId });
  stage.tell('good', `${domain} has delivered, and the money is taken.`);
  stage.captured.push({ mandateId, who: shopper.name, where: domain, price: priceOf(amount) });
  return 'paid';
}

async function refund(stage: Stage): Promise<undefined> {
  const last = stage.captured.pop();
  if (last === undefined) return;
  await stage.owner.refundPayment({ mandateId: last.mandateId });
  stage.tell('good', `${last.who} sends it back, and ${last.where} gives ${last.price} back.`);
}

async function dispute(stage: Stage): Promise<undefined> {
  const last = stage.captured.pop();
  if (last === undefined) return;
  await stage.owner.demoDispute({ mandateId: last.mandateId, reason: 'product_not_received' });
  stage.tell('bad', `The card holder disputes the ${last.price} to ${last.where}: it never came.`);
}

function refused(stage: Stage, refusal: Refusal): 'refused' {
  stage.tell('bad', `Refused: ${sentencesOf(refusal)}`);
  return 'refused';
}

function sentencesOf({ reasonCodes, details }: Refusal): string {
  return reasonCodes.map((code) => details[code]?.message ?? code).join(' ');
}

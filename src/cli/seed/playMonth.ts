/** Plays a planned month on a node: each purchase by the operations that real requests ask for, at its own time. */
import {
  type CartResult,
  type Client,
  type IntentResult,
  type PaymentResult,
  signCart,
} from '../../../client/index.ts';
import { type AgentName, SHOPS, type Shop, type ShopName } from './catalog.ts';
import { FROZEN, type MonthPlan, meantToPass, type Purchase, totalOf } from './planMonth.ts';
import type { SeededPerson, SetClock } from './seededNode.ts';
import { type Household, publishPolicy, type SeededPolicy, settle } from './settle.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** Has a limit of its own, and nearly used it up. */
const BUSY: AgentName = 'Research assistant';

interface SeededMonth {
  readonly client: Client;
  readonly person: SeededPerson;
  /** Of the node's owner, where there is one, or an invitation for one. */
  readonly ownerDid: string | undefined;
  readonly clock: SetClock;
  /** When the month ends. */
  readonly endsAt: number;
  /** Does what is due at the clock's time. */
  doDueWork(): Promise<void>;
}

/** What happens at a time, and what it leads to later. */
interface Moment {
  readonly at: number;
  run(): Promise<readonly Moment[] | undefined>;
}

/** @param told how much is done, of how much */
export async function playMonth(
  month: SeededMonth,
  plan: MonthPlan,
  told: (done: number, of: number) => void,
): Promise<SeededPolicy> {
  const { client, clock, person, ownerDid } = month;
  // It holds from now on, after those of the reader; what came before was judged by it all the same.
  clock.now = month.endsAt;
  const policy = await publishPolicy(client, plan);
  clock.now = plan.startsAt;
  const wait = (minutes: number) => {
    clock.now += minutes * MINUTE_MS;
  };
  const household = await settle(client, person, wait, ownerDid);
  const moments: Moment[] = [
    ...plan.purchases.map((purchase) => ({ at: purchase.at, run: () => play(month, household, purchase) })),
    ...careOf(month, plan, household),
  ];
  for (let done = 0; ; done += 1) {
    const next = takeFirst(moments);
    if (next === undefined) break;
    told(done, done + moments.length);
    // A person who took their time may have let the next one wait.
    clock.now = Math.max(clock.now, next.at);
    const later = (await next.run()) ?? [];
    // What would be later than the month's end is left as it is.
    moments.push(...later.filter(({ at }) => at < month.endsAt));
  }
  clock.now = month.endsAt;
  return policy;
}

function takeFirst(moments: Moment[]): Moment | undefined {
  let first = 0;
  for (const [index, { at }] of moments.entries()) if (at < (moments[first] as Moment).at) first = index;
  return moments.splice(first, 1)[0];
}

/** What the owner does about the agents, and what the node does by itself each day. */
function careOf({ client, doDueWork, endsAt }: SeededMonth, plan: MonthPlan, household: Household): Moment[] {
  const did = household.agents[FROZEN];
  const nothing = async (act: Promise<unknown>) => void (await act);
  const reason = 'It went back to the same blocked shop four times in an hour.';
  const calls = meantToPass(plan).filter(({ agent }) => agent === BUSY).length;
  const busy = { did: household.agents[BUSY], maxTransactions: calls + 2, timeWindow: '30d' };
  const care: Moment[] = [
    { at: plan.startsAt + 2 * HOUR_MS, run: () => nothing(client.setAgentVelocity(busy)) },
    {
      at: plan.warnedAt,
      run: () => nothing(client.setAgentVelocity({ did, maxTransactions: 2, timeWindow: '24h' })),
    },
    { at: plan.frozenAt, run: () => nothing(client.suspendAgent({ did, reason })) },
  ];
  for (let at = plan.startsAt + DAY_MS; at < endsAt; at += DAY_MS) care.push({ at, run: () => nothing(doDueWork()) });
  return care;
}

type CartVc = Readonly<Record<string, unknown>>;

async function play(month: SeededMonth, household: Household, purchase: Purchase) {
  const { ending } = purchase;
  const leftOpen = [sweepAfter(month, HOUR_MS), sweepAfter(month, DAY_MS)];
  const intent = await ask(month, household, purchase);
  if (!intent.allowed) return undefined;
  const cartVc = sign(month, household, purchase);
  const cart = await approve(month, purchase, { intentVc: intent.intentVc, cartVc });
  if (!cart?.allowed) return leftOpen;
  const instrument = ending.kind === 'declined' ? { instrument: ending.instrument } : {};
  const payment = await month.client.mandatePayment({ approvalToken: cart.approvalToken, ...instrument });
  const later = settled(month, purchase, payment);
  const isAgain = ending.kind === 'refused' && ending.twist === 'again';
  return isAgain ? [...later, buyAgain(month, household, purchase)] : later;
}

function ask({ client, clock, endsAt }: SeededMonth, household: Household, purchase: Purchase): Promise<IntentResult> {
  const { agent, shop, ending } = purchase;
  const twist = ending.kind === 'refused' ? ending.twist : undefined;
  const share = twist === 'tooMuch' ? 0.5 : 1;
  return client.issueIntent({
    agentDid: household.agents[agent],
    principalDid: household.principalOf(twist === 'others' ? 'Travel desk' : agent),
    request: {
      maxAmount: (totalOf(purchase) * share) / 100,
      currency: twist === 'euro' ? 'EUR' : 'USD',
      vendorHints: { domain: SHOPS[shop].domain },
    },
    // What waits for a person now is to wait for them tomorrow, too.
    ...(ending.kind === 'open'
      ? { expiresAt: new Date(Math.min(clock.now + DAY_MS, endsAt + DAY_MS)).toISOString() }
      : {}),
  });
}

function sign({ clock }: SeededMonth, household: Household, purchase: Purchase): CartVc {
  const { shop, items, ending } = purchase;
  const seller: ShopName = ending.kind === 'refused' && ending.twist === 'mismatch' ? 'office' : shop;
  const lines = items.map(({ name, cents, quantity }) => ({ name, price: cents / 100, quantity }));
  const offer = { domain: SHOPS[seller].domain, currency: 'USD', items: lines };
  const validSeconds = (ending.kind === 'open' ? DAY_MS : HOUR_MS) / 1000;
  return signCart(household.merchants[seller], offer, { now: new Date(clock.now), validSeconds });
}

/** Has the cart approved, by the person where the policy asks for them. @returns undefined where they did not */
async function approve(
  { client, clock, person }: SeededMonth,
  { ending, at }: Purchase,
  cart: { readonly intentVc: CartVc; readonly cartVc: CartVc },
): Promise<CartResult | undefined> {
  const alone = await client.validateCart(cart);
  if (alone.allowed || alone.approval === undefined || ending.kind === 'refused') return alone;
  const { id } = alone.approval;
  if (ending.kind === 'open' || ending.kind === 'expired') return undefined;
  // Two to twelve minutes, the same for the same purchase.
  clock.now += (2 + (Math.floor(at / MINUTE_MS) % 11)) * MINUTE_MS;
  await person.decide(id, ending.kind === 'denied' ? 'deny' : 'approve');
  const { hpProof } = await client.getApproval({ id });
  return hpProof === undefined ? undefined : client.validateCart({ ...cart, hpProof });
}

/** What becomes of a payment that the rail took. */
function settled(month: SeededMonth, { ending, shop, at }: Purchase, payment: PaymentResult): Moment[] {
  const { client, clock } = month;
  if (!('pmVc' in payment) || payment.railResponse.status !== 'requires_capture') return [];
  const mandateId = String(payment.pmVc.credentialSubject.mandateId);
  const { isDigital }: Shop = SHOPS[shop];
  const hours = 2 + (Math.floor(at / 1000) % 22);
  const after = (ms: number, act: () => Promise<unknown>): Moment => ({
    at: clock.now + ms,
    run: async () => void (await act()),
  });
  const delivered = isDigital ? MINUTE_MS : hours * HOUR_MS;
  const capture = after(delivered, () => client.capturePayment({ mandateId }));
  if (ending.kind === 'held') return [];
  if (ending.kind === 'canceled') return [after(hours * HOUR_MS, () => client.cancelPayment({ mandateId }))];
  if (ending.kind === 'disputed') {
    const reason = 'product_not_received';
    return [capture, after(delivered + 3 * DAY_MS, () => client.demoDispute({ mandateId, reason }))];
  }
  if (ending.kind !== 'refunded' && ending.kind !== 'partlyRefunded') return [capture];
  const amount = Math.floor(Number(payment.pmVc.credentialSubject.amount) * 40) / 100;
  const part = ending.kind === 'partlyRefunded' ? { amount } : {};
  return [capture, after(delivered + 2 * DAY_MS, () => client.refundPayment({ mandateId, ...part }))];
}

/** The agent lost the answer, and plans the same purchase again. */
function buyAgain(month: SeededMonth, household: Household, purchase: Purchase): Moment {
  const at = month.clock.now + 3 * MINUTE_MS;
  const again: Purchase = { ...purchase, at, ending: { kind: 'refused' } };
  return { at, run: () => play(month, household, again) };
}

function sweepAfter({ clock, doDueWork }: SeededMonth, ms: number): Moment {
  return { at: clock.now + ms + MINUTE_MS, run: async () => void (await doDueWork()) };
}

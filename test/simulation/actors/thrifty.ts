/**
 * An agent at the edge of its budgets: it lets intents expire and approvals lapse, takes less than it asked for, captures a part, buys
 * the same again, and asks at once for what that has freed.
 */
import { type JsonObject, makeCart } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import { type Chance, chance } from '../machine/chance.ts';
import { ownLimits } from './budgets.ts';
import { type Answered, Desk, OWNER } from './desk.ts';
import type { Market, Shop } from './market.ts';

type Habit = (market: Market, dice: Chance) => Promise<void>;

/** How long the shortest intents live, and after what time an approval of this world has lapsed. */
const SHORT_MS = 4000;
const TOKEN_MS = 21_000;
/** Within which a worker notes what has ended. */
const NOTED_MS = 3000;

export async function beThrifty(market: Market): Promise<void> {
  const { desk } = market;
  const dice = chance(`${desk.world.options.seed} thrift of ${desk.owner.name}`);
  while (market.isOpen()) {
    await desk.pause(dice.fraction() * market.pauseMs);
    if (!market.isOpen()) return;
    if (dice.permille(200)) await changeOwn(market, dice);
    await dice.of(HABITS)(market, dice);
  }
}

const HABITS: readonly Habit[] = [
  async function letExpire(market, dice) {
    const { desk } = market;
    const shop = dice.of(market.shops);
    const price = priceOf(dice);
    const expiresAt = new Date(desk.world.loop.now + SHORT_MS).toISOString();
    const intentVc = await intend(market, dice, shop, price, { expiresAt });
    if (intentVc === undefined) return;
    if (dice.permille(500)) await have(market, intentVc, offer(shop, price));
    await desk.pause(SHORT_MS + NOTED_MS);
    await buy(market, dice, shop, price);
  },
  async function takeLess(market, dice) {
    const shop = dice.of(market.shops);
    const price = priceOf(dice);
    const intentVc = await intend(market, dice, shop, price);
    if (intentVc === undefined) return;
    const token = await have(market, intentVc, offer(shop, part(price, dice)));
    const rest = await intend(market, dice, shop, price);
    if (token !== undefined) await pay(market, token);
    if (rest !== undefined) await have(market, rest, offer(shop, price));
  },
  async function letLapse(market, dice) {
    const shop = dice.of(market.shops);
    const price = priceOf(dice);
    const intentVc = await intend(market, dice, shop, price);
    if (intentVc === undefined) return;
    const cart = offer(shop, dice.permille(700) ? part(price, dice) : price);
    await have(market, intentVc, cart);
    await market.desk.pause(TOKEN_MS + NOTED_MS);
    await buy(market, dice, shop, priceOf(dice));
    const token = await have(market, intentVc, cart);
    if (token !== undefined) await pay(market, token);
  },
  async function captureLess(market, dice) {
    const shop = dice.of(market.shops);
    const price = priceOf(dice);
    const mandateId = await buy(market, dice, shop, price);
    if (mandateId === undefined) return;
    await operate(market, 'capturePayment', mandateId, { amount: part(price, dice) });
    await buy(market, dice, shop, price);
  },
  async function giveUp(market, dice) {
    const shop = dice.of(market.shops);
    const price = priceOf(dice);
    const mandateId = await buy(market, dice, shop, price);
    if (mandateId === undefined) return;
    await operate(market, 'cancelPayment', mandateId, {});
    await buy(market, dice, shop, price);
  },
  async function hoard(market, dice) {
    const shop = dice.of(market.shops);
    const price = priceOf(dice);
    const asked = await Promise.all([1, 2, 3].map(() => intend(market, dice, shop, price)));
    const tokens: string[] = [];
    for (const intentVc of asked) {
      const token = intentVc === undefined ? undefined : await have(market, intentVc, offer(shop, price));
      if (token !== undefined) tokens.push(token);
    }
    await Promise.all(tokens.map((token) => pay(market, token)));
  },
  async function anywhere(market, dice) {
    // The intent names no merchant, so that the cart says which limits it is about.
    const price = priceOf(dice);
    const intentVc = await intend(market, dice, undefined, price);
    if (intentVc === undefined) return;
    for (const shop of [dice.of(market.shops), dice.of(market.shops)]) {
      const token = await have(market, intentVc, offer(shop, dice.permille(500) ? price : part(price, dice)));
      if (token === undefined || dice.permille(400)) continue;
      await pay(market, token);
      return;
    }
  },
  async function planAgain(market, dice) {
    const shop = dice.of(market.shops);
    const price = dice.of([12, 20, 30]);
    const items = [
      { name: 'Apples', price: price / 4, quantity: 1 },
      { name: 'Bread', price: price / 4, quantity: 3 },
    ];
    if (dice.permille(250)) {
      // Approved, and not paid yet when the same comes again.
      const intentVc = await intend(market, dice, shop, price);
      if (intentVc !== undefined) await have(market, intentVc, offer(shop, price, items));
    }
    const mandateId = await buy(market, dice, shop, price, items);
    if (mandateId !== undefined && dice.permille(600)) {
      await operate(market, 'capturePayment', mandateId, {});
      if (dice.permille(700)) await operate(market, 'refundPayment', mandateId, dice.of([{}, { amount: price / 4 }]));
    }
    const again = dice.permille(500)
      ? [...items].reverse()
      : items.map((item) => ({ ...item, name: ` ${item.name.toUpperCase()}` }));
    await buy(market, dice, shop, price, again);
  },
];

/** The owner gives the agent limits of its own, or takes them back. */
async function changeOwn({ desk, agent: { did }, shops }: Market, dice: Chance): Promise<void> {
  const owner = new Desk(desk.world, desk.owner, OWNER);
  const path = `/ap2/admin/agents/${encodeURIComponent(did)}/velocity`;
  const room = { maxTransactions: 200, maxAmount: 9000, timeWindow: '1m' };
  const limits = dice.permille(300) ? [] : ownLimits(desk.world, dice, shops, dice.permille(600));
  const input = dice.of<JsonObject>([{ limits }, { ...room, limits }, room]);
  await owner.rest({ call: 'setAgentVelocity', route: ['PUT', path], input, named: { did } });
}

/** @returns the payment's id, where it was made */
async function buy(
  market: Market,
  dice: Chance,
  shop: Shop,
  price: number,
  items?: Items,
): Promise<string | undefined> {
  const intentVc = await intend(market, dice, shop, price);
  const token = intentVc && (await have(market, intentVc, offer(shop, price, items)));
  return token && (await pay(market, token));
}

async function intend(
  { desk, agent, principals }: Market,
  dice: Chance,
  shop: Shop | undefined,
  maxAmount: number,
  more: JsonObject = {},
): Promise<Loose> {
  const hints = shop === undefined ? {} : { vendorHints: { domain: shop.domain } };
  const principalDid = dice.of(principals).did;
  // Where nothing expired, nothing could be asked for soon.
  const expiresAt = new Date(desk.world.loop.now + dice.between(5, 40) * 1000).toISOString();
  const request = { maxAmount, currency: 'USD', ...hints };
  const input = { agentDid: agent.did, principalDid, request, expiresAt, ...more };
  return partOf(await rest(desk, 'issueIntent', '/ap2/intents', input), 'intentVc');
}

/** @returns the approval token, where the cart may be paid */
async function have({ desk }: Market, intentVc: Loose, cartVc: JsonObject): Promise<string | undefined> {
  return partOf(await rest(desk, 'validateCart', '/ap2/carts/validate', { intentVc, cartVc }), 'approvalToken');
}

async function pay({ desk }: Market, approvalToken: string): Promise<string | undefined> {
  const told = await rest(desk, 'mandatePayment', '/ap2/payments/mandate', { approvalToken });
  return partOf(told, 'pmVc')?.credentialSubject.mandateId;
}

function operate({ desk }: Market, call: string, mandateId: string, input: JsonObject) {
  const path = `/ap2/payments/${mandateId}/${call.replace('Payment', '')}`;
  return desk.rest({ call, route: ['POST', path], input, named: { mandateId } });
}

function rest(desk: Desk, call: string, path: string, input: JsonObject): Promise<Answered | undefined> {
  return desk.rest({ call, route: ['POST', path], input });
}

type Items = { name: string; price: number; quantity: number }[];

function offer({ domain, peer }: Shop, price: number, items: Items = [{ name: 'Thing', price, quantity: 1 }]) {
  return makeCart(peer, { domain, items, total: price, currency: 'USD' });
}

function priceOf(dice: Chance): number {
  return dice.between(400, 1900) / 100;
}

/** Less of a price. */
function part(price: number, dice: Chance): number {
  return Math.max(1, Math.floor(price * 100 * dice.of([0.2, 0.5, 0.9]))) / 100;
}

function partOf(told: Answered | undefined, name: string): Loose {
  return typeof told?.body === 'object' && told.body !== null ? told.body[name] : undefined;
}

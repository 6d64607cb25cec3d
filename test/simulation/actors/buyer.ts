/** An agent that buys: it asks for an intent, takes a cart to be validated, pays, and later captures, cancels or gives back. */
import { type JsonObject, makeCart } from '../../support/peer.ts';
import type { Loose } from '../../support/world.ts';
import type { Answered } from './desk.ts';
import { formsFor, type NodeMarket, type Shop } from './market.ts';

/** What a buyer knows of its world. */
export interface Buying extends NodeMarket {
  /** Whether it messages over A2A or requests over REST, for each purchase. */
  isMessaging(): boolean;
}

/** How often an agent asks again what was not answered. */
const TRIES = 4;

export async function buy(market: Buying): Promise<void> {
  const { desk } = market;
  const { chance } = desk.world;
  while (market.isOpen()) {
    await desk.pause(chance.fraction() * market.pauseMs);
    if (market.isOpen()) await buyOnce(market);
  }
}

async function buyOnce(market: Buying): Promise<void> {
  const { desk, agent } = market;
  const { chance } = desk.world;
  const shop = chance.of(market.shops);
  const amount = chance.between(100, chance.permille(100) ? 20_000 : 6000) / 100;
  const intent = await ask(market, 'IntentMandate', 'issueIntent', '/ap2/intents', {
    agentDid: agent.did,
    principalDid: chance.of(market.principals).did,
    request: { maxAmount: amount, currency: 'USD', vendorHints: { domain: shop.domain } },
    ...formsFor(amount),
  });
  const intentVc = partOf(intent, 'intentVc');
  if (intentVc === undefined) return;
  const cartVc = offer(market, shop, amount);
  const asked = { intentVc, cartVc };
  const isRacing = chance.permille(60);
  const carts = await Promise.all(
    (isRacing ? [1, 2] : [1]).map(() => ask(market, 'CartMandate', 'validateCart', '/ap2/carts/validate', asked)),
  );
  const tokens = carts.flatMap((cart) => partOf(cart, 'approvalToken') ?? []);
  if (tokens.length === 0) return;
  if (chance.permille(30)) return;
  const wanted = chance.permille(60) ? [...tokens, ...tokens] : tokens;
  const paid = await Promise.all(
    wanted.map((approvalToken) =>
      ask(market, 'PaymentMandate', 'mandatePayment', '/ap2/payments/mandate', { approvalToken, ...formsFor(amount) }),
    ),
  );
  const mandateIds = new Set<string>(
    paid.flatMap((payment) => partOf(payment, 'pmVc')?.credentialSubject.mandateId ?? []),
  );
  for (const mandateId of mandateIds) await settle(market, mandateId, amount);
}

/** A merchant's cart, which may be wrong: for more than the intent, by another merchant's key, or one that has expired. */
function offer(market: Buying, { domain, peer }: Shop, amount: number): JsonObject {
  const { chance, loop } = market.desk.world;
  const share = chance.permille(50) ? 1.3 : chance.permille(500) ? 1 : chance.fraction();
  const price = Math.max(1, Math.round(amount * share * 100)) / 100;
  const signer = chance.permille(20) ? chance.of(market.shops).peer : peer;
  const at = chance.permille(20) ? new Date(loop.time - 3_600_000) : new Date();
  return makeCart(
    signer,
    { domain, items: [{ name: 'Thing', price, quantity: 1 }], total: price, currency: 'USD' },
    at,
  );
}

/** What becomes of a payment: captured whole or in part, released, given back, or left alone. */
async function settle(market: Buying, mandateId: string, amount: number): Promise<void> {
  const { desk } = market;
  const { chance } = desk.world;
  await desk.pause(chance.fraction() * market.pauseMs);
  const path = `/ap2/payments/${mandateId}`;
  const act = async (call: string, verb: string, input: JsonObject) =>
    askRest(market, call, `${path}/${verb}`, input, { mandateId });
  const choice = chance.below(10);
  if (choice < 2) await act('cancelPayment', 'cancel', {});
  if (choice < 2 || choice === 9) return;
  const isWhole = chance.permille(700);
  const part = Math.max(1, Math.floor(amount * 100 * chance.fraction())) / 100;
  const captured = await act('capturePayment', 'capture', isWhole ? {} : { amount: part });
  if (captured?.status !== 200 || chance.permille(700)) return;
  await desk.pause(chance.fraction() * market.pauseMs);
  const all = Number((captured.body as Loose).captured);
  const given = chance.permille(500) ? {} : { amount: Math.max(1, Math.floor(all * 50)) / 100 };
  await act('refundPayment', 'refund', given);
}

/** By either gate, again with the same bytes where no answer came. */
async function ask(
  market: Buying,
  type: string,
  call: string,
  path: string,
  input: JsonObject,
): Promise<Answered | undefined> {
  if (!market.isMessaging()) return askRest(market, call, path, input);
  const { desk } = market;
  const message = desk.sign(type, market.nodeDid, input);
  return persist(market, () => desk.message(call, message));
}

async function askRest(
  market: Buying,
  call: string,
  path: string,
  input: JsonObject,
  named: JsonObject = {},
): Promise<Answered | undefined> {
  const { desk } = market;
  const { chance } = desk.world;
  const key = chance.permille(700) ? { key: `key-${chance.bytes(8).toString('hex')}` } : {};
  const once = () => desk.rest({ call, route: ['POST', path], input, named, ...key });
  // Without a key the node cannot tell whether a second request is the same one.
  return 'key' in key || chance.permille(500) ? persist(market, once) : once();
}

async function persist({ desk }: Buying, once: () => Promise<Answered | undefined>): Promise<Answered | undefined> {
  for (let tries = 1; ; tries++) {
    const told = await once();
    if (told !== undefined && told.status !== 503) return told;
    if (tries === TRIES) return told;
    await desk.pause(desk.world.chance.below(2000));
  }
}

/** A member of what was answered, in REST as it is, over A2A within the message. */
function partOf(told: Answered | undefined, name: string): Loose {
  if (told === undefined || typeof told.body !== 'object' || told.body === null) return undefined;
  const { body } = told;
  return (body.result?.message?.body ?? body)[name];
}

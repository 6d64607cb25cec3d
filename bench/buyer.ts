/** Whole purchases at a node, over either gate: the intent, the merchant's cart, the payment mandate. */
import { isProvenBy, type JsonObject, makeCart, type Peer } from '../test/support/peer.ts';
import { type Client, openClient } from './client.ts';
import { ADMIN_KEY, type BenchNode, intentBody, SHOP, signedCall } from './node.ts';

export type Gate = 'REST' | 'A2A';

/** One request of a purchase with what came back, for the floor to be built from. */
export interface Exchange {
  readonly request: string;
  readonly answer: string;
}

export interface Purchase {
  readonly exchanges: readonly Exchange[];
  readonly pmVc: JsonObject;
}

/** Buys with one cart. @throws Error when any step is refused or fails */
export type Buy = (client: Client, agent: Peer, cart: JsonObject) => Promise<Purchase>;

export const HEADERS: Readonly<Record<Gate, Readonly<Record<string, string>>>> = {
  REST: { Authorization: `Bearer ${ADMIN_KEY}` },
  A2A: {},
};

const STEPS = [
  { path: '/ap2/intents', type: 'IntentMandate' },
  { path: '/ap2/carts/validate', type: 'CartMandate' },
  { path: '/ap2/payments/mandate', type: 'PaymentMandate' },
] as const;

export function openBuyer(node: BenchNode, gate: Gate): Promise<Client> {
  return openClient(node.server.port, HEADERS[gate]);
}

export function buyerOf(node: BenchNode, gate: Gate): Buy {
  return async (client, agent, cartVc) => {
    const exchanges: Exchange[] = [];
    const step = async ({ path, type }: (typeof STEPS)[number], body: JsonObject): Promise<JsonObject> => {
      const request = gate === 'REST' ? JSON.stringify(body) : signedCall(node, agent, type, body);
      const { status, text } = await client.post(gate === 'REST' ? path : '/a2a/gateway', request);
      const answer = JSON.parse(text);
      const result = gate === 'REST' ? answer : answer.result?.message.body;
      if (status !== 200 || result === undefined || result.allowed === false) {
        throw new Error(`${type} answered ${status}: ${text}`);
      }
      exchanges.push({ request, answer: text });
      return result;
    };
    const [intent, cart, payment] = STEPS;
    const { intentVc } = await step(intent, intentBody(node, agent));
    const { approvalToken } = await step(cart, { intentVc: intentVc as JsonObject, cartVc });
    const { pmVc, railResponse } = await step(payment, { approvalToken: approvalToken as string });
    const { status } = railResponse as JsonObject;
    if (status !== 'requires_capture') throw new Error(`The rail answered ${status}.`);
    return { exchanges, pmVc: pmVc as JsonObject };
  };
}

/** Signed carts of one merchant, each with another content. */
export function makeCarts(node: Pick<BenchNode, 'merchant'>, count: number): JsonObject[] {
  return Array.from({ length: count }, (_, index) => {
    const price = (100 + (index % 4000)) / 100;
    const items = [{ name: `Thing number ${index}`, price, quantity: 1 }];
    return makeCart(node.merchant, { domain: SHOP, items, total: price, currency: 'USD' });
  });
}

export function checkPurchase(node: BenchNode, { pmVc }: Purchase): void {
  if (!isProvenBy(node.issuerDid, pmVc, 'assertionMethod')) throw new Error("A payment mandate's proof fails.");
}
